import ChatModel

/// LINK: a guest becomes an account, with everything it has (protocol.md, Accounts).
extension State {
    /// Checks LINK before its password is hashed.
    package func checkLink(_ link: Link, by number: AccountNumber) throws(Refusal) {
        _ = try checkedLink(link, by: number)
    }

    /// The changes, kept or lost together: the guest's own record, what it becomes, and `rename` wherever it is.
    package func decideLink(
        _ link: Link,
        password: PasswordRecord,
        by number: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> (handle: String, changes: [Change]) {
        let (handle, email) = try checkedLink(link, by: number)
        guard let guest = account(number) else { throw .needAuth }
        let record = AccountRecord(
            number: number,
            handle: handle.text,
            display: guest.display == guest.handle.text ? handle.text : guest.display,
            phone: nil,
            email: email.text,
            password: password,
            isGuest: false,
            created: guest.created,
            session: nil,
            lobbyRead: guest.lobbyRead
        )
        var changes = recordingGuest(number) + [.ledger(.link(record))]
        let inLobby: [ConversationNumber] = guest.spoken.first == .lobby ? [.lobby] : []
        for conversation in inLobby + guest.conversations {
            let rename = EventKind.rename(number, from: guest.handle.text, to: handle.text)
            changes.append(.event(next(conversation, rename, by: number, now: now)))
        }
        return (handle.text, changes)
    }

    private func checkedLink(_ link: Link, by number: AccountNumber) throws(Refusal) -> (Handle, EmailAddress) {
        guard let guest = account(number) else { throw .needAuth }
        guard guest.isGuest else { throw Refusal(.conflict, "you have an account already") }
        let request = SignUp(
            name: link.name,
            display: nil,
            phone: nil,
            invite: nil,
            email: link.email,
            password: link.password
        )
        let (handle, email, _) = try checked(request)
        return (handle, email)
    }

    /// Checks EMAIL's address.
    package func checkEmail(_ given: String, of number: AccountNumber) throws(Refusal) -> EmailAddress {
        let email = try EmailAddress(checking: given)
        if let owner = emails[email.key], owner != number { throw .exists("email", "this address has an account") }
        return email
    }
}
