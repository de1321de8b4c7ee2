import ChatModel

/// HELLO, HELP and PING: answered without the engine.
extension CommandParser {
    static func own(_ request: inout Request) throws(Refusal) -> OwnReply {
        switch request.verb {
        case .help:
            guard let word = try request.words.word() else { return .help(verb: nil) }
            try request.words.end()
            guard let verb = Verb(word) else { throw .badArg("verb", "there is no such verb; HELP lists them") }
            return .help(verb: verb.rawValue)
        case .ping:
            let word = try request.words.word()
            try request.words.end()
            return .pong(word.map { String(decoding: $0, as: UTF8.self) })
        default:
            try request.words.end()
            return .hello
        }
    }
}
