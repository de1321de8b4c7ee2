import ChatClient
import SystemIO

/// Standard input as messages, one a line. Blank lines are none: they are skipped.
struct InputLines {
    /// Bytes of a line at most; the server's limit is far below.
    private static let limit = 1 << 20

    static let standardInput: Int32 = 0
    private var breaker = LineBreaker(limit: limit)
    private(set) var isEnded = false

    /// Reads what is there; to be called when standard input is readable.
    mutating func read() throws(Failure) -> [String] {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.chunk(Self.standardInput, atMost: 65_536)
        } catch {
            if error.isTryAgain { return [] }
            throw Failure(.usage, "standard input: \(error)")
        }
        var lines = bytes.withUnsafeBytes { breaker.take($0) }
        if breaker.isOverlong { throw Failure(.usage, "standard input: a line is longer than \(Self.limit) bytes") }
        if bytes.isEmpty {
            isEnded = true
            if let last = breaker.finish() { lines.append(last) }
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }.filter { !Self.isBlank($0) }
    }

    private static func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
