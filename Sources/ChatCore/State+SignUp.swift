import ChatModel

extension State {
    /// Checks SIGNUP before its password is hashed; each fault names its field (protocol.md, Accounts).
    package func checkSignUp(_ signUp: SignUp) throws(Refusal) {
        _ = try checked(signUp)
    }

    /// Decides SIGNUP once the hash is there: account, profile and session in one record, or nothing.
    package func decideSignUp(
        _ signUp: SignUp,
        password: PasswordRecord,
        session: TokenHash,
        now: Timestamp
    ) throws(Refusal) -> AccountRecord {
        let (handle, email, display) = try checked(signUp)
        return AccountRecord(
            number: nextAccount,
            handle: handle.text,
            display: display,
            phone: signUp.phone,
            email: email.text,
            password: password,
            isGuest: false,
            created: now,
            session: session,
            lobbyRead: lobbyMessages
        )
    }

    /// A guest `guest-…`, made from `word`; nil when that name, or one that looks like it, is taken.
    package func makeGuest(word: UInt64, session: TokenHash, now: Timestamp) -> AccountRecord? {
        let handle = "guest-" + String(word & 0xFF_FFFF_FFFF, radix: 36)
        if isTaken(Handle(trusted: handle)) { return nil }
        return AccountRecord(
            number: nextAccount,
            handle: handle,
            display: handle,
            phone: nil,
            email: nil,
            password: nil,
            isGuest: true,
            created: now,
            session: session,
            lobbyRead: lobbyMessages
        )
    }

    var lobbyMessages: UInt64 { conversations.first?.messages.count ?? 0 }

    /// The code that a sign-up spends; nil when none is needed.
    package func inviteSpent(by signUp: SignUp) -> TokenHash? { limits.signUp == .invite ? signUp.invite : nil }

    private func checkInvited(_ code: TokenHash?) throws(Refusal) {
        switch limits.signUp {
        case .open: return
        case .closed: throw .denied("this server takes no new accounts")
        case .invite:
            guard let invite = code.flatMap({ invites[$0] }), invite.uses > 0, invite.expires > wall else {
                throw Refusal(.denied, field: "invite", "this server takes new accounts by invitation: invite=CODE")
            }
        }
    }

    func checked(_ signUp: SignUp) throws(Refusal) -> (Handle, EmailAddress, display: String) {
        try checkInvited(signUp.invite)
        let email = try EmailAddress(checking: signUp.email)
        let handle: Handle
        if let name = signUp.name {
            handle = try checkName(name)
        } else {
            handle = try freeHandle(from: email)
        }
        let display = try signUp.display.map { given throws(Refusal) in try checkFreeText(given, "display") }
        try checkPhone(signUp.phone)
        try checkPassword(signUp.password.bytes, handle: handle, email: email)
        if emails[email.key] != nil { throw .exists("email", "this address has an account") }
        return (handle, email, display ?? handle.text)
    }

    /// A name that is sound and free.
    func checkName(_ name: String) throws(Refusal) -> Handle {
        try Handle(checking: name, isTaken: isTaken)
    }

    func checkPhone(_ phone: String?) throws(Refusal) {
        guard let phone else { return }
        let allowed = phone.utf8.allSatisfy { "+-(). 0123456789".utf8.contains($0) }
        guard allowed, (3...32).contains(phone.utf8.count) else {
            throw .badArg("phone", "3 to 32 digits, blanks and + - ( ) .")
        }
    }

    /// 8 to 1024 bytes, or at least 6 with classes; not the name or the address.
    package func checkPassword(_ password: [UInt8], handle: Handle, email: EmailAddress?) throws(Refusal) {
        guard password.count <= 1024 else { throw .badArg("password", "at most 1024 bytes") }
        switch limits.passwordRule {
        case .length8:
            if password.count < 8 { throw .badArg("password", "at least 8 bytes") }
        case .classes6:
            let upper = password.contains { (0x41...0x5A).contains($0) }
            let lower = password.contains { (0x61...0x7A).contains($0) }
            let digit = password.contains { (0x30...0x39).contains($0) }
            guard password.count >= 6, upper, lower, digit else {
                throw .badArg("password", "at least 6 characters with upper case, lower case and a digit")
            }
        }
        let key = NameFolding.key(of: String(decoding: password, as: UTF8.self))
        if key == handle.key || key == email?.key { throw .badArg("password", "not the name or the address") }
    }

    /// A valid free handle made of the address's local part: what is not allowed is dropped, digits are added.
    private func freeHandle(from email: EmailAddress) throws(Refusal) -> Handle {
        try freeHandle(like: String(email.text.prefix { $0 != "@" }))
    }

    /// A valid free handle made of a text in the same way.
    func freeHandle(like local: String) throws(Refusal) -> Handle {
        let kept = String(String.UnicodeScalarView(local.unicodeScalars.filter(NameFolding.isAllowed)))
        let base = String((NameFolding.normalised(kept) ?? "").prefix(16))
        // Where not even digits help, ten thousand tries would only take time.
        let isHopeless = (try? Handle(checking: base + "000", isTaken: { _ in false })) == nil
        for number in 0..<(isHopeless ? 1 : 10_000) {
            let text = number == 0 ? base : base + String(number)
            if let handle = try? Handle(checking: text, isTaken: isTaken) { return handle }
        }
        for number in accountSlots.count + 1...accountSlots.count + 1_000 {
            if let handle = try? Handle(checking: "user" + String(number), isTaken: isTaken) { return handle }
        }
        throw .badArg("name", "choose a name")
    }

    /// The account that signs in by password under this name or address.
    package func account(signingInAs who: String) -> AccountNumber? {
        let key = NameFolding.key(of: who)
        return who.utf8.contains(0x40) ? emails[key] : handles[key]
    }
}
