import ChatModel
import Wire

/// The head of an answer (RFC 9112 section 4), with what every answer of the blob port carries.
struct HTTPResponse {
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - date: of now, as `HTTPClock` writes it.
    ///   - closes: whether the connection ends after it.
    ///   - isTus: whether it answers a request of tus, which is told the version.
    init(_ status: HTTPStatus, date: String, closes: Bool, isTus: Bool = false) {
        bytes.reserveCapacity(640)
        append("HTTP/1.1 ")
        append(String(status.rawValue))
        append(" ")
        append(status.reason)
        append("\r\nDate: ")
        append(date)
        append("\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: sandbox; default-src 'none'\r\n")
        if closes { append("Connection: close\r\n") }
        if isTus { add("Tus-Resumable", TusRequest.version) }
    }

    mutating func add(_ name: StaticString, _ value: String) {
        append(name)
        append(": ")
        append(value)
        append("\r\n")
    }

    /// Ends the head.
    mutating func end() { append("\r\n") }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    @_disfavoredOverload
    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension HTTPResponse {
    /// Kinds of files that a browser shows without running anything in them.
    private static let inert = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "audio/mpeg", "audio/ogg",
    ]

    /// What a browser is told of a blob: all but the inert kinds is something to save, whatever it claims to be.
    mutating func describe(_ record: BlobRecord) {
        let isInert = Self.inert.contains(record.type)
        add("Content-Type", isInert ? record.type : "application/octet-stream")
        append("Content-Disposition: ")
        append(isInert ? "inline" : "attachment" as StaticString)
        append("; filename*=UTF-8''")
        append(BlobName.percentEncoded(record.name))
        append("\r\n")
    }
}
