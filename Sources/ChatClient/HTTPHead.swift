/// The head of an HTTP/1.1 response (RFC 9112), as strict as a client may be that knows its server.
package struct HTTPHead: Equatable, Sendable {
    package let status: Int
    /// Names in lower case; the first of several of one name counts.
    private let fields: [String: String]

    package subscript(name: String) -> String? { fields[name] }

    /// Bytes of a head at most.
    package static let limit = 32 << 10

    package enum Outcome: Equatable, Sendable {
        case incomplete
        /// The head, and how many bytes it took.
        case complete(HTTPHead, count: Int)
        case malformed
    }

    /// Looks for a head at the beginning of `bytes`. O(n).
    package static func parse(_ bytes: [UInt8]) -> Outcome {
        guard let end = bytes.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
            return bytes.count > limit ? .malformed : .incomplete
        }
        guard end.lowerBound <= limit, let text = String(validating: bytes[..<end.lowerBound], as: UTF8.self) else {
            return .malformed
        }
        let lines = text.unicodeScalars.split(separator: "\r\n".unicodeScalars, omittingEmptySubsequences: false)
            .map { String($0) }
        guard let head = HTTPHead(lines) else { return .malformed }
        return .complete(head, count: end.upperBound)
    }

    private init?(_ lines: [String]) {
        let start = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard start.count >= 2, start[0] == "HTTP/1.1", start[1].utf8.count == 3, let status = Int(start[1]),
            (100...599).contains(status)
        else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, line.first != " ", line.first != "\t"
            else { return nil }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            if name == "content-length", let earlier = fields[name], earlier != String(value) { return nil }
            fields[name] = fields[name] ?? String(value)
        }
        (self.status, self.fields) = (status, fields)
    }

    /// Bytes of the body; nil when the head does not say it in plain digits, or the body comes in another way.
    package var length: UInt64? {
        guard fields["transfer-encoding"] == nil, let text = fields["content-length"],
            (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return UInt64(text)
    }
}
