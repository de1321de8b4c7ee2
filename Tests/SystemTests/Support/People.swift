import ChatTesting
import Foundation
import Testing

/// The canonical name of the 1:1 of two users.
func oneToOne(_ one: TestClient, _ other: TestClient) -> String {
    "@" + [one.user, other.user].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ",")
}

/// Seconds between two times of the server; nil when one of them is none.
func seconds(from start: String?, to end: String?) -> Double? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let start = try? style.parse(start ?? ""), let end = try? style.parse(end ?? "") else { return nil }
    return end.timeIntervalSince(start)
}

extension TestClient {
    /// Who is in a conversation, each as `user role`, by MEMBERS.
    func roles(in conversation: String) throws -> Set<String> {
        Set(try rows("MEMBERS \(conversation)").map { "\($0["user"] ?? "") \($0["role"] ?? "")" })
    }

    /// What CONVS tells of a conversation; nil when it is none of this user's.
    func row(of conversation: String) throws -> ReceivedLine? {
        try rows("CONVS limit=200").first { $0["conv"] == conversation }
    }

    /// A message as it reads now, by HISTORY.
    func message(_ seq: Int, in conversation: String) throws -> ReceivedLine {
        try #require(try rows("HISTORY around=\(seq) limit=1 \(conversation)").first { $0.seq == seq })
    }

    /// Waits for the event that `reply` told of: it has the reply's conversation, seq and time, and these pairs.
    @discardableResult
    func expectEvent(
        _ kind: String,
        of reply: Reply,
        _ pairs: [String: String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ReceivedLine {
        let conversation = try #require(reply["conv"], sourceLocation: sourceLocation)
        #expect(reply.seq > 0 && isTime(reply["ts"]), "\(reply)", sourceLocation: sourceLocation)
        let event = try #require(
            try event(kind, ["conv": conversation, "seq": "\(reply.seq)"]),
            "no \(kind) for \(reply)",
            sourceLocation: sourceLocation
        )
        #expect(event.has(pairs) && event["ts"] == reply["ts"], "\(event)", sourceLocation: sourceLocation)
        return event
    }

    /// True when nothing of this conversation's log comes, before a PING sent now is answered and a moment after.
    func hearsNothing(of conversation: String, for seconds: Double = 0.2) throws -> Bool {
        try ok("PING quiet")
        return try logEvents(of: conversation, count: 1, within: seconds).isEmpty
    }
}
