extension Connection {
    /// Acts on what is due, and tells the loop when to look again. Called by the loop's sweep.
    func checkTimes(atMilliseconds now: UInt64) {
        if phaseEnd <= now {
            phaseEnd = .max
            if phase == .lingering { linger() } else { openingExpired() }
        }
        if isBlocked && stallEnd <= now { checkStall() }
        if phase == .open && deadlineSeconds <= now / 1000 {
            deadlineSeconds = .max
            handler.expired(self)
        }
        guard phase != .dead else { return }
        loop.wake(atMilliseconds: phaseEnd)
        if isBlocked { loop.wake(atMilliseconds: stallEnd) }
        if let deadline, phase == .open { self.deadline = deadline }
    }
}
