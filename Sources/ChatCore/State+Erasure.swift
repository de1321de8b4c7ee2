import ChatModel

/// The erasure of an account: UNREGISTER, and what the operator does (protocol.md, Accounts).
///
/// First the account leaves its conversations and nobody can sign in to it any more, in one step. Then whoever drives the
/// state blanks its lines, conversation by conversation, with `erase` behind each; in the end the account is forgotten. A
/// crash in between is no harm: an account that `isErasing` is gone on with.
extension State {
    package func decideErasing(_ number: AccountNumber, now: Timestamp) -> [Change] {
        guard let account = account(number), !account.isErasing else { return [] }
        return leaveAll(account, now: now) + [.ledger(.erasing(number))]
    }

    /// The changes by which an account leaves all conversations but its 1:1s.
    func leaveAll(_ account: Account, now: Timestamp) -> [Change] {
        var changes: [Change] = []
        for conversation in account.conversations where !self.conversation(conversation).isDirect {
            guard let name = self.conversation(conversation).namedKey,
                let decision = try? decideLeave(.named(name), by: account.number, now: now)
            else { continue }
            changes += decision.changes
        }
        return changes
    }

    /// The event behind the last blanked line of a conversation; nil where nothing can follow any more.
    package func decideErase(
        _ number: AccountNumber,
        in conversation: ConversationNumber,
        now: Timestamp
    ) -> Event? {
        if self.conversation(conversation).isDropped { return nil }
        return next(conversation, .erase(number), by: .server, now: now)
    }

    /// Accounts on their way out, in the order of their numbers. O(accounts).
    package var erasing: [AccountNumber] {
        accountSlots.compactMap { account in account?.isErasing == true ? account?.number : nil }
    }
}
