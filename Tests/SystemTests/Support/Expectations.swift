import ChatTesting
import Testing

/// The closed list of protocol.md, "Lines".
let codes: Set<String> = [
    "BAD-LINE", "BAD-VERB", "BAD-ARG", "TOO-LONG", "TOO-BIG", "NEED-TLS", "NEED-AUTH", "BAD-AUTH", "DENIED",
    "NOT-FOUND",
    "EXISTS", "CONFLICT", "GONE", "LIMIT", "QUOTA", "BUSY", "SHUTDOWN", "INTERNAL",
]

/// Codes that say that the same request will fail again.
private let lasting: Set<String> = ["BAD-LINE", "BAD-VERB", "BAD-ARG", "TOO-LONG", "EXISTS", "NOT-FOUND", "DENIED"]

extension TestClient {
    /// Sends a request that must be refused with this code, at this field, and looks at the form of the ERR.
    @discardableResult
    func expectRefusal(
        _ request: String,
        _ code: String,
        field: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ReceivedLine {
        let reply = try self.request(request)
        reply.final.expectRefusal(code, field: field, to: request, sourceLocation: sourceLocation)
        return reply.final
    }

    /// The texts of the messages a conversation has, oldest first, by HISTORY in pages.
    func allTexts(of conversation: String) throws -> [String] {
        var pages: [[ReceivedLine]] = []
        var before = ""
        while true {
            let page = try ok("HISTORY \(before)limit=200 \(conversation)")
            pages.append(page.rows)
            guard page["more"] == "yes", let first = page.rows.first else { break }
            before = "before=\(first.seq) "
        }
        return pages.reversed().flatMap { $0 }.map { $0.text ?? "" }
    }
}

extension ReceivedLine {
    /// This line is an ERR in the form that protocol.md gives it, with this code.
    func expectRefusal(
        _ code: String,
        field: String? = nil,
        to request: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let about = Comment("\(request.prefix(200).debugDescription) -> \(raw.prefix(300))")
        #expect(word == "ERR", about, sourceLocation: sourceLocation)
        guard word == "ERR" else { return }
        #expect(self.code == code, about, sourceLocation: sourceLocation)
        #expect(codes.contains(self.code ?? ""), about, sourceLocation: sourceLocation)
        if let field { #expect(self["field"] == field, about, sourceLocation: sourceLocation) }
        #expect(!(human ?? "").isEmpty, about, sourceLocation: sourceLocation)
        let retry = self["retry"] ?? ""
        if lasting.contains(self.code ?? "") {
            #expect(retry == "no", about, sourceLocation: sourceLocation)
        } else {
            let isKnown = retry == "no" || retry == "now" || (Int(retry).map { $0 > 0 } ?? false)
            #expect(isKnown, about, sourceLocation: sourceLocation)
        }
    }
}

/// True for an RFC 3339 time in UTC with milliseconds.
func isTime(_ text: String?) -> Bool {
    text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
}

/// True for an RFC 3339 time, and for each of the events or rows after the first that it does not go back.
func timesNeverGoBack(_ lines: [ReceivedLine]) -> Bool {
    let times = lines.map { $0["ts"] ?? "" }
    return times.allSatisfy { isTime($0) } && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
}
