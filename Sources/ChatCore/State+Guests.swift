import ChatModel

extension State {
    /// Notes that an account has, or just had, a connection.
    package func noteSeen(_ number: AccountNumber) { account(number)?.lastSeen = monotonic }

    /// At the end of a recovery: what it brought counts as seen, and as sent, at `now`. O(accounts).
    package func noteRecovered(_ now: MonotonicTime, wall: Timestamp) {
        (monotonic, recoveredAt) = (now, now)
        restoreMuteEnds(wall)
        for index in accountSlots.indices { noteSeen(AccountNumber(UInt32(clamping: index + 1))) }
        noteRecoveredBlobs()
    }

    /// Whether there are at most `limit` accounts, guests among them. O(limit).
    package func hasAccounts(atMost limit: Int) -> Bool {
        accountSlots.count - unusedNumbers.count - expiredHandles.count <= limit
    }

    /// Written-down guests without items that are not on their way out, not seen since `time`, among at most `span` accounts after `cursor`;
    /// and where to go on, nil at the end.
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
                account.itemCount == 0, !account.isErasing
            else { return nil }
            return account.number
        }
        return (found, last == accountSlots.count ? nil : AccountNumber(UInt32(clamping: last)))
    }

    /// Forgets a guest: it leaves its conversations, then its account goes, and its uploads with it. Its 1:1s stay for the
    /// other side.
    package func decideExpire(_ number: AccountNumber, now: Timestamp) -> [Change] {
        guard let guest = account(number), guest.isGuest else { return [] }
        return leaveAll(guest, now: now) + [.ledger(.expire(number))]
    }
}
