import ChatModel

/// What the operator does to accounts and conversations (protocol.md, The operator).
extension State {
    /// Codes for SIGNUP, and bans of addresses, that may stand at one time.
    private static let inviteLimit = 1000
    private static let addressBanLimit = 1000

    /// `USER promote`: an op of the lobby; no change for who is one.
    package func decidePromotion(of user: AccountNumber, now: Timestamp) -> Decision {
        let fields: [KeyValue] = [.word("user", handleText(user)), .word("conv", name(of: .lobby))]
        let lobby = conversation(.lobby)
        if let role = lobby.role(of: user), role >= .op {
            return Decision(reply: .done(fields + [.number("seq", lobby.lastSeq), .flag("dup", true)]))
        }
        let event = next(.lobby, .grant(user, .op), by: .operator, now: now)
        let reply = fields + [.number("seq", event.seq), .time("ts", event.time)]
        return Decision(recordingGuest(user) + [.event(event)], reply: .done(reply))
    }

    /// `DROP`: any conversation with a name but the lobby.
    package func decideOperatorDrop(_ target: ConversationTarget, now: Timestamp) throws(Refusal) -> Decision {
        if conversation(try findForOperator(target)).isDirect {
            throw .denied("a 1:1 is not dropped; DELETE takes its messages away")
        }
        return try decideDrop(target, by: .operator, now: now)
    }

    /// `INVITE`: a code, which takes the place of those whose time is over.
    package func decideInvite(
        _ hash: TokenHash,
        uses: UInt32,
        lifetime: Int64,
        now: Timestamp
    ) throws(Refusal) -> (invite: Invite, changes: [Change]) {
        let over = invites.filter { $0.value.expires <= now }.sorted { $0.key.hex < $1.key.hex }
        guard invites.count - over.count < Self.inviteLimit else {
            let details: [KeyValue] = [.number("limit", Self.inviteLimit)]
            throw Refusal(
                .limit,
                details: details,
                "so many codes are still good; each ends with its last use or its time"
            )
        }
        let invite = Invite(uses: uses, expires: Timestamp(milliseconds: now.milliseconds + lifetime * 1000))
        let taken = over.map { Change.ledger(.invite($0.key, Invite(uses: 0, expires: $0.value.expires))) }
        return (invite, taken + [.ledger(.invite(hash, invite))])
    }

    /// Checks ADD-USER by the rules of SIGNUP, which need not be open.
    package func checkNewUser(name: String, email: String) throws(Refusal) {
        _ = try checkEmail(email, of: .operator)
        _ = try checkName(name)
    }

    /// `ADD-USER`: account and code, kept or lost together.
    package func decideNewUser(
        name: String,
        email: String,
        code: PasswordRecord,
        now: Timestamp
    ) throws(Refusal) -> (handle: String, changes: [Change]) {
        let email = try checkEmail(email, of: .operator)
        let handle = try checkName(name)
        let record = AccountRecord(
            number: nextAccount,
            handle: handle.text,
            display: handle.text,
            phone: nil,
            email: email.text,
            password: nil,
            isGuest: false,
            created: now,
            session: nil,
            lobbyRead: lobbyMessages
        )
        return (handle.text, [.ledger(.account(record)), .ledger(.reset(record.number, code))])
    }

    /// `BAN-ADDR` of a prefix in its one spelling; no change where it says what is so already.
    package func decideAddressBan(_ prefix: String, isOn: Bool) throws(Refusal) -> Decision {
        let fields = [KeyValue.word("prefix", prefix)]
        if bannedAddresses.contains(prefix) == isOn { return Decision(reply: .done(fields + [.flag("dup", true)])) }
        if isOn, bannedAddresses.count >= Self.addressBanLimit {
            let details: [KeyValue] = [.number("limit", Self.addressBanLimit)]
            throw Refusal(.limit, field: "prefix", details: details, "so many are banned; a firewall takes more")
        }
        return Decision([.ledger(.addressBan(prefix, isOn))], reply: .done(fields))
    }
}
