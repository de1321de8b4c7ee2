import Wire

/// Which messages `fcc notify` runs a command for, in which order, and what the command is told of each.
///
/// Pure: the program feeds it events of the log and takes one message after the other.
package struct NotifyPlan {
    /// Messages that wait at most.
    package static let capacity = 100
    /// Bytes of a text in the environment; the kernel takes no string above 128 KiB (execve(2)).
    private static let textLimit = 65_536

    private let muted: Set<String>
    private var waiting: [ServerLine] = []
    /// Messages dropped since the last one was taken.
    private var dropped = 0
    /// What the person should be told; the program takes it.
    package private(set) var notes: [String] = []

    /// - Parameter muted: conversations of which nothing is told, as the person calls them.
    package init(muted: [String]) { self.muted = Set(muted.map { $0.lowercased() }) }

    /// Whether nothing waits.
    package var isEmpty: Bool { waiting.isEmpty }

    /// Takes an event; only a message of somebody other than `user`, that still stands, is one to tell.
    package mutating func take(_ event: ServerLine, user: String) {
        guard event.kind == "msg", event["deleted"] == nil, let conv = event["conv"], let by = event["by"],
            by.lowercased() != user.lowercased(), !isMuted(conv, user)
        else { return }
        if waiting.count == Self.capacity {
            waiting.removeFirst()
            if dropped == 0 { notes.append("\(Self.capacity) messages wait for the command; the oldest are dropped") }
            dropped += 1
        }
        waiting.append(event)
    }

    /// The next message to tell; nil when none waits.
    package mutating func next() -> ServerLine? {
        guard !waiting.isEmpty else { return nil }
        if dropped > 0 {
            notes.append("\(dropped) message\(dropped == 1 ? " was" : "s were") dropped")
            dropped = 0
        }
        return waiting.removeFirst()
    }

    /// Takes what there is to tell, and forgets it.
    package mutating func takeNotes() -> [String] {
        defer { notes = [] }
        return notes
    }

    /// A 1:1 is muted under the server's name for it and under the other's (`@bob`).
    private func isMuted(_ conv: String, _ user: String) -> Bool {
        let name = conv.lowercased()
        return muted.contains(name) || muted.contains(Peer.title(of: name, for: user))
    }

    /// What a message says, for the command's environment; what is missing is empty.
    package static func environment(of message: ServerLine) -> [(key: String, value: String)] {
        let keys = [
            ("FCC_CONV", "conv"), ("FCC_BY", "by"), ("FCC_TEXT", "text"), ("FCC_SEQ", "seq"), ("FCC_TS", "ts"),
        ]
        return keys.map { name, key in (name, fitting(message[key] ?? "")) }
    }

    /// Without what would end a C string, and short enough.
    private static func fitting(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars where scalar.value != 0 {
            count += UTF8.width(scalar)
            if count > textLimit { break }
            out.append(scalar)
        }
        return String(out)
    }
}
