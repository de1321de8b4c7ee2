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
        bytes += "HTTP/1.1 \(status.rawValue) \(status.reason)\r\nDate: \(date)\r\n".utf8
        bytes += Self.always
        if closes { bytes += "Connection: close\r\n".utf8 }
        if isTus { bytes += "Tus-Resumable: \(TusRequest.version)\r\n".utf8 }
    }

    private static let always = Array(
        "X-Content-Type-Options: nosniff\r\nContent-Security-Policy: sandbox; default-src 'none'\r\n".utf8
    )

    mutating func add(_ name: String, _ value: String) {
        bytes += name.utf8
        bytes += ": ".utf8
        bytes += value.utf8
        bytes += "\r\n".utf8
    }

    /// Ends the head.
    mutating func end() { bytes += "\r\n".utf8 }
}

extension HTTPResponse {
    /// Kinds of files that a browser shows without running anything in them.
    private static let inert: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "audio/mpeg", "audio/ogg",
    ]

    /// What a browser is told of a blob: all but the inert kinds is something to save, whatever it claims to be.
    mutating func describe(_ record: BlobRecord) {
        let isInert = Self.inert.contains(record.type)
        add("Content-Type", isInert ? record.type : "application/octet-stream")
        let name = BlobName.percentEncoded(record.name)
        add("Content-Disposition", "\(isInert ? "inline" : "attachment"); filename*=UTF-8''\(name)")
    }
}
