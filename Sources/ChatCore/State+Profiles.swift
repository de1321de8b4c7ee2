import ChatModel

/// PROFILE and USERS (protocol.md, Accounts).
extension State {
    /// What `reader` may know of the account of a handle.
    package func decideProfile(of user: String?, by reader: AccountNumber) throws(Refusal) -> Reply {
        guard let user else {
            guard let own = account(reader) else { throw .needAuth }
            return .done(profileFields(of: own, for: reader))
        }
        guard let found = handles[NameFolding.key(of: user)].flatMap({ account($0) }), !found.isErasing else {
            throw Refusal(.notFound, field: "user", Refusal.notFound.text)
        }
        return .done(profileFields(of: found, for: reader))
    }

    private func profileFields(of account: Account, for reader: AccountNumber) -> [KeyValue] {
        var asker = Access.Asker()
        (asker.owns, asker.isOperator) = (account.number == reader, reader == .operator)
        var fields = publicFields(of: account)
        if let bio = account.bio { fields.append(.word("bio", bio)) }
        guard Access.contact(.read, asker) else { return fields }
        if let email = account.email {
            fields += [.word("email", email.text), .flag("verified", account.isVerified)]
        }
        if let phone = account.phone { fields.append(.word("phone", phone)) }
        return fields + [.flag("guest", account.isGuest), .time("created", account.created)]
    }

    /// `user= display= [avatar=]`
    package func publicFields(of account: Account) -> [KeyValue] {
        var fields: [KeyValue] = [.word("user", account.handle.text), .word("display", account.display)]
        if let avatar = account.avatar { fields.append(.word("avatar", avatar.text)) }
        return fields
    }

    /// What an account's profile reads after a change.
    /// - Throws: `Refusal` naming the field.
    package func decideProfileChange(_ change: ProfileChange, by number: AccountNumber) throws(Refusal) -> Profile {
        guard let account = account(number) else { throw .needAuth }
        var asker = Access.Asker()
        (asker.owns, asker.isGuest) = (true, account.isGuest)
        guard Access.profile(.change, asker), Access.contact(.change, asker) else { throw .needAuth }
        var profile = account.profile
        if let display = change.display { profile.display = try checkFreeText(display, "display") }
        if let phone = change.phone {
            try checkPhone(phone.isEmpty ? nil : phone)
            profile.phone = phone.isEmpty ? nil : phone
        }
        if let bio = change.bio {
            profile.bio = bio.isEmpty ? nil : try checkNote(bio, "bio")
        }
        if let avatar = change.avatar {
            profile.avatar = avatar.isEmpty ? nil : try checkAvatar(avatar, number)
        }
        return profile
    }

    /// A picture of one's own, not too big.
    private func checkAvatar(_ text: String, _ number: AccountNumber) throws(Refusal) -> BlobID {
        guard let id = BlobID(text.utf8), let record = blob(id), record.owner == number else {
            throw Refusal(.notFound, field: "avatar", Refusal.notFound.text)
        }
        guard RasterImage(type: record.type) != nil else { throw .badArg("avatar", "it must be a picture") }
        if record.size > UInt64(clamping: limits.avatar) {
            let details: [KeyValue] = [.number("limit", limits.avatar), .number("got", record.size)]
            throw Refusal(.tooBig, field: "avatar", details: details, "the picture is too big, in bytes")
        }
        return id
    }

    /// The accounts that USERS lists.
    package func directory(limit: Int) -> (found: [AccountNumber], more: Bool) {
        directory.page(prefix: "", after: nil, limit: limit)
    }

    /// USERS: the public part of accounts, in the order of their names.
    package func decideUsers(prefix: String?, _ page: Page) -> Reply {
        let (found, more) = directory.page(
            prefix: prefix.map { NameFolding.key(of: $0) } ?? "",
            after: page.after.map { NameFolding.key(of: $0) },
            limit: page.limit
        )
        let rows = found.compactMap { account($0) }.map { Row("user", publicFields(of: $0)) }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", more)])
    }
}
