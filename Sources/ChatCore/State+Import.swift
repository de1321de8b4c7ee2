import ChatModel

/// What an import makes (protocol.md, The operator): things as an export has them, without passwords, for which the
/// operator gives codes (`USER reset`).
extension State {
    /// The account with this handle.
    package func importedAccount(_ name: String, _ field: String) throws(Refusal) -> AccountNumber {
        guard let number = handles[NameFolding.key(of: name)], let account = account(number), !account.isErasing else {
            throw Refusal(.notFound, field: field, "there is no such account; accounts come first")
        }
        return number
    }

    /// An account without a password. One that is there with the same address is it already.
    package func decideImport(account name: String, _ record: ImportRecord, now: Timestamp) throws(Refusal) -> Decision
    {
        let email = try record["email"].map { text throws(Refusal) in try EmailAddress(checking: text) }
        let reply: [KeyValue] = [.word("user", name)]
        if let number = handles[NameFolding.key(of: name)], let there = account(number), !there.isErasing {
            guard there.email?.key == email?.key else {
                throw Refusal(.exists, field: "user", "this name is somebody's with another address")
            }
            return Decision(reply: .done(reply + [.flag("dup", true)]))
        }
        if let email, emails[email.key] != nil { throw .exists("email", "this address has an account") }
        let isGuest = record["guest"] == "true"
        let handle = isGuest ? try guestHandle(name) : try checkName(name)
        let display = try record["display"].map { text throws(Refusal) in try checkFreeText(text, "display") }
        try checkPhone(record["phone"])
        let number = nextAccount
        var changes: [Change] = [
            .ledger(.account(importedRecord(number, handle, display, record, email, isGuest, now)))
        ]
        if let bio = record["bio"] {
            let profile = Profile(
                display: display ?? handle.text,
                phone: record["phone"],
                bio: try checkNote(bio, "bio"),
                avatar: nil
            )
            changes.append(.ledger(.profile(number, profile)))
        }
        if record["verified"] == "true", email != nil { changes.append(.ledger(.verified(number, true))) }
        if record["disabled"] == "true" { changes.append(.ledger(.disabled(number, true))) }
        return Decision(changes, reply: .done([.word("user", handle.text)]))
    }

    private func importedRecord(
        _ number: AccountNumber,
        _ handle: Handle,
        _ display: String?,
        _ record: ImportRecord,
        _ email: EmailAddress?,
        _ isGuest: Bool,
        _ now: Timestamp
    ) -> AccountRecord {
        AccountRecord(
            number: number,
            handle: handle.text,
            display: display ?? handle.text,
            phone: record["phone"],
            email: email?.text,
            password: nil,
            isGuest: isGuest,
            created: min(Self.time(record["created"]) ?? now, now),
            session: nil,
            lobbyRead: lobbyMessages
        )
    }

    /// `guest-` and letters and digits, as this server makes them.
    private func guestHandle(_ name: String) throws(Refusal) -> Handle {
        let rest = name.utf8.dropFirst(6)
        guard name.hasPrefix("guest-"), (1...14).contains(rest.count),
            rest.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { throw .badArg("user", "a guest's name is guest- and letters or digits") }
        let handle = Handle(trusted: name)
        if isTaken(handle) { throw .exists("user", "this name is or was taken") }
        return handle
    }

    private static func time(_ text: String?) -> Timestamp? {
        guard var copy = text else { return nil }
        return copy.withUTF8 { Timestamp(UnsafeRawBufferPointer($0)) }
    }

    /// The account that stands for a name of a sample: made at its first message, with a handle like the name.
    package func decideImport(author name: String, now: Timestamp) throws(Refusal) -> (AccountNumber, [Change]) {
        let display = try checkFreeText(name, "name")
        let known = accountSlots.first { account in
            guard let account, !account.isGuest, !account.isErasing else { return false }
            return account.display == display && account.email == nil && account.password == nil
        }
        if let number = known??.number { return (number, []) }
        let handle = try freeHandle(like: display)
        let record = AccountRecord(
            number: nextAccount,
            handle: handle.text,
            display: display,
            phone: nil,
            email: nil,
            password: nil,
            isGuest: false,
            created: now,
            session: nil,
            lobbyRead: lobbyMessages
        )
        return (record.number, [.ledger(.account(record))])
    }

