import ChatClient
import Glibc
import SystemIO
import Wire

/// A file on its way to the server with PUT-BLOB (protocol.md): its bytes follow the request on the same connection, at
/// most a few at a time in memory.
final class FileUpload {
    /// Bytes that may wait for the connection.
    private static let pendingLimit = 256 << 10

    let name: String
    /// Bytes of the file, as promised to the server.
    let size: UInt64
    let type: String
    private let file: Descriptor
    private let path: String
    private var left: UInt64

    /// - Parameter limit: what the server takes at most, in bytes; nil when it did not say.
    /// - Throws: `Failure` for what is no readable file, or a too big one.
    init(_ path: String, limit: UInt64?) throws(Failure) {
        let shown = VisibleText.line(path)
        do {
            // A named pipe without a writer would wait here for ever.
            let number = try retrying("open") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            file = Descriptor(owning: number)
            var status = stat()
            try retrying("stat") { fstat(number, &status) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.usage, "\(shown) is no ordinary file") }
            size = UInt64(max(0, status.st_size))
            let first = try Self.head(number)
            type = FileType.of(name: path, first: first)
        } catch let error as Errno {
            throw Failure(.usage, "\(shown): \(error)")
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.usage, "\(shown): \(error)")
        }
        if size == 0 { throw Failure(.usage, "\(shown) is empty") }
        if let limit, size > limit {
            throw Failure(.refused, "TOO-BIG: \(shown) has \(size) bytes, the server takes \(limit)")
        }
        (self.path, left) = (shown, size)
        name = path.split(separator: "/").last.map(String.init) ?? "file"
    }

    private static func head(_ descriptor: Int32) throws(Errno) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 512)
        let got = try retrying("pread") {
            room.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        }
        return Array(room.prefix(got))
    }

    /// The request that the bytes follow.
    /// - Parameter conversation: where it will be sent, so that the server can say no before the bytes.
    func request(for conversation: String? = nil) -> Request {
        var options = [Request.Option("size", "\(size)"), .init("type", type), .init("name", name)]
        if let conversation { options.append(.init("conv", conversation)) }
        return Request(fixed: "PUT-BLOB", options: options)
    }

    /// Whether all bytes were handed to the connection.
    var isComplete: Bool { left == 0 }

    /// Bytes that have left, as far as this side can tell.
    func sentCount(_ connection: Connection) -> UInt64 {
        size - left - min(size - left, UInt64(connection.unsentCount))
    }

    /// Hands so many bytes to the connection as may wait there.
    /// - Throws: `Failure` when the file cannot be read to the size that was promised; the connection is of no use then.
    func fill(_ connection: Connection) throws(Failure) {
        while left > 0, connection.unsentCount < Self.pendingLimit {
            let bytes: [UInt8]
            do {
                bytes = try FileBytes.chunk(file.number, atMost: Int(min(left, 65_536)))
            } catch {
                throw Failure(.usage, "\(path): \(error)")
            }
            if bytes.isEmpty { throw Failure(.usage, "\(path) has become shorter while it was sent") }
            left -= UInt64(bytes.count)
            connection.queue(bytes)
        }
    }
}
