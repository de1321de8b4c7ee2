import Bytes
import Transport

/// The blob port on one loop: HTTP/1.1, which answers every request with 503 until blobs are served. Confined to its
/// loop.
package final class BlobFrontEnd: ConnectionHandler {
    /// Bytes a request's head may have (RFC 9112 section 3).
    private static let headLimit = 16384
    /// Seconds from accept to the end of the head.
    private static let headSeconds: UInt64 = 30

    package init() {}

    package var plainTextAnswer: StaticString {
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\nX-Content-Type-Options: nosniff\r\n\r\n"
    }

    package func opened(_ connection: Connection) {
        connection.deadline = connection.loop.seconds + Self.headSeconds
    }

    package func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int {
        if Self.hasHead(bytes) {
            answer(connection, "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\n")
            return bytes.count
        }
        if bytes.count <= Self.headLimit { return 0 }
        answer(connection, "HTTP/1.1 431 Request Header Fields Too Large\r\n")
        return bytes.count
    }

    package func inputEnded(_ connection: Connection, _ rest: UnsafeRawBufferPointer) { connection.finish() }
    package func writable(_ connection: Connection) {}
    package func closed(_ connection: Connection) {}
    package func expired(_ connection: Connection) { connection.abort() }

    private static func hasHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while let end = LineSplitter.lineEnd(in: bytes, from: at) {
            let isEmpty = end == at || (end == at + 1 && bytes[at] == 0x0D)
            if isEmpty, at > 0 { return true }
            at = end + 1
        }
        return false
    }

    private func answer(_ connection: Connection, _ status: StaticString) {
        var out = ByteBuffer()
        out.append(status)
        out.append("Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 22\r\n")
        out.append("X-Content-Type-Options: nosniff\r\n\r\n")
        out.append("blobs are not served\r\n")
        connection.write(out.readable)
        connection.finish()
    }
}
