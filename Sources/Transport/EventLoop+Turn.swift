import SystemIO

extension EventLoop {
    /// Milliseconds a turn may take before it counts as long.
    private static let longTurn: UInt64 = 20
    /// Sweeps are at least this far apart, because each looks at every connection.
    private static let sweepInterval: UInt64 = 100

    /// One turn; true when the driver has more to do.
    func turn(_ driver: any LoopDriver, hasMore: Bool) -> Bool {
        let reports = poller.wait(milliseconds: patience(driver, hasMore: hasMore))
        milliseconds = Self.clock()
        turns &+= 1
        adoptMail()
        rereadReady()
        for index in 0..<reports { serve(poller.report(index)) }
        shakeHands()
        if milliseconds >= nextSweep && milliseconds >= lastSweep + Self.sweepInterval { sweep() }
        if wantsTicks && milliseconds >= nextTick {
            nextTick = milliseconds + 1000
            driver.tick(self, now: seconds)
        }
        let more = driver.turn(self)
        buryTheDead()
        if Self.clock() - milliseconds > Self.longTurn { intake.noteLongTurn() }
        return more
    }

    /// How long the poll may wait, as epoll_wait(2) takes it.
    private func patience(_ driver: any LoopDriver, hasMore: Bool) -> Int32 {
        if hasMore || !ready.isEmpty || !handshakes.isEmpty { return 0 }
        if !driver.willSleep(self) || !intake.mailbox.sleep() { return 0 }
        var due = nextSweep == .max ? .max : max(nextSweep, lastSweep + Self.sweepInterval)
        if wantsTicks { due = min(due, nextTick) }
        if due == .max { return -1 }
        let now = Self.clock()
        return due <= now ? 0 : Int32(min(due - now, 60_000))
    }

    private func serve(_ report: (token: UInt64, readable: Bool, writable: Bool)) {
        let (slot, generation) = Self.parts(of: report.token)
        if generation == 0 { return serveWatched(slot) }
        // A report may be older than the connection that has the slot now.
        guard let connection = connection(slot: slot, generation: generation) else { return }
        if connection.phase.rawValue < Connection.Phase.open.rawValue {
            list(handshake: connection)
        } else {
            if report.writable && connection.isBlocked { connection.drain() }
            if report.readable || connection.readNeedsOutput { connection.inputReported(isReadable: report.readable) }
        }
        buryTheDead()
    }

    private func serveWatched(_ index: Int) {
        switch watched[index] {
        case .wakeUp: break
        case .body(let body): body()
        case .listener(let point): acceptConnections(at: point)
        }
    }

    static func parts(of token: UInt64) -> (slot: Int, generation: UInt32) {
        (Int(token & 0xFFFF_FFFF), UInt32(token >> 32))
    }

    func connection(_ token: UInt64) -> Connection? {
        let (slot, generation) = Self.parts(of: token)
        return connection(slot: slot, generation: generation)
    }

    /// Lets `connection` be read in the next turn though no poll reports it.
    func list(ready connection: Connection) {
        if connection.isListed { return }
        connection.isListed = true
        ready.append(connection.token)
    }

    private func rereadReady() {
        if ready.isEmpty { return }
        swap(&ready, &readyBatch)
        for token in readyBatch {
            guard let connection = connection(token) else { continue }
            connection.isListed = false
            if connection.phase == .open && !connection.isPaused && !connection.inputHasEnded { connection.readInput() }
            buryTheDead()
        }
        readyBatch.removeAll(keepingCapacity: true)
    }

    private func list(handshake connection: Connection) {
        if connection.isListed { return }
        connection.isListed = true
        handshakes.append(connection.token)
    }

    /// Does a bounded number of handshake steps. Those that must wait are not polled meanwhile, so that a crowd of them
    /// does not crowd out the reports of others.
    private func shakeHands() {
        if handshakes.isEmpty { return }
        let count = min(handshakes.count, settings.handshakesPerTurn)
        for index in 0..<count {
            guard let connection = connection(handshakes[index]) else { continue }
            connection.isListed = false
            connection.advance()
            buryTheDead()
        }
        handshakes.removeFirst(count)
        mutedHandshakes = max(0, mutedHandshakes - count)
        for index in mutedHandshakes..<handshakes.count {
            if let connection = connection(handshakes[index]) { connection.setInterest([]) }
        }
        mutedHandshakes = handshakes.count
        buryTheDead()
    }

    /// Asks for a sweep at the given time or a little later.
    func wake(atMilliseconds time: UInt64) { nextSweep = min(nextSweep, time) }

    /// Looks at every connection's times. O(slots), at most ten times a second and only when something is due.
    private func sweep() {
        lastSweep = milliseconds
        nextSweep = .max
        forEachConnection { $0.checkTimes(atMilliseconds: milliseconds) }
        for case .listener(let point) in watched { endRest(of: point) }
        buryTheDead()
    }
}
