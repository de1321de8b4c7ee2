import Bytes
import ChatModel

/// The control socket's requests: HELP, HELLO, PING and BYE as everywhere, and ADMIN.
extension CommandParser {
    /// Parses a line of the operator's, given without its LF. What concerns accounts and conversations is DENIED: the
    /// operator is none.
    package func parseOperator(_ line: UnsafeRawBufferPointer, arena: inout ByteBuffer) -> ParsedLine {
        let line = line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        var words = WordScanner(line)
        words.skipBlanks()
        let tag = Tag.of(line)
        if words.at < line.count, line[words.at] == 0x40, !tag.isNone { words.at += tag.count + 1 }
        guard Characters.areAllowed(in: line), let word = try? words.word() else { return parse(line, arena: &arena) }
        if Verb(word) == .help, let topic = try? words.word(), Self.isAdmin(topic) {
            return .command(tag, .own(.adminHelp(verb: "ADMIN")))
        }
        guard Self.isAdmin(word) else {
            return withoutAdmin(parse(line, arena: &arena))
        }
        do throws(Refusal) {
            return .command(tag, .admin(try Self.admin(&words, hashers)))
        } catch {
            return .refused(tag, error)
        }
    }

    private static func isAdmin(_ word: UnsafeRawBufferPointer) -> Bool {
        word.count == 5 && String(decoding: word, as: UTF8.self).uppercased() == "ADMIN"
    }

    private func withoutAdmin(_ parsed: ParsedLine) -> ParsedLine {
        switch parsed {
        case .command(let tag, .own(.help(let verb))):
            return .command(tag, .own(.adminHelp(verb: verb)))
        case .command(_, .own), .command(_, .bye), .empty, .refused, .refusedUpload: return parsed
        case .command(let tag, _), .ask(let tag, _):
            return .refused(tag, .denied("the operator has no account; here are HELP, PING, BYE and ADMIN"))
        }
    }

    private static func admin(_ words: inout WordScanner, _ hashers: Hashers) throws(Refusal) -> AdminRequest {
        let line = words.line
        words.skipBlanks()
        let start = words.at
        guard let word = try words.word() else {
            throw .badArg("subverb", "ADMIN is followed by what is to be done; HELP lists it")
        }
        guard let verb = AdminVerb(word) else {
            throw Refusal(.badVerb, "ADMIN has no such verb; HELP lists them")
        }
        let behind = words.at
        var request = try Request(.help, words, named: "ADMIN " + verb.rawValue, allowing: verb.options)
        let command: AdminCommand
        if verb == .notice {
            command = .notice(try notice(request, UnsafeRawBufferPointer(rebasing: line[behind...])))
        } else {
            command = try self.command(verb, &request, hashers)
            try request.words.end()
        }
        // What people have written does not stand in the audit.
        let end = verb == .import ? behind : line.count
        let shown = UnsafeRawBufferPointer(rebasing: line[start..<end])
        return AdminRequest(command: command, words: String(decoding: shown, as: UTF8.self))
    }

    private static func command(
        _ verb: AdminVerb,
        _ request: inout Request,
        _ hashers: Hashers
    ) throws(Refusal) -> AdminCommand {
        switch verb {
        case .status: return .status
        case .snapshot: return .snapshot
        case .resume: return .resume
        case .backup: return .backup
        case .get: return .get(key: try request.words.word().map { String(decoding: $0, as: UTF8.self) })
        case .set: return .set(key: try argument("key", &request), value: try argument("value", &request))
        case .unset: return .unset(key: try argument("key", &request))
        case .end: return .end(connection: try argument("connection", &request))
        case .convs: return .conversations(try request.page())
        case .retain:
            let retention = try request.retention()
            return .retain(try request.conversation(), retention)
        case .clients: return .clients(try request.page())
        case .users:
            let page = try request.page()
            return .users(prefix: try request.words.word().map { String(decoding: $0, as: UTF8.self) }, page)
        case .user:
            guard let action = AdminUserAction(rawValue: try argument("action", &request).lowercased()) else {
                throw .badArg("action", AdminUserAction.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return .user(action, who: try argument("user", &request))
        case .notice: return .notice("")
        case .schema: return try schema(&request)
        case .export: return .export(after: request.string(.after))
        case .import: return .importRecord(try importRecord(&request, hashers))
        case .invite, .token, .addUser, .delete, .drop, .delBlob, .banAddr, .bans: return try moderation(verb, &request)
        }
    }

    static func argument(_ name: String, _ request: inout Request) throws(Refusal) -> String {
        String(decoding: try request.words.argument(name), as: UTF8.self)
    }

    /// `text=`, or everything behind the one blank after NOTICE.
    private static func notice(_ request: Request, _ behind: UnsafeRawBufferPointer) throws(Refusal) -> String {
        let text: String
        if request.has(.text) {
            var words = request.words
            words.skipBlanks()
            guard words.at == words.line.count else {
                throw .badArg("text", "text= or text behind the verb, not both")
            }
            text = request.string(.text) ?? ""
        } else {
            text = String(decoding: behind.dropFirst(), as: UTF8.self)
        }
        var copy = text
        if copy.withUTF8({ Characters.areBlank(UnsafeRawBufferPointer($0)) }) {
            throw .badArg("text", "there is no text")
        }
        let (count, limit) = (text.unicodeScalars.count, 4000)
        if count > limit {
            let details: [KeyValue] = [.number("limit", limit), .number("got", count)]
            throw Refusal(.tooLong, field: "text", details: details, "the notice is too long")
        }
        return text
    }
}
