import ChatTesting

/// A server's side of one connection, written down beforehand: what it says first, and after which request it says what.
final class ScriptedConnection: TranscriptConnection {
    struct Nothing: Error {}

    private var waiting: [String]
    private let answers: [String: [String]]
    private(set) var sent: [String] = []
    private(set) var isClosed = false
    /// What is said when nothing waits: the end, or silence.
    private let ends: Bool

    init(_ waiting: [String] = ["HI proto=1"], answers: [String: [String]] = [:], ends: Bool = false) {
        self.waiting = waiting
        self.answers = answers
        self.ends = ends
    }

    func send(_ line: String) {
        sent.append(line)
        waiting += answers[line] ?? (line == "@silence PING end" ? ["OK @silence pong=end"] : [])
    }

    func receive() throws -> String? {
        if waiting.isEmpty {
            if ends { return nil }
            throw Nothing()
        }
        return waiting.removeFirst()
    }

    func close() { isClosed = true }
}
