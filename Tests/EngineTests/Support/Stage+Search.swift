import ChatModel
import Engine

extension Stage {
    /// ada's conversation #den with bob in it. Its three messages are the last events: tea, coffee and tea; in the public
    /// one they are 3, 4 and 5, in the private one 4, 5 and 6.
    static func withTea(
        private isPrivate: Bool = false
    ) -> (stage: Stage, ada: ConnectionKey, bob: ConnectionKey) {
        let stage = Stage(loops: 2)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: 1))
        _ = stage.ask(ada, isPrivate ? "CREATE private=yes #den" : "CREATE #den")
        if isPrivate { _ = stage.ask(ada, "INVITE #den bob") }
        _ = stage.ask(bob, "JOIN #den")
        for text in ["Tea?", "coffee", "green TEÁ"] { _ = stage.ask(ada, "SEND #den \(text)") }
        return (stage, ada, bob)
    }

    /// Replies without what differs: `ROW 3`, `OK n=1 more=no`, `ERR DENIED`.
    static func shown(_ lines: [String]) -> [String] {
        lines.map { line in
            if line.hasPrefix("ROW msg ") { return "ROW " + line.field("seq") }
            if line.hasPrefix("ERR ") {
                return line.split(separator: " " as Character).prefix(2).joined(separator: " ")
            }
            return line
        }
    }

    func askShown(_ key: ConnectionKey, _ line: String) -> [String] { Self.shown(ask(key, line)) }
    func takeShown(_ key: ConnectionKey) -> [String] { Self.shown(takeReplies(key)) }
}
