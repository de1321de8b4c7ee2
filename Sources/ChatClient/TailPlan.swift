import Wire

/// What `tail` asks for and what it shows: subscriptions over any number of connections, without loss or doubles.
///
/// Pure: the program sends the requests it is given and hands back what the server says.
package struct TailPlan {
    /// Where the stream begins.
    package enum Start: Equatable, Sendable {
        case now
        case since(UInt64)
        case last(UInt64)
        /// For all conversations only: an RFC 3339 time.
        case time(String)
    }

    /// What a reply to a subscription, or a notice, means for the program.
    package enum Step: Equatable {
        case goOn
        /// Send this too.
        case ask(Request)
        /// The connection is of no use now; try again later, after `seconds` when the server said so.
        case tryLater(code: String, seconds: UInt64?)
        /// The end: nothing is left to follow, or the server refuses.
        case refused(ServerLine)
    }

    private enum Target {
        case named
        case all
    }

    private let target: Target
    private let start: Start
    private var user = ""
    /// As given by the person, without those that came to an end.
    private var open: [String]
    /// The server's spelling of a name as given.
    private var canonical: [String: String] = [:]
    private var points: [String: ResumePoint] = [:]
    private var everConnected = false
    private var logID: String?
    /// With all conversations: a time of the server before which everything was shown.
    private var safeTime: String?
    private var catchUp: CatchUp?
    /// What the person should be told; the program takes it.
    package private(set) var notes: [String] = []

    /// Which conversations still have missed events to come, and the time that is safe once they have come.
    private struct CatchUp {
        var next: [String: UInt64]
        let time: String?
    }

    /// Follows the conversations of these names.
    package init(conversations: [String], start: Start) {
        (target, self.start, open) = (.named, start, conversations)
    }

    /// Follows all conversations, present and future.
    package init(allFrom start: Start) {
        (target, self.start, open) = (.all, start, [])
        if case .time(let time) = start { safeTime = time }
    }

    /// Follows these from now on; all when none is named.
    package static func following(_ conversations: [String]) -> TailPlan {
        conversations.isEmpty ? TailPlan(allFrom: .now) : TailPlan(conversations: conversations, start: .now)
    }

    /// Takes what there is to tell, and forgets it.
    package mutating func takeNotes() -> [String] {
        defer { notes = [] }
        return notes
    }

    /// The requests of a new connection, each with the conversation it is for ("" for all).
    package mutating func connected(
        hello: ServerLine,
        user: String
    ) throws(Request.Fault) -> [(conversation: String, request: Request)] {
        self.user = user
        let log = hello["log"]
        if everConnected, log != logID {
            notes.append("the server's log is another one now (restored or repaired); messages may be missing")
        }
        logID = log
        defer { everConnected = true }
        switch target {
        case .all:
            catchUp = CatchUp(next: [:], time: hello["time"])
            let since = safeTime.map { [Request.Option("since", $0)] } ?? []
            return [("", Request(fixed: "SUB", options: [.init("all", "yes")] + since))]
        case .named:
            var requests: [(conversation: String, request: Request)] = []
            for name in open { requests.append((name, try subscription(of: name))) }
            return requests
        }
    }

    private func subscription(of name: String) throws(Request.Fault) -> Request {
        var options: [Request.Option] = []
        if let resume = points[canonical[name] ?? ""]?.resume {
            options = [.init("since", "\(resume)")]
        } else {
            switch start {
            case .now, .time: break
            case .since(let seq): options = [.init("since", "\(seq)")]
            case .last(let count): options = [.init("last", "\(count)")]
            }
        }
        return try Request("SUB", options: options, arguments: [name])
    }

    /// The reply to the request for `name` has come.
    package mutating func subscribed(_ name: String, rows: [ServerLine], end: ServerLine) throws(Request.Fault) -> Step
    {
        if end.word == .error { return try refused(name, end) }
        if target == .all { return subscribedToAll(rows) }
        guard let conv = end["conv"], let next = end.number("next") else { return .goOn }
        canonical[name] = conv
        let newest = next > 0 ? next - 1 : 0
        guard points[conv] == nil else { return .goOn }
        switch start {
        case .now, .time: points[conv] = ResumePoint(after: newest)
        case .since(let seq): points[conv] = ResumePoint(after: seq)
        case .last(let count):
            var point = ResumePoint()
            point.begin(behind: newest - min(newest, count))
            points[conv] = point
        }
        return .goOn
    }

    private mutating func subscribedToAll(_ rows: [ServerLine]) -> Step {
        let isFirst = safeTime == nil
        for row in rows {
            guard row.kind == "sub", let conv = row["conv"], let next = row.number("next"), next > 0 else { continue }
            if isFirst, points[conv] == nil { points[conv] = ResumePoint(after: next - 1) }
            catchUp?.next[conv] = next
        }
        if isFirst { safeTime = catchUp?.time }
        concludeCatchUp()
        return .goOn
    }

    /// Once everything missed has been shown, the next resume need not go back further than this connection.
    private mutating func concludeCatchUp() {
        guard let pending = catchUp else { return }
        for (conv, next) in pending.next where points[conv]?.shown.map({ $0 + 1 >= next }) == true {
            catchUp?.next[conv] = nil
        }
        guard catchUp?.next.isEmpty == true else { return }
        if let time = pending.time { safeTime = time }
        catchUp = nil
    }

    private mutating func refused(_ name: String, _ end: ServerLine) throws(Request.Fault) -> Step {
        let code = end.kind ?? "INTERNAL"
        if let seq = end.number(code == "GONE" ? "first" : "next"), seq > 0, !name.isEmpty {
            let isResumed = points[canonical[name] ?? ""] != nil
            if code == "GONE" {
                notes.append("\(name): what was before \(seq) is no longer kept")
                canonical[name] = canonical[name] ?? name
                points[canonical[name] ?? name] = ResumePoint(after: seq - 1)
                return .ask(try subscription(of: name))
            }
            if code == "CONFLICT", isResumed {
                notes.append("\(name): the server's newest is \(seq - 1) now; going on from there")
                points[canonical[name] ?? name]?.jump(behind: seq - 1)
                return .ask(try subscription(of: name))
            }
        }
        if ["BUSY", "SHUTDOWN", "LIMIT", "INTERNAL"].contains(code), end["retry"] != "no", !points.isEmpty {
            return .tryLater(code: code, seconds: end.number("retry"))
        }
        guard !points.isEmpty, ["NOT-FOUND", "DENIED"].contains(code) else { return .refused(end) }
        let isLeft = points[canonical[name] ?? ""] != nil
        let why = isLeft ? "you are no longer in it" : "there is no such thing, or not for you"
        notes.append("\(name): \(code): \(why)")
        return close(name, because: end)
    }

    private mutating func close(_ name: String, because line: ServerLine) -> Step {
        open.removeAll { $0 == name }
        return open.isEmpty && target == .named ? .refused(line) : .goOn
    }

    /// Whether an event is to be shown: one of a conversation's log that has not been shown yet.
    package mutating func shows(_ event: ServerLine) -> Bool {
        guard let conv = event["conv"] else { return false }
        if event.kind == "gone", let first = event.number("first"), first > 0 {
            notes.append("\(conv): what was before \(first) is no longer kept")
            points[conv, default: ResumePoint()].jump(behind: first - 1)
            return false
        }
        guard let seq = event.number("seq"), event.kind != "seen" else { return false }
        guard points[conv, default: ResumePoint()].accept(seq) else { return false }
        if catchUp != nil { concludeCatchUp() }
        return true
    }

    /// What an event that was shown means for the stream: after one's own leaving it brings nothing more.
    package mutating func afterwards(_ event: ServerLine) -> Step {
        guard target == .named, let conv = event["conv"] else { return .goOn }
        let ends: Bool
        switch event.kind {
        case "drop": ends = true
        case "leave": ends = event["by"] == user
        case "eject", "ban": ends = event["user"] == user
        default: ends = false
        }
        guard ends, let name = open.first(where: { canonical[$0] == conv }) else { return .goOn }
        open.removeAll { canonical[$0] == conv && $0 != name }
        return close(
            name,
            because: ServerLine(word: .error, words: ["DENIED"], human: "you are no longer in \(conv)")
        )
    }
}
