import Bytes
import ChatModel

/// Turns a client's line into a command (protocol.md, Lines and Verbs). Pure: the same bytes give the same answer.
///
/// Every line gives exactly one `ParsedLine`; no input traps. A SEND whose names are at most 15 bytes long allocates
/// nothing but room in the arena.
package struct CommandParser: Sendable {
    let hashers: Hashers

    package init(hashers: Hashers) { self.hashers = hashers }

    /// Parses `line`, given without its LF; one CR at its end is dropped. Text is appended, unescaped, to `arena`; the
    /// command's `ArenaRange`s count from the start of `arena.readable`. O(n).
    /// - Parameter isCode: the client has signed in with the operator's code, so that PASSWD needs no old password.
    package func parse(
        _ line: UnsafeRawBufferPointer,
        arena: inout ByteBuffer,
        isCode: Bool = false
    ) -> ParsedLine {
        let line = Self.withoutCR(line)
        var words = WordScanner(line)
        words.skipBlanks()
        if words.at == line.count { return .empty }
        let tag = Tag.of(line)
        do throws(Refusal) {
            guard line.count <= Int(Int32.max) else { throw .badLine("this line is too long") }
            guard Characters.areAllowed(in: line) else {
                throw .badLine("a line is UTF-8 without control characters")
            }
            return try parse(&words, tag, &arena, isCode)
        } catch {
            switch UploadHeader.size(in: line) {
            case .none: return .refused(tag, error)
            case .known(let size): return .refusedUpload(tag, error, size: size)
            case .unknown: return .refusedUpload(tag, error, size: nil)
            }
        }
    }

    /// Whether an overlong line is a PUT-BLOB, behind which no requests stand.
    package func isUpload(beginning line: UnsafeRawBufferPointer) -> Bool { UploadHeader.begins(line) }

    /// The tag an overlong line begins with; `.none` when it has none, a malformed one, or not even that much is there.
    package func tag(ofBeginning line: UnsafeRawBufferPointer) -> Tag { Tag.of(line, isWhole: false) }

    /// Completes a request by the line that followed its ASK, whole but for one CR at its end.
    /// - Returns: a command, another question, or BAD-ARG with `field=password` when it is no UTF-8 or has control
    ///   characters other than TAB.
    package func complete(_ ask: PendingAsk, answer: UnsafeRawBufferPointer, tag: Tag) -> ParsedLine {
        let answer = Self.withoutCR(answer)
        guard Characters.areAllowed(in: answer) else {
            return .refused(tag, .badArg("password", "a password is UTF-8 without control characters"))
        }
        return Self.complete(ask, Secret(Array(answer)), tag)
    }

    private func parse(
        _ words: inout WordScanner,
        _ tag: Tag,
        _ arena: inout ByteBuffer,
        _ isCode: Bool
    ) throws(Refusal) -> ParsedLine {
        if words.line[words.at] == 0x40 {
            if tag.isNone { throw .badLine("a tag is @ and 1 to 32 of A-Z a-z 0-9 - _") }
            words.at += tag.count + 1
        }
        guard let word = try words.word() else { throw .badLine("there is no verb behind the tag") }
        guard let verb = Verb(word) else { throw Refusal(.badVerb, "there is no such verb; HELP lists them") }
        if verb == .passwd || verb == .email || verb == .unregister {
            return try Self.secret(verb, &words, isCode: isCode, tag)
        }
        var request = try Request(verb, words)
        if verb == .auth || verb == .signUp || verb == .link { return try account(&request, tag) }
        return .command(tag, try command(&request, &arena))
    }

    private func command(_ request: inout Request, _ arena: inout ByteBuffer) throws(Refusal) -> Command {
        switch request.verb {
        case .send, .reply: return .send(try message(&request, &arena))
        case .hello, .help, .ping: return .own(try Self.own(&request))
        default: break
        }
        let command: Command =
            switch request.verb {
            case .create, .join, .leave, .invite: try Self.membership(&request)
            case .convs, .list, .members, .history: try Self.reading(&request)
            case .search: try Self.search(&request)
            case .sub, .unsub, .subs: try Self.subscription(&request)
            case .logout: .signOut(all: try request.flag(.all))
            case .whoAmI: .whoAmI
            case .limits: .limits
            case .putBlob, .blob, .blobs, .delBlob: try Self.blob(&request)
            case .putItem, .item, .items, .delItem: try Self.items(&request, &arena)
            case .eject, .ban, .unban, .mute, .unmute, .grant, .topic, .drop: try Self.moderation(&request)
            case .edit, .delete, .emote, .seen, .typing, .away, .who: try Self.messageLife(&request, &arena)
            case .sessions, .token, .tokens, .tokenDel, .profile, .users, .block, .unblock, .blocks, .export:
                .account(try Self.possession(&request))
            default: .bye
            }
        try request.words.end()
        return command
    }

    private static func withoutCR(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    }
}
