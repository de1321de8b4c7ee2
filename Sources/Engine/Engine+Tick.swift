import ChatCore
import ChatModel

extension Engine {
    /// Accounts looked at in one tick, and the time between two rounds.
    private static let expirySpan = 10_000
    private static let expiryInterval: Int64 = 3_600_000

    /// Once a second: compares memory with its limit and forgets a few guests that were idle for long.
    func tick(residentBytes: UInt64) {
        isMemoryFull = residentBytes > memoryLimit
        noteTickForNews()
        if readOnlyReason == nil {
            expireGuests()
            expireBlobs()
            writeMarkers()
            commit(content.state.decideUnmutes(now: now))
            noteTickForRetention()
            forgetDeletions()
        }
        endExpiredTokens()
        expirePartials()
    }

    private func endExpiredTokens() {
        if expiringTokens.isEmpty { return }
        for (key, expires) in expiringTokens where expires <= now && isOpen(key) {
            endSession(key, reason: "this token has expired")
        }
    }

    private func expireGuests() {
        if expiryCursor == nil {
            if monotonic < nextExpiry { return }
            nextExpiry = monotonic.adding(milliseconds: Self.expiryInterval)
        }
        let days = Int64(content.state.limits.guestDays)
        let time = monotonic.adding(milliseconds: -days * 86_400_000)
        let (found, next) = content.state.guests(notSeenSince: time, after: expiryCursor, span: Self.expirySpan)
        expiryCursor = next
        for guest in found where connectionsOf[guest] == nil {
            commit(content.state.decideExpire(guest, now: now))
        }
    }
}
