import ChatModel

/// Read markers (protocol.md, SEEN). They are not in the log: a move is told to whom it concerns, and written down once a
/// second.
extension State {
    /// Where a marker goes.
    package struct MarkerMove: Sendable {
        package let conversation: ConversationNumber
        /// The seq that was read up to.
        package let seq: Seq
        /// Whether that is further than before.
        package let isForward: Bool
    }

    /// Decides SEEN and moves the marker; never back.
    /// - Throws: `Refusal`; CONFLICT with `next=` beyond the end.
    package func moveMarker(
        _ target: ConversationTarget,
        _ seq: Seq,
        by account: AccountNumber
    ) throws(Refusal) -> MarkerMove? {
        guard case .conversation(let number) = try findAsMember(target, account) else {
            if seq == 0 { return nil }
            throw Self.beyond(next: 1)
        }
        let conversation = self.conversation(number)
        var asker = asker(account, in: conversation)
        asker.owns = true
        guard Access.marker(.change, asker) else { throw .denied("you have no marker here") }
        if seq >= conversation.nextSeq { throw Self.beyond(next: conversation.nextSeq) }
        let isForward = noteRead(by: account, in: number, through: seq)
        return MarkerMove(conversation: number, seq: seq, isForward: isForward)
    }

    /// Moves a marker forward to `seq`.
    /// - Returns: whether it was moved.
    @discardableResult
    func noteRead(by number: AccountNumber, in conversation: ConversationNumber, through seq: Seq) -> Bool {
        guard exists(conversation), let account = account(number) else { return false }
        let conversation = self.conversation(conversation)
        let count = conversation.messageCount(through: seq)
        if conversation.isLobby {
            guard account.lobbyRead < count else { return false }
            account.lobbyRead = count
            return true
        }
        guard let member = conversation.member(number), member.read < count else { return false }
        conversation.markRead(by: number, count: count)
        return true
    }

    /// How many messages stand up to where an account has read; what is written down of a marker.
    package func readCount(of number: AccountNumber, in conversation: ConversationNumber) -> UInt64 {
        guard exists(conversation) else { return 0 }
        let conversation = self.conversation(conversation)
        return conversation.isLobby ? account(number)?.lobbyRead ?? 0 : conversation.member(number)?.read ?? 0
    }

    /// Takes over what was written down of a marker: forward only.
    func apply(marker conversation: ConversationNumber, _ count: UInt64, of number: AccountNumber) {
        guard exists(conversation) else { return }
        let conversation = self.conversation(conversation)
        let count = min(count, conversation.messages.count)
        if conversation.isLobby {
            change(number) { $0.lobbyRead = max($0.lobbyRead, count) }
        } else {
            conversation.markRead(by: number, count: count)
            marks.note(conversation: Int(conversation.number.raw) - 1, at: position)
        }
    }

    private static func beyond(next: Seq) -> Refusal {
        Refusal(.conflict, field: "seq", details: [.number("next", next)], "this is beyond the end")
    }
}