    /// A conversation with a name, that nobody is in yet. One that is there and is as private is it already; 1:1s come with
    /// their first message.
    package func decideImport(
        conversation name: String,
        _ record: ImportRecord,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        guard name.utf8.first == 0x23 else { return Decision(reply: .done([.flag("skipped", true)])) }
        let isPrivate = record["private"] == "true"
        let label = String(decoding: name.utf8.dropFirst(), as: UTF8.self)
        if let number = names[NameFolding.key(of: label)] {
            let there = conversation(number)
            guard !there.isDropped, there.isPrivate == isPrivate else {
                throw Refusal(.exists, field: "conv", "this name is or was another conversation's")
            }
            return Decision(reply: .done([.word("conv", there.name), .flag("dup", true)]))
        }
        let checked = try ConversationName(checking: label, isTaken: isTaken)
        let title = try record["title"].map { text throws(Refusal) in try checkFreeText(text, "title") }
        let creation = Creation.named(checked.text, isPrivate: isPrivate, title: title)
        let event = Event(conversation: nextConversation, seq: 1, time: now, by: .server, kind: .create(creation))
        return Decision([.event(event)], reply: .done([.word("conv", "#" + checked.text)]))
    }

    /// Somebody joins, and has a role.
    package func decideImport(
        member user: String,
        of name: String,
        role word: String,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        guard name.utf8.first == 0x23 else { return Decision(reply: .done([.flag("skipped", true)])) }
        guard let role = Role(rawValue: word) else { throw .badArg("role", "owner, op, member or reader") }
        let account = try importedAccount(user, "user")
        let key = NameFolding.key(of: String(decoding: name.utf8.dropFirst(), as: UTF8.self))
        let number = try findForOperator(.named(key))
        let conversation = self.conversation(number)
        var changes: [Change] = []
        if conversation.role(of: account) == nil {
            changes.append(.event(next(number, .join, by: account, now: now)))
        }
        let present = conversation.role(of: account) ?? .member
        if present < role || changes.count == 1 && present != role {
            let offset = UInt64(changes.count)
            changes.append(.event(next(number, .grant(account, role), by: .operator, now: now, offset: offset)))
        }
        let fields: [KeyValue] = [.word("conv", conversation.name), .word("user", handleText(account))]
        return Decision(changes, reply: .done(fields + (changes.isEmpty ? [.flag("dup", true)] : [])))
    }

    /// A message: of whom its line says, at its own time where that is not before the one in front of it.
    package func decideImport(
        message record: ImportRecord,
        by author: AccountNumber,
        text: ArenaRange?,
        now: Timestamp
    ) throws(Refusal) -> SendDecision {
        if let nonce = record.nonce, let sent = find(nonce: nonce, of: author) { return .repeated(sent) }
        let string = record["text"] ?? ""
        let geo = try record["geo"].map { given throws(Refusal) in try Self.place(given) }
        if text == nil, geo == nil { throw .badArg("text", "a message without a text is not imported") }
        if text != nil {
            let isBlank = string.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            try checkText(scalarCount: string.unicodeScalars.count, isBlank: isBlank)
        }
        let time = min(Self.time(record["ts"]) ?? now, now)
        let name = record["conv"] ?? "#lobby"
        func message(_ reply: Seq?) -> Message {
            Message(text: text, kind: geo == nil ? nil : "location", geo: geo, reply: reply, nonce: record.nonce)
        }
        if name.utf8.first == 0x40 {
            let handles = name.utf8.dropFirst().split(separator: 0x2C)
            guard handles.count == 2 else { throw .badArg("conv", "a 1:1 is @a,b") }
            let a = try importedAccount(String(decoding: handles[0], as: UTF8.self), "conv")
            let b = try importedAccount(String(decoding: handles[1], as: UTF8.self), "conv")
            guard a != b, author == a || author == b else { throw .badArg("by", "in a 1:1 there are two") }
            guard let number = direct(a, b) else {
                let number = nextConversation
                let create = Event(conversation: number, seq: 1, time: time, by: author, kind: .create(.direct(a, b)))
                let first = Event(conversation: number, seq: 2, time: time, by: author, kind: .message(message(nil)))
                return .opening(create: create, message: first)
            }
            return .message(next(number, .message(message(reply(record, number))), by: author, now: time))
        }
        guard name.utf8.first == 0x23 else { throw .badArg("conv", "a conversation is #name or @a,b") }
        let key = NameFolding.key(of: String(decoding: name.utf8.dropFirst(), as: UTF8.self))
        let number = try findForOperator(.named(key))
        return .message(next(number, .message(message(reply(record, number))), by: author, now: time))
    }

    private func reply(_ record: ImportRecord, _ number: ConversationNumber) -> Seq? {
        record["reply"].flatMap { Seq($0) }.flatMap { conversation(number).isMessage($0) ? $0 : nil }
    }

    private static func place(_ text: String) throws(Refusal) -> Location {
        let parts = text.utf8.split(separator: 0x2C)
        let isSound = parts.allSatisfy { part in
            (1...18).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
        }
        guard parts.count == 2, isSound else { throw .badArg("geo", "lat,lon in decimal degrees") }
        return Location(
            latitude: String(decoding: parts[0], as: UTF8.self),
            longitude: String(decoding: parts[1], as: UTF8.self)
        )
    }
}
