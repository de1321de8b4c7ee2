import ChatModel

extension State {
    /// Notes that an account has, or just had, a connection.
    package func noteSeen(_ number: AccountNumber) { account(number)?.lastSeen = monotonic }

    /// At the end of a recovery: what it brought counts as seen, and as sent, at `now`. O(accounts).
    package func noteRecovered(_ now: MonotonicTime) {
        (monotonic, recoveredAt) = (now, now)
        for index in accountSlots.indices { noteSeen(AccountNumber(UInt32(clamping: index + 1))) }
    }

    /// Written-down guests without uploads, not seen since `time`, among at most `span` accounts after `cursor`; and where to go on, nil
    /// at the end.
    package func guests(
        notSeenSince time: MonotonicTime,
        after cursor: AccountNumber?,
        span: Int
    ) -> (found: [AccountNumber], next: AccountNumber?) {
        let first = Int(cursor?.raw ?? 0)
        let last = min(accountSlots.count, first + span)
        guard first < last else { return ([], nil) }
        let found = accountSlots[first..<last].compactMap { account -> AccountNumber? in
            guard let account, account.isGuest, account.isRecorded, account.lastSeen < time,
                account.uploads.isEmpty
            else { return nil }
            return account.number
        }
        return (found, last == accountSlots.count ? nil : AccountNumber(UInt32(clamping: last)))
    }

    /// Forgets a guest: it leaves its conversations, then its account goes. Its 1:1s stay for the other side.
    package func decideExpire(_ number: AccountNumber, now: Timestamp) -> [Change] {
        guard let guest = account(number), guest.isGuest else { return [] }
        var changes: [Change] = []
        for conversation in guest.conversations where !self.conversation(conversation).isDirect {
            guard let name = self.conversation(conversation).namedKey,
                let decision = try? decideLeave(.named(name), by: number, now: now)
            else { continue }
            changes += decision.changes
        }
        return changes + [.ledger(.expire(number))]
    }
}
