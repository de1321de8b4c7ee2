extension TestClient {
    /// The next event of this kind (nil: any) with these pairs, or nil when none comes in time.
    ///
    /// Earlier events that do not fit are dropped.
    package func event(
        _ kind: String? = nil,
        within seconds: Double = 10,
        _ pairs: [String: String] = [:]
    ) throws(ClientFailure) -> ReceivedLine? {
        let end = monotonicSeconds() + seconds
        while true {
            while !events.isEmpty {
                let event = events.removeFirst()
                if kind == nil || event.kind == kind, event.has(pairs) { return event }
            }
            guard let line = try lineOrNothing(within: end - monotonicSeconds()) else { return nil }
            guard line.word == "EV" else { throw .outOfPlace("waiting for an event: \(line.raw)") }
            events.append(line)
        }
    }

    /// Events of this kind until there are `count`, in order; fewer when time runs out.
    package func events(
        _ kind: String,
        count: Int,
        within seconds: Double = 30
    ) throws(ClientFailure) -> [ReceivedLine] {
        let end = monotonicSeconds() + seconds
        var found: [ReceivedLine] = []
        while found.count < count, let event = try event(kind, within: end - monotonicSeconds()) { found.append(event) }
        return found
    }

    /// The next `count` events of a conversation's log, of any kind; notices outside the log are left out.
    package func logEvents(
        of conversation: String,
        count: Int,
        within seconds: Double = 30
    ) throws(ClientFailure) -> [ReceivedLine] {
        let end = monotonicSeconds() + seconds
        var found: [ReceivedLine] = []
        while found.count < count,
            let event = try event(within: end - monotonicSeconds(), ["conv": conversation])
        {
            if event.seq > 0 { found.append(event) }
        }
        return found
    }

    /// True when no event of this kind (nil: any but presence) comes before the reply to a PING sent now.
    ///
    /// A PING answered is proof for what was decided before it, without waiting for luck; for what other connections
    /// cause later give `seconds` as well.
    package func hearsNothing(_ kind: String? = nil, for seconds: Double = 0) throws(ClientFailure) -> Bool {
        if seconds > 0, try heard(kind, within: seconds) { return false }
        try ok("PING quiet")
        return try !heard(kind, within: 0.05)
    }

    private func heard(_ kind: String?, within seconds: Double) throws(ClientFailure) -> Bool {
        let end = monotonicSeconds() + seconds
        while let event = try event(kind, within: end - monotonicSeconds()) {
            if kind != nil || event.kind != "presence" { return true }
        }
        return false
    }

    private func lineOrNothing(within seconds: Double) throws(ClientFailure) -> ReceivedLine? {
        guard seconds > 0 else { return nil }
        do { return try line(within: seconds, for: "an event") } catch {
            if case .timedOut = error { return nil }
            throw error
        }
    }

    /// Every line until the server ends the stream.
    package func restOfStream(within seconds: Double = 15) throws(ClientFailure) -> [ReceivedLine] {
        let end = monotonicSeconds() + seconds
        var lines: [ReceivedLine] = []
        while true {
            do { lines.append(try line(within: end - monotonicSeconds(), for: "the end of the stream")) } catch {
                guard case .ended(let rest) = error, rest.isEmpty else { throw error }
                return lines
            }
        }
    }

    /// True when the server ends this connection in time, by BYE, FIN or reset.
    package func isEnded(within seconds: Double = 15) -> Bool {
        let end = monotonicSeconds() + seconds
        while true {
            do { _ = try line(within: max(0, end - monotonicSeconds()), for: "the end") } catch {
                if case .timedOut = error { return false }
                return true
            }
        }
    }
}
