/// Plays one transcript against a server: sends what is sent, and compares what comes, line by line.
///
/// The lines of one connection must come in the order written, and nothing else between them but notices of presence; no
/// order is implied between connections. At the end each connection still open must have nothing left to say.
package struct TranscriptRunner {
    private let open: (String) throws -> any TranscriptConnection
    private let restart: () throws -> Void
    private var connections: [String: Line] = [:]
    /// Names in the order of their opening: a dictionary has none.
    private var opened: [String] = []
    private var values: [String: String] = [:]

    /// One connection and what is known of its stream.
    private struct Line {
        let wire: any TranscriptConnection
        var isGreeted = false
        var isSkipping = false
    }

    /// - Parameters:
    ///   - open: opens a connection for a name of the transcript.
    ///   - restart: kills the server and starts it on the same data.
    package init(
        open: @escaping (String) throws -> any TranscriptConnection,
        restart: @escaping () throws -> Void
    ) {
        self.open = open
        self.restart = restart
    }

    /// Plays `transcript`; every connection is closed in the end.
    /// - Throws: `TranscriptFailure` at the first difference, or what `open`, `restart` or a connection threw.
    package mutating func play(_ transcript: Transcript) throws {
        defer { closeAll() }
        var index = 0
        while index < transcript.steps.count {
            let step = transcript.steps[index]
            let run = Self.expectations(in: transcript.steps, from: index)
            if run.count > 1 {
                try expect(run)
                index += run.count
            } else {
                try play(step)
                index += 1
            }
        }
        try expectSilence(after: transcript.steps.last?.line ?? transcript.line)
    }

    private mutating func play(_ step: Transcript.Step) throws {
        switch step.action {
        case .signUp(let names):
            for name in names {
                try prepare(name, "SIGNUP name=\(name) \(name)@example.test Secret123", at: step.line)
            }
        case .prepare(let name, let request):
            try prepare(name, request, at: step.line)
        case .send(let name, let line):
            try connect(name).send(TranscriptPattern.fill(line, from: values))
        case .expect, .expectAround:
            try expect([step])
        case .skip(let name):
            _ = try connect(name)
            connections[name]?.isSkipping = true
        case .expectEnd(let name):
            guard let line = try next(of: name, at: step.line) else { return forget(name) }
            throw TranscriptFailure(line: step.line, expected: "the end of \(name)'s connection", got: line)
        case .close(let name):
            connections[name]?.wire.close()
            forget(name)
        case .restart:
            closeAll()
            try restart()
        }
    }

    /// The steps from `index` on that expect lines of one connection, with at least one `<~` among them; else empty.
    private static func expectations(in steps: [Transcript.Step], from index: Int) -> ArraySlice<Transcript.Step> {
        let name = steps[index].action.expects
        guard name != nil else { return [] }
        let run = steps[index...].prefix { $0.action.expects == name }
        return run.contains { $0.action.isAround } ? run : []
    }

    /// Meets expected lines of one connection: those of `<` in their order, those of `<~` wherever they come.
    private mutating func expect(_ run: ArraySlice<Transcript.Step>) throws {
        var ordered = run.filter { !$0.action.isAround }
        var around = run.filter { $0.action.isAround }
        while let step = ordered.first ?? around.first, let name = step.action.expects {
            guard let line = try next(of: name, at: step.line, pattern: step.action.pattern) else {
                throw TranscriptFailure(line: step.line, expected: step.action.text, got: "the end of the connection")
            }
            if let pattern = ordered.first?.action.pattern, pattern.matches(line, values: &values) {
                ordered.removeFirst()
                connections[name]?.isSkipping = false
            } else if let met = around.firstIndex(where: {
                $0.action.pattern?.matches(line, values: &values) ?? false
            }) {
                around.remove(at: met)
            } else if connections[name]?.isSkipping != true {
                throw TranscriptFailure(
                    line: step.line,
                    expected: TranscriptPattern.fill(step.action.text, from: values),
                    got: line
                )
            }
        }
    }

    /// The next line of a connection. Its greeting is passed over, unless the pattern asks for it.
    private mutating func next(
        of name: String,
        at line: Int,
        pattern: TranscriptPattern? = nil
    ) throws -> String? {
        let wire = try connect(name)
        if connections[name]?.isGreeted == false {
            connections[name]?.isGreeted = true
            let greeting = try receive(from: wire, name, at: line, expecting: "HI")
            if let pattern, pattern.text.hasPrefix("HI") { return greeting }
            guard let greeting, greeting.hasPrefix("HI ") else {
                throw TranscriptFailure(line: line, expected: "HI", got: greeting ?? "the end of the connection")
            }
        }
        while true {
            let received = try receive(from: wire, name, at: line, expecting: pattern?.text ?? "the end")
            // Who is there changes when it does.
            guard let received, received.hasPrefix(Self.presence), pattern?.text.hasPrefix(Self.presence) != true else {
                return received
            }
        }
    }

    private static let presence = "EV presence "

    private func receive(
        from wire: any TranscriptConnection,
        _ name: String,
        at line: Int,
        expecting: String
    ) throws -> String? {
        do {
            return try wire.receive()
        } catch {
            throw TranscriptFailure(line: line, expected: expecting, got: "nothing for \(name): \(error)")
        }
    }

    /// Sends a request that is not part of the example and waits for its OK. A PING on every connection then takes away
    /// the events it made.
    private mutating func prepare(_ name: String, _ request: String, at line: Int) throws {
        try ask(name, TranscriptPattern.fill(request, from: values), at: line)
        for name in opened { try ask(name, "PING settled", at: line) }
    }

    private mutating func ask(_ name: String, _ request: String, at line: Int) throws {
        try connect(name).send(request)
        while true {
            let answer = try next(of: name, at: line)
            if let answer, answer.hasPrefix("OK") { return }
            if let answer, answer.hasPrefix("EV ") || answer.hasPrefix("ROW ") { continue }
            throw TranscriptFailure(
                line: line,
                expected: "OK to \(request)",
                got: answer ?? "the end of the connection"
            )
        }
    }

    private mutating func expectSilence(after line: Int) throws {
        for name in opened {
            guard let connection = connections[name], !connection.isSkipping else { continue }
            try connection.wire.send("@silence PING end")
            let answer = try next(of: name, at: line)
            guard answer == "OK @silence pong=end" else {
                throw TranscriptFailure(
                    line: line,
                    expected: "nothing more for \(name)",
                    got: answer ?? "the end of the connection"
                )
            }
        }
    }

    private mutating func connect(_ name: String) throws -> any TranscriptConnection {
        if let connection = connections[name] { return connection.wire }
        let wire = try open(name)
        connections[name] = Line(wire: wire)
        opened.append(name)
        return wire
    }

    private mutating func forget(_ name: String) {
        connections[name] = nil
        opened.removeAll { $0 == name }
    }

    private mutating func closeAll() {
        for name in opened { connections[name]?.wire.close() }
        connections = [:]
        opened = []
    }
}
