import SystemIO

extension BenchRun {
    /// Gets everybody ready, then watches the server while nobody says anything.
    func beSilent() throws(BenchFailure) -> any Report {
        let (empty, start) = (try usage(), Clock.monotonicNanoseconds)
        try connectAll()
        let ready = Clock.monotonicNanoseconds
        settleDown()
        let (before, quiet) = (try usage(), Clock.monotonicNanoseconds)
        let end = quiet + UInt64(options.seconds * 1e9)
        while Clock.monotonicNanoseconds < end { turn(milliseconds: 100) }
        let (after, seconds) = (try usage(), Double(Clock.monotonicNanoseconds - quiet) / 1e9)
        var report = IdleReport(
            connections: connections.count,
            setUpSeconds: Double(ready - start) / 1e9,
            seconds: seconds,
            closed: closed
        )
        if let empty, let before, let after {
            let count = Double(connections.count)
            report.emptyKiB = empty.residentKiB
            report.kibPerConnection = Double(before.residentKiB - empty.residentKiB) / count
            report.setUpCPUMillis = (before.cpuSeconds - empty.cpuSeconds) * 1000 / count
            report.serverLoad = (after.cpuSeconds - before.cpuSeconds) / seconds
        }
        return report
    }
}
