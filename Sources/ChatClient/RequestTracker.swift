import Wire

/// Which answer belongs to which request: hands out tags, gathers the rows of a reply until its end.
///
/// Replies are contiguous and come in the order of the requests (protocol.md, Lines); `Purpose` is whatever the owner
/// wants back with the answer.
package struct RequestTracker<Purpose> {
    /// What a server line means to the one who asked.
    package enum Outcome {
        /// The reply is complete: its OK or ERR, and the rows before it.
        case reply(Purpose, rows: [ServerLine], end: ServerLine)
        /// The server wants the next line as the answer to this request; its reply is still to come.
        case ask(Purpose, ServerLine)
        case event(ServerLine)
        case bye(ServerLine)
        /// The greeting, a row that belongs to a reply under way, or what answers nothing that was asked.
        case nothing
    }

    private var open: [String: Purpose] = [:]
    private var rows: [ServerLine] = []
    private var issued: UInt64 = 0

    package init() {}

    /// Requests without an answer yet.
    package var openCount: Int { open.count }

    /// The line to send for `request`, with a tag of its own.
    package mutating func issue(_ request: Request, for purpose: Purpose) -> String {
        issued += 1
        let tag = "c\(issued)"
        open[tag] = purpose
        return request.line(tag: tag)
    }

    /// Takes the next server line.
    package mutating func take(_ line: ServerLine) -> Outcome {
        switch line.word {
        case .event: return .event(line)
        case .bye: return .bye(line)
        case .hello: return .nothing
        case .row:
            if line.tag.map({ open[$0] != nil }) == true { rows.append(line) }
            return .nothing
        case .ask:
            guard let purpose = line.tag.flatMap({ open[$0] }) else { return .nothing }
            return .ask(purpose, line)
        case .ok, .error:
            defer { rows = [] }
            guard let purpose = line.tag.flatMap({ open.removeValue(forKey: $0) }) else { return .nothing }
            return .reply(purpose, rows: rows.filter { $0.tag == line.tag }, end: line)
        }
    }

    /// Forgets all that is open, because the connection is gone. Tags are not used again.
    package mutating func forgetAll() {
        open = [:]
        rows = []
    }
}
