import ChatModel

/// INVITE, ADD-USER, DELETE, DROP, BAN-ADDR and BANS under ADMIN. The caller checks that no words are left.
extension CommandParser {
    /// Accounts that one code may make.
    private static let mostUses: UInt64 = 100_000
    /// Seconds that a code may be good for at most, and is when nothing is said.
    private static let longestLife: Int64 = 3650 * 86_400
    private static let usualLife: Int64 = 7 * 86_400

    static func moderation(_ verb: AdminVerb, _ request: inout Request) throws(Refusal) -> AdminCommand {
        switch verb {
        case .invite: return try invite(request)
        case .token:
            guard try argument("kind", &request).lowercased() == "metrics" else {
                throw .badArg("kind", "metrics: there is a token for nothing else")
            }
            return .metricsToken
        case .addUser:
            return .addUser(name: try argument("name", &request), email: try argument("email", &request))
        case .delete:
            let target = try request.conversation()
            return .delete(target, try request.number(argument: "seq", in: 1...Seq.max))
        case .drop: return .drop(try request.conversation())
        case .delBlob: return .deleteBlob(try id(&request))
        case .banAddr:
            let isOn = try !request.flag(.off)
            return .banAddress(prefix: try argument("prefix", &request), isOn: isOn)
        default: return .addressBans(try request.page())
        }
    }

    private static func invite(_ request: Request) throws(Refusal) -> AdminCommand {
        let uses = try request.number(.uses, in: 1...mostUses) ?? 1
        let lifetime = try request.duration(.expires) ?? usualLife
        guard lifetime <= longestLife else { throw .badArg("expires", "at most 3650d") }
        return .invite(uses: UInt32(clamping: uses), lifetime: lifetime)
    }
}
