import ChatModel

/// SESSIONS, TOKEN, TOKENS and TOKEN-DEL; PROFILE and USERS; BLOCK, UNBLOCK and BLOCKS; EXPORT. The caller checks that no
/// words are left.
extension CommandParser {
    static func possession(_ request: inout Request) throws(Refusal) -> AccountCommand {
        switch request.verb {
        case .sessions: return .sessions
        case .tokens: return .tokens
        case .blocks: return .blocks
        case .token: return .makeToken(try token(&request))
        case .tokenDel: return .deleteToken(id: try word("id", &request))
        case .block: return .block(user: try word("user", &request))
        case .unblock: return .unblock(user: try word("user", &request))
        case .users:
            let page = try request.page()
            return .users(prefix: try request.words.word().map { String(decoding: $0, as: UTF8.self) }, page)
        case .export:
            let limit = try request.limit()
            return .export(after: try exportPlace(request), limit: limit)
        default: return try profile(&request)
        }
    }

    private static func word(_ name: String, _ request: inout Request) throws(Refusal) -> String {
        String(decoding: try request.words.argument(name), as: UTF8.self)
    }

    private static func token(_ request: inout Request) throws(Refusal) -> TokenRequest {
        var scope = TokenScope.all
        if let given = request.string(.scope) {
            guard let known = TokenScope(given) else { throw .badArg("scope", "read, send and manage, with commas") }
            scope = known
        }
        let lifetime = try request.duration(.expires)
        return TokenRequest(label: try word("label", &request), scope: scope, lifetime: lifetime)
    }

    private static func profile(_ request: inout Request) throws(Refusal) -> AccountCommand {
        let user = try request.words.word().map { String(decoding: $0, as: UTF8.self) }
        let isChange = [.display, .phone, .bio, .avatar].contains { request.has($0) }
        guard isChange else { return .profile(user: user) }
        if user != nil { throw .badArg("user", "one changes one's own profile only") }
        return .changeProfile(
            ProfileChange(
                display: request.string(.display),
                phone: request.string(.phone),
                bio: request.string(.bio),
                avatar: request.string(.avatar)
            )
        )
    }

    /// `conversation.seq`, as EXPORT's OK gives it.
    private static func exportPlace(_ request: Request) throws(Refusal) -> ExportPlace? {
        guard let value = request[.after] else { return nil }
        let place = value.withBytes { bytes -> ExportPlace? in
            guard let point = bytes.firstIndex(of: 0x2E),
                let number = Number.parse(UnsafeRawBufferPointer(rebasing: bytes[..<point])),
                let seq = Number.parse(UnsafeRawBufferPointer(rebasing: bytes[(point + 1)...])),
                let conversation = UInt32(exactly: number), conversation > 0
            else { return nil }
            return ExportPlace(conversation: ConversationNumber(conversation), seq: seq)
        }
        guard let place else { throw .badArg("after", "what next= of the page before says") }
        return place
    }
}
