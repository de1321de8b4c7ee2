import SystemIO
import TLS

extension BenchRun {
    /// Makes one connection after the other, `crowd` at a time, each ended as soon as it has got as far as it should.
    func storm(_ wanted: Int, resume: Bool, signIn: Bool) throws(BenchFailure) -> any Report {
        let door = try door()
        let ticket = resume ? try firstTicket(door) : nil
        let (before, ownBefore, start) = (try usage(), ServerUsage.ownCPUSeconds, Clock.monotonicNanoseconds)
        let end = start + UInt64(options.seconds * 1e9)
        var (begun, done, resumed) = (0, 0, 0)
        connections.removeAll()
        while done + closed < wanted, Clock.monotonicNanoseconds < end {
            while connections.count < min(options.crowd, wanted) {
                connections.append(try open(connections.count, door, ticket: ticket))
                shakeHands(connections[connections.count - 1])
                begun += 1
            }
            turn(milliseconds: 100)
            for index in connections.indices {
                if connections[index].state == .ready {
                    done += 1
                    resumed += connections[index].isResumed ? 1 : 0
                    poller.remove(connections[index].number)
                    connections[index].finish()
                }
                guard connections[index].state == .closed, begun < wanted else { continue }
                connections[index] = try open(index, door, ticket: ticket)
                shakeHands(connections[index])
                begun += 1
            }
        }
        let seconds = Double(Clock.monotonicNanoseconds - start) / 1e9
        let own = ServerUsage.ownCPUSeconds - ownBefore
        // What the server still does for the last of them.
        let rest = Clock.monotonicNanoseconds + 200_000_000
        while Clock.monotonicNanoseconds < rest { turn(milliseconds: 20) }
        var report = StormReport(
            signIn: signIn,
            wanted: wanted,
            done: done,
            resumed: resumed,
            failed: closed,
            seconds: seconds,
            perSecond: Double(done) / seconds,
            generatorLoad: own / seconds
        )
        if let before, let after = try usage() {
            let used = after.cpuSeconds - before.cpuSeconds
            report.serverCPUMillis = used * 1000 / Double(max(1, done))
            report.serverLoad = used / seconds
        }
        return report
    }

    /// A ticket from a connection made for it, nil when the server gives none within five seconds.
    private func firstTicket(
        _ door: (address: SocketAddress, context: TLSContext)
    ) throws(BenchFailure) -> TLSTicket? {
        connections = [try open(0, door)]
        let connection = connections[0]
        shakeHands(connection)
        let end = Clock.monotonicNanoseconds + 5_000_000_000
        var ticket: TLSTicket?
        while ticket == nil, Clock.monotonicNanoseconds < end, connection.state != .closed {
            turn(milliseconds: 20)
            if !connection.isBeforeTLS { ticket = connection.ticket }
        }
        // It is over before the others come, so that what it costs is not counted with them.
        while connection.state == .settingUp, Clock.monotonicNanoseconds < end { turn(milliseconds: 20) }
        if let fault = firstFault { throw BenchFailure(text: fault) }
        poller.remove(connection.number)
        connection.finish()
        return ticket
    }
}
