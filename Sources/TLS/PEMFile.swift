import COpenSSL
import Glibc

/// A PEM file read whole, as a memory BIO for OpenSSL; its bytes are wiped when it goes.
struct PEMFile: ~Copyable {
    /// Far above any chain; a wrong path such as a device must not fill the memory.
    private static let limit = 1 << 20

    let path: String
    let bio: OpaquePointer
    private let bytes: UnsafeMutableRawPointer
    private let count: Int

    /// - Throws: `TLSFailure` naming the file, when it cannot be read or is larger than 1 MiB.
    init(path: String) throws(TLSFailure) {
        let room = UnsafeMutableRawPointer.allocate(byteCount: Self.limit, alignment: 16)
        do throws(TLSFailure) {
            let count = try Self.fill(room, from: path)
            guard let bio = BIO_new_mem_buf(room, Int32(count)) else { throw .ofOpenSSL(path) }
            (self.path, self.bio, bytes, self.count) = (path, bio, room, count)
        } catch {
            OPENSSL_cleanse(room, Self.limit)
            room.deallocate()
            throw error
        }
    }

    deinit {
        BIO_free(bio)
        OPENSSL_cleanse(bytes, count)
        bytes.deallocate()
    }

    /// Whether `text` stands anywhere in the file. O(n · m).
    func contains(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        if length > count { return false }
        return (0...(count - length)).contains { memcmp(bytes + $0, text.utf8Start, length) == 0 }
    }

    private static func fill(_ room: UnsafeMutableRawPointer, from path: String) throws(TLSFailure) -> Int {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { throw unreadable(path, errno) }
        defer { close(file) }
        var count = 0
        while count < limit {
            let n = read(file, room + count, limit - count)
            let code = errno
            if n == 0 { return count }
            if n > 0 { count += n } else if code != EINTR { throw unreadable(path, code) }
        }
        throw TLSFailure("\(path): larger than 1 MiB")
    }

    private static func unreadable(_ path: String, _ code: Int32) -> TLSFailure {
        TLSFailure("\(path): cannot be read: \(String(cString: strerror(code)))")
    }
}
