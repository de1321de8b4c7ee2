import Bytes
import SystemIO

/// The checksum of a file's first bytes, read in pieces, so that memory stays flat.
package enum FileDigest {
    static let pieceSize = 256 << 10

    /// Hands the first `byteCount` bytes of the file at `path` to `body`, in pieces that are valid during the call.
    /// - Throws: `JournalFault` about `shown`: damage when it is missing or shorter, a failed call, or what `body` throws.
    static func forEachPiece(
        of path: String,
        shown: String,
        byteCount: UInt64,
        _ body: (UnsafeRawBufferPointer) throws(JournalFault) -> Void
    ) throws(JournalFault) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
        defer { memory.deallocate() }
        let file = try open(path, shown)
        var at: UInt64 = 0
        while at < byteCount {
            let count = Int(min(byteCount - at, UInt64(pieceSize)))
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
            let place = at
            let n = try naming(shown) { () throws(Errno) in try file.read(into: room, at: place) }
            if n < count {
                let reason = "it ends here and should have \(byteCount) bytes"
                throw .damage(file: shown, offset: at + UInt64(n), reason: reason)
            }
            try body(UnsafeRawBufferPointer(room))
            at += UInt64(n)
        }
    }

    private static func open(_ path: String, _ shown: String) throws(JournalFault) -> File {
        do throws(Errno) { return try File(path, .read) } catch {
            if error.isMissing { throw .damage(file: shown, offset: 0, reason: "it is missing") }
            throw .system(file: shown, error)
        }
    }

    /// - Returns: the checksum of the first `byteCount` bytes, in hexadecimal digits.
    /// - Throws: `JournalFault` as above.
    package static func hex(
        of path: String,
        shown: String,
        byteCount: UInt64,
        _ digest: any ByteDigest
    ) throws(JournalFault) -> String {
        var digest = digest
        try forEachPiece(of: path, shown: shown, byteCount: byteCount) { digest.update($0) }
        return digest.hex()
    }

    /// Bytes in the file at `path`; nil when there is none.
    package static func size(of path: String, shown: String) throws(JournalFault) -> UInt64? {
        do throws(Errno) { return try File(path, .read).size() } catch {
            if error.isMissing { return nil }
            throw .system(file: shown, error)
        }
    }
}
