import ChatModel
import SystemIO
import Wire

/// The head of an answer (RFC 9112 section 4), with what every answer of the blob port carries.
struct HTTPResponse {
    private var head: [UInt8]

    /// - Parameter closes: whether the connection ends after it.
    init(_ status: HTTPStatus, closes: Bool) {
        head = Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
        add("Date", Self.date(milliseconds: Clock.milliseconds))
        add("X-Content-Type-Options", "nosniff")
        add("Content-Security-Policy", "sandbox; default-src 'none'")
        if closes { add("Connection", "close") }
    }

    mutating func add(_ name: String, _ value: String) { head += "\(name): \(value)\r\n".utf8 }

    /// The whole head, and behind it a body of text.
    func bytes(body: String = "") -> [UInt8] { head + "\r\n\(body)".utf8 }

    /// IMF-fixdate (RFC 9110 section 5.6.7).
    static func date(milliseconds: Int64) -> String {
        let time = Timestamp(milliseconds: milliseconds)
        var digits = [UInt8](repeating: 0, count: Timestamp.width)
        digits.withUnsafeMutableBytes { time.render(into: $0) }
        let text = String(decoding: digits, as: UTF8.self)
        let (year, month) = (text.prefix(4), Int(text.dropFirst(5).prefix(2)) ?? 1)
        let (day, clock) = (text.dropFirst(8).prefix(2), text.dropFirst(11).prefix(8))
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // 1970 began on a Thursday.
        let weekday = names[Int((milliseconds / 86_400_000) % 7)]
        return "\(weekday), \(day) \(months[month - 1]) \(year) \(clock) GMT"
    }
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
