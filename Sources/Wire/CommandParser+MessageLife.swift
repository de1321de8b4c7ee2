import Bytes
import ChatModel

/// EDIT, DELETE and EMOTE; SEEN, TYPING, AWAY and WHO. The caller checks that no words are left.
extension CommandParser {
    static func messageLife(_ request: inout Request, _ arena: inout ByteBuffer) throws(Refusal) -> Command {
        switch request.verb {
        case .away: return .away(try away(&request))
        case .typing: return .typing(try request.conversation())
        case .who:
            let page = try request.page()
            return .who(try request.conversation(), page)
        default: break
        }
        let isOff = try request.flag(.off)
        let target = try request.conversation()
        switch request.verb {
        case .seen: return .seen(target, try request.number(argument: "seq", in: 0...Seq.max))
        case .delete: return .delete(target, try request.number(argument: "id", in: 1...Seq.max))
        case .emote:
            let message = try request.number(argument: "id", in: 1...Seq.max)
            return .react(target, Reaction(message: message, emoji: try emoji(&request), isOff: isOff))
        default:
            let message = try request.number(argument: "id", in: 1...Seq.max)
            let range = try text(&request, &arena)
            return .edit(Edit(target: target, message: message, text: range.map { measured($0, arena) }))
        }
    }

    private static func measured(_ range: ArenaRange, _ arena: borrowing ByteBuffer) -> TextRange {
        let bytes = UnsafeRawBufferPointer(rebasing: arena.readable[range.range])
        return TextRange(
            range: range,
            scalarCount: Characters.scalarCount(bytes),
            isBlank: Characters.areBlank(bytes)
        )
    }

    /// 1 to 32 bytes without blank, colon or control.
    private static func emoji(_ request: inout Request) throws(Refusal) -> String {
        let text = String(decoding: try request.words.argument("emoji"), as: UTF8.self)
        let isSound = text.unicodeScalars.allSatisfy {
            $0 != ":" && !Characters.isEscaped($0.value) && !Characters.isWhiteSpace($0.value)
        }
        guard (1...32).contains(text.utf8.count), isSound else {
            throw .badArg("emoji", "1 to 32 bytes without blank, colon or control")
        }
        return text
    }

    /// What others are told; nil is back again.
    private static func away(_ request: inout Request) throws(Refusal) -> String? {
        let isBack = try request.flag(.off)
        let words = request.words
        let rest = String(decoding: UnsafeRawBufferPointer(rebasing: words.line[words.at...]), as: UTF8.self)
        request.words.at = words.line.count
        if isBack {
            if request.has(.text) || !rest.isEmpty { throw .badArg("off", "off=yes, or a text") }
            return nil
        }
        guard let option = request.string(.text) else { return rest }
        if !rest.isEmpty { throw .badArg("text", "text= or text behind the verb, not both") }
        return option
    }
}
