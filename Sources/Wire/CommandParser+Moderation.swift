import ChatModel

/// EJECT, BAN, UNBAN, MUTE, UNMUTE, GRANT, TOPIC and DROP.
extension CommandParser {
    static func moderation(_ request: inout Request) throws(Refusal) -> Command {
        let (verb, seconds) = (request.verb, try request.duration(.duration))
        var granted: Role?
        if verb == .grant {
            guard let role = request.string(.role).flatMap(Role.init(rawValue:)) else {
                throw .badArg("role", "role=owner, op, member or reader")
            }
            granted = role
        }
        let target = try request.conversation()
        if verb == .drop { return .drop(target) }
        if verb == .topic {
            guard let title = try request.freeText() else { throw .badArg("text", "the title is missing") }
            return .setTopic(target, title)
        }
        let user = String(decoding: try request.words.argument("user"), as: UTF8.self)
        let act: Moderation.Act =
            switch verb {
            case .eject: .eject(reason: try request.freeText())
            case .ban: .ban(reason: try request.freeText())
            case .unban: .unban
            case .mute: .mute(seconds: seconds)
            case .unmute: .unmute
            default: .grant(granted ?? .member)
            }
        return .moderate(Moderation(target: target, user: user, act: act))
    }
}

extension Request {
    /// `text=`, or everything behind the last argument; nil when there is neither.
    mutating func freeText() throws(Refusal) -> String? {
        let rest = words.rest().map { String(decoding: $0, as: UTF8.self) }
        guard let option = string(.text) else { return rest }
        if rest != nil { throw .badArg("text", "text= or text behind the arguments, not both") }
        return option
    }

    /// One to nine digits and s, m, h or d, as seconds, at least one; nil when the option is not there.
    func duration(_ key: OptionKey) throws(Refusal) -> Int64? {
        guard let value = self[key] else { return nil }
        let seconds = value.withBytes { bytes -> Int64? in
            guard (2...10).contains(bytes.count), let unit = bytes.last,
                bytes.dropLast().allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
            else { return nil }
            let count = bytes.dropLast().reduce(0) { $0 * 10 + Int64($1 - 0x30) }
            switch unit {
            case 0x73: return count
            case 0x6D: return count * 60
            case 0x68: return count * 3600
            case 0x64: return count * 86_400
            default: return nil
            }
        }
        guard let seconds, seconds > 0 else { throw .badArg(key.word, "a time such as 90s, 10m, 12h or 30d") }
        return seconds
    }
}
