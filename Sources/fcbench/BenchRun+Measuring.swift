import Glibc
import SystemIO

extension BenchRun {
    /// Sends for the time asked for, waits for what is under way, and tells what came of it.
    func measure() throws(BenchFailure) -> any Report {
        fallBehind()
        let before = try usage()
        let ownBefore = ServerUsage.ownCPUSeconds
        let start = Clock.monotonicNanoseconds
        send(from: start)
        drain()
        let after = try usage()
        let own = ServerUsage.ownCPUSeconds - ownBefore
        let end = max(workload.lastProgress, start + 1)
        return report(seconds: Double(end - start) / 1e9, before, after, ownSeconds: own)
    }

    func usage() throws(BenchFailure) -> ServerUsage? {
        guard let pid = options.serverPID else { return nil }
        guard let usage = ServerUsage(pid: pid) else {
            throw BenchFailure(text: "there is no process \(pid) (any more)")
        }
        return usage
    }

    private func send(from start: UInt64) {
        let end = start + UInt64(options.seconds * 1e9)
        var due = DueTimes(start: start, mode: options.mode)
        reopened = Array(0..<options.mode.publisherCount)
        while Clock.monotonicNanoseconds < end, closed < connections.count {
            if due == nil { pump(upTo: options.messages) } else { due = sendDue(due, until: end) }
            flushAll()
            if due == nil && allSent { break }
            turn(milliseconds: 100)
        }
    }

    /// Whether every publisher has sent all it may in this run.
    private var allSent: Bool { workload.sent.allSatisfy { $0 >= options.messages } }

    /// Lets every publisher whose window has opened send until it is closed again, or `limit` are sent.
    func pump(upTo limit: UInt32) {
        let now = Clock.monotonicNanoseconds
        for publisher in reopened {
            while workload.sent[publisher] < limit, workload.maySend(publisher) { publish(publisher, now) }
        }
        reopened.removeAll(keepingCapacity: true)
    }

    /// Sends what is due by now and sets the alarm to the next time; the times that are left.
    private func sendDue(_ times: DueTimes?, until end: UInt64) -> DueTimes? {
        guard var times else { return nil }
        let now = Clock.monotonicNanoseconds
        while times.next <= now, times.next < end, workload.sent[0] < options.messages {
            publish(0, times.next)
            times.advance()
        }
        alarm.set(min(times.next, end))
        return times
    }

    private func publish(_ publisher: Int, _ stamp: UInt64) {
        let payload = workload.send(publisher, at: stamp)
        let connection = connections[options.mode.connection(ofPublisher: publisher)]
        templates[publisher].withUnsafeMutableBytes { line in
            payload.write(into: UnsafeMutableRawBufferPointer(rebasing: line[payloadStarts[publisher]...]))
            if !connection.hasOutput { toFlush.append(connection.index) }
            connection.append(UnsafeRawBufferPointer(line))
        }
    }

    /// Waits until everything has arrived, or nothing has for the time of --drain.
    func drain() {
        var last = (progress: workload.lastProgress, at: Clock.monotonicNanoseconds)
        while !workload.isComplete, closed < connections.count {
            turn(milliseconds: 100)
            flushAll()
            let now = Clock.monotonicNanoseconds
            if workload.lastProgress != last.progress { last = (workload.lastProgress, now) } else { nudge() }
            if now - last.at > UInt64(options.drain * 1e9) { return }
        }
        // A double would come right behind.
        let end = Clock.monotonicNanoseconds + 100_000_000
        while Clock.monotonicNanoseconds < end { turn(milliseconds: 20) }
    }

    /// Makes a server look once more for what the publishers have sent.
    private func nudge() {
        let words = adapter.traits.nudge
        if words.utf8CodeUnitCount == 0 { return }
        for publisher in 0..<options.mode.publisherCount {
            let connection = connections[options.mode.connection(ofPublisher: publisher)]
            if connection.hasOutput { continue }
            connection.append(UnsafeRawBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount))
            toFlush.append(connection.index)
        }
    }

    private func report(
        seconds: Double,
        _ before: ServerUsage?,
        _ after: ServerUsage?,
        ownSeconds: Double
    ) -> BenchReport {
        let micros = { (share: Double) in Double(self.workload.latencies.percentile(share)) / 1000 }
        var report = BenchReport(
            mode: options.mode.name,
            connections: connections.count,
            stalled: options.mode.stalled,
            bytes: options.byteCount,
            seconds: seconds,
            sent: workload.sentTotal,
            acknowledged: adapter.traits.acknowledges ? workload.acknowledgedTotal : nil,
            deliveries: workload.unique,
            perSecond: Double(workload.unique) / seconds,
            p50Micros: micros(0.5),
            p99Micros: micros(0.99),
            p999Micros: micros(0.999),
            maxMicros: Double(workload.latencies.maximum) / 1000,
            lost: workload.lost,
            doubled: workload.doubles,
            disordered: workload.disorders,
            foreign: workload.foreign,
            refused: refused,
            closed: closed,
            generatorLoad: ownSeconds / seconds
        )
        if let before, let after {
            let used = after.cpuSeconds - before.cpuSeconds
            report.serverCPUPerMillion = used / (Double(max(1, workload.unique)) / 1e6)
            report.serverLoad = used / seconds
            report.serverResidentKiB = after.residentKiB
            report.serverGrowthKiB = after.residentKiB - before.residentKiB
        }
        return report
    }
}
