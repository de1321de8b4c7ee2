extension BenchRun {
    /// What is sent to each subscriber before a measurement with some who stall: more than the kernel takes for one of
    /// them, so that the server has noticed them all when it begins.
    private static let stallByteCount = 1 << 20

    /// Lets those who stall fall behind; the others get everything, and nothing of it is counted.
    func fallBehind() {
        let mode = options.mode
        if mode.stalled == 0 { return }
        let wanted = UInt32(Self.stallByteCount / options.byteCount)
        let fill = BenchMode.fan(subscribers: mode.subscribersPerRoom, window: 64, stalled: mode.stalled)
        workload = Workload(mode: fill, run: UInt16.random(in: 0...UInt16.max), traits: adapter.traits)
        reopened = [0]
        while workload.sent[0] < wanted, closed < connections.count {
            pump(upTo: wanted)
            flushAll()
            turn(milliseconds: 100)
        }
        drain()
        var run = workload.run
        while run == workload.run { run = UInt16.random(in: 0...UInt16.max) }
        workload = Workload(mode: mode, run: run, traits: adapter.traits)
    }
}
