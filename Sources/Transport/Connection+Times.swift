extension Connection {
    /// Acts on what is due, and tells the loop when to look again. Called by the loop's sweep.
    func checkTimes(atMilliseconds now: UInt64) {
        if phaseEnd <= now {
            phaseEnd = .max
            if phase == .lingering { linger() } else { openingExpired() }
        }
        if isBlocked && stallEnd <= now { checkStall() }
        if deadlineSeconds <= now / 1000 {
            deadlineSeconds = .max
            switch phase {
            case .open: handler.expired(self)
            case .finishing, .lingering: die()
            case .greeting, .handshaking, .dead: break
            }
        }
        guard phase != .dead else { return }
        loop.wake(atMilliseconds: phaseEnd)
        if isBlocked { loop.wake(atMilliseconds: stallEnd) }
        if let deadline { self.deadline = deadline }
    }
}
