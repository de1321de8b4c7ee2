extension TestClient {
    /// Sends one request with a tag of its own and waits for its reply.
    package func request(_ text: String, within seconds: Double? = nil) throws(ClientFailure) -> Reply {
        let tag = try begin(text)
        return try reply(to: tag, text, within: seconds)
    }

    /// Sends one request with a tag of its own and does not wait; the tag.
    package func begin(_ text: String) throws(ClientFailure) -> String {
        let tag = freshTag()
        try send("@\(tag) \(text)\n")
        return tag
    }

    /// The reply to the oldest unanswered request, which has this tag (nil: none). Events on the way are kept.
    package func reply(
        to tag: String?,
        _ request: String = "",
        within seconds: Double? = nil
    ) throws(ClientFailure) -> Reply {
        let end = monotonicSeconds() + (seconds ?? patience)
        var rows: [ReceivedLine] = []
        while true {
            let line = try line(
                within: end - monotonicSeconds(),
                for: "the reply to \(request.isEmpty ? tag ?? "" : request)"
            )
            switch line.word {
            case "EV":
                guard rows.isEmpty else { throw .outOfPlace("an event inside a reply: \(line.raw)") }
                events.append(line)
            case "ROW":
                guard line.tag == tag else { throw .outOfPlace("waiting for \(tag ?? "-"): \(line.raw)") }
                rows.append(line)
            case "OK", "ERR", "ASK":
                guard line.tag == tag else { throw .outOfPlace("waiting for \(tag ?? "-"): \(line.raw)") }
                return Reply(request: request, rows: rows, final: line)
            case "BYE": return Reply(request: request, rows: rows, final: line)
            default: throw .outOfPlace(line.raw)
            }
        }
    }

    /// A request that must be granted.
    @discardableResult
    package func ok(_ text: String, within seconds: Double? = nil) throws(ClientFailure) -> Reply {
        let reply = try request(text, within: seconds)
        guard reply.isOK else { throw .unexpected(reply) }
        return reply
    }

    /// The rows of a request that must be granted.
    package func rows(_ text: String) throws(ClientFailure) -> [ReceivedLine] { try ok(text).rows }

    /// The ERR of a request that must be refused.
    package func refusal(_ text: String) throws(ClientFailure) -> ReceivedLine {
        let reply = try request(text)
        guard reply.final.isRefusal else { throw .unexpected(reply) }
        return reply.final
    }

    /// Sends many requests at once, each with a tag, and gives their replies in order.
    package func pipeline(_ texts: [String], within seconds: Double = 60) throws(ClientFailure) -> [Reply] {
        let end = monotonicSeconds() + seconds
        var replies: [Reply] = []
        var from = 0
        while from < texts.count {
            let part = texts[from..<min(texts.count, from + 100)]
            let tags = part.map { _ in freshTag() }
            try send(zip(tags, part).map { "@\($0) \($1)\n" }.joined())
            for (tag, text) in zip(tags, part) {
                replies.append(try reply(to: tag, text, within: end - monotonicSeconds()))
            }
            from += part.count
        }
        return replies
    }
}
