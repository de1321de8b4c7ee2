import Bytes
import ChatCore
import ChatModel
import Engine
import Glibc
import Storage
import SystemIO
import Wire

extension CommandRequest {
    /// Carries the command out, with its result on standard output; the program's exit code.
    func run() -> Int32 {
        Signals.ignoreWriteSignals()
        do throws(Failure) {
            switch action {
            case .check: return try CheckCommand(self).run()
            case .repair(let isConfirmed): return try RepairCommand(self, isConfirmed: isConfirmed).run()
            case .status: try show(ask("ADMIN STATUS"))
            case .set(let key, let value): try show(ask("ADMIN SET \(try word(key)) \(try word(value))"))
            case .snapshot: try show(ask("ADMIN SNAPSHOT"))
            case .resume: try show(ask("ADMIN RESUME"))
            case .backup(let file): try BackupCommand(file, of: serve.dataDirectory).run(self)
            case .restore(let file): try RestoreCommand(file, to: serve.dataDirectory).run(self)
            case .export: try ExportCommand(serve.dataDirectory).run(self)
            case .importFile(let file): try ImportCommand(file).run(self)
            case .userList(let prefix): try listUsers(prefix)
            case .userAdd(let name, let email): try addUser(name, email)
            case .token(let kind): try showToken(kind)
            case .invite(let uses, let expires): try show(ask(invitation(uses, expires)))
            case .user(let action, let who): try show(ask("ADMIN USER \(action) \(try word(who))"))
            }
            return 0
        } catch {
            Output.write("fcd: \(error.text)\n", to: STDERR_FILENO)
            return error.exitCode
        }
    }

    /// A word for the line protocol.
    private func word(_ text: String) throws(Failure) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .configuration("\(visible(text)): this is one word without blanks")
        }
        return text
    }

    private func ask(_ request: String) throws(Failure) -> ControlClient.Answer {
        var client = try ControlClient.open(serve.dataDirectory)
        return try granted(try client.ask(request))
    }

    /// - Throws: `Failure` with the daemon's code and text.
    func granted(_ answer: ControlClient.Answer) throws(Failure) -> ControlClient.Answer {
        if answer.last.word == .ok { return answer }
        let field = answer.last["field"].map { " (\($0))" } ?? ""
        throw .running("\(answer.last.kind ?? "ERR")\(field): \(answer.last.human ?? "refused")")
    }

    private func show(_ answer: ControlClient.Answer) {
        if !answer.rows.isEmpty { return show(answer.rows.map(\.fields)) }
        if isJSON { return Output.write(RowTable.json(answer.last.fields), to: STDOUT_FILENO) }
        let text = answer.last.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        Output.write(text.isEmpty ? "done\n" : text + "\n", to: STDOUT_FILENO)
    }

    /// Shows one result: `key=value`s, or an object.
    func show(_ pairs: KeyValuePairs<String, String>) {
        let fields = pairs.map { ServerLine.Field(key: $0.key, value: $0.value, isQuoted: true) }
        if isJSON { return Output.write(RowTable.json(fields), to: STDOUT_FILENO) }
        let text = fields.map { "\($0.key)=\(RowTable.shown($0.value))" }.joined(separator: " ")
        Output.write(text + "\n", to: STDOUT_FILENO)
    }

    private func show(_ rows: [[ServerLine.Field]]) {
        Output.write(isJSON ? rows.map(RowTable.json).joined() : RowTable.text(rows), to: STDOUT_FILENO)
    }

    private func invitation(_ uses: String?, _ expires: String?) throws(Failure) -> String {
        var request = "ADMIN INVITE"
        if let uses { request += " uses=" + (try word(uses)) }
        if let expires { request += " expires=" + (try word(expires)) }
        return request
    }

    /// The token alone, for `TOKEN=$(fcd token metrics)`.
    private func showToken(_ kind: String) throws(Failure) {
        let answer = try ask("ADMIN TOKEN \(try word(kind))")
        guard !isJSON, let token = answer.last["token"] else { return show(answer) }
        Output.write(token + "\n", to: STDOUT_FILENO)
    }

    /// For a person, the words that its owner types.
    private func addUser(_ name: String, _ email: String) throws(Failure) {
        let answer = try ask("ADMIN ADD-USER \(try word(name)) \(try word(email))")
        guard !isJSON, let user = answer.last["user"], let code = answer.last["code"] else { return show(answer) }
        let text =
            "user=\(RowTable.shown(user))\nsigns in once, to set a password, by AUTH \(RowTable.shown(user)) \(code)\n"
        Output.write(text, to: STDOUT_FILENO)
    }

    // MARK: fcd user list

    /// Of the running daemon, in pages; of the data, when there is none.
    private func listUsers(_ prefix: String?) throws(Failure) {
        var behind = ""
        if let prefix { behind = " " + (try word(prefix)) }
        guard let claim = try DataClaim.take(serve.dataDirectory) else {
            var client = try ControlClient.open(serve.dataDirectory)
            var rows: [[ServerLine.Field]] = []
            var after = ""
            while true {
                let page = try granted(try client.ask("ADMIN USERS \(after)limit=200\(behind)"))
                rows += page.rows.map(\.fields)
                guard page.last["more"] == "yes", let last = page.rows.last?["user"] else { break }
                after = "after=\(last) "
            }
            return show(rows)
        }
        show(try storedUsers(prefix))
        withExtendedLifetime(claim) {}
    }

    private func storedUsers(_ prefix: String?) throws(Failure) -> [[ServerLine.Field]] {
        do throws(JournalFault) {
            let (content, _) = try Recovery.inspect(serve.dataDirectory, limits: Limits())
            guard case .done(let rows, _) = content.state.adminUsers(prefix: prefix, Page(after: nil, limit: .max))
            else {
                return []
            }
            return rows.map { $0.fields.map { ServerLine.Field(key: $0.key, value: $0.shown, isQuoted: false) } }
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// Why data could not be read.
    init(_ fault: JournalFault) {
        switch fault {
        case .damage, .newerFormat: self = .damaged(fault.description)
        case .system: self = .running(fault.description)
        }
    }
}

extension KeyValue {
    /// The value as a line would show it, without quotes.
    fileprivate var shown: String {
        switch value {
        case .word(let text), .text(let text), .json(let text): text
        case .number(let number): String(number)
        case .time(let time): Self.text(of: time)
        case .flag(let flag): flag ? "yes" : "no"
        }
    }

    private static func text(of time: Timestamp) -> String {
        var room = ByteBuffer()
        ValueRenderer.append(time: time, into: &room)
        return String(decoding: room.readable, as: UTF8.self)
    }
}
