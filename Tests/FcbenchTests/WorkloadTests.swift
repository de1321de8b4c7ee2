import Testing

@testable import fcbench

@Suite("A run's bookkeeping") struct WorkloadTests {
    @Test func `a window closes with its last message and opens when the oldest has reached everybody`() {
        var workload = Workload(mode: .fan(subscribers: 2, window: 2), run: 1)
        let first = workload.send(0, at: 100)
        #expect(workload.maySend(0))
        let second = workload.send(0, at: 100)
        #expect(!workload.maySend(0))
        expect(workload.delivered(second, to: 0, at: 150), false)
        expect(workload.delivered(second, to: 1, at: 150), false)
        expect(workload.delivered(first, to: 0, at: 150), false)
        #expect(!workload.maySend(0))
        expect(workload.delivered(first, to: 1, at: 200), true)
        #expect(workload.maySend(0))
        #expect((workload.unique, workload.lost) == (4, 0))
        #expect(workload.disorders == 2)
        #expect(workload.latencies.maximum == 100)
    }

    @Test func `what has not arrived is lost, and doubles do not make up for it`() {
        var workload = Workload(mode: .rate(perSecond: 10, subscribers: 2), run: 1)
        let payload = workload.send(0, at: 1)
        for _ in 0..<3 { _ = workload.delivered(payload, to: 0, at: 2) }
        #expect((workload.expected, workload.unique, workload.lost, workload.doubles) == (2, 1, 1, 2))
        #expect(!workload.isComplete)
    }

    @Test func `messages of another run and messages never sent are foreign`() {
        var workload = Workload(mode: .fan(subscribers: 1, window: 4), run: 1)
        let payload = workload.send(0, at: 1)
        for other in [
            Payload(run: 2, publisher: 0, sequence: 0, stamp: 1), Payload(run: 1, publisher: 1, sequence: 0, stamp: 1),
            Payload(run: 1, publisher: 0, sequence: 1, stamp: 1),
            Payload(run: 1, publisher: 0, sequence: .max, stamp: 1),
        ] { expect(workload.delivered(other, to: 0, at: 2), false) }
        #expect((workload.foreign, workload.unique) == (4, 0))
        _ = workload.delivered(payload, to: 0, at: 2)
        #expect((workload.foreign, workload.unique, workload.lost) == (4, 1, 0))
    }

    @Test func `a run is complete when everything has arrived and is acknowledged`() {
        var workload = Workload(mode: .fan(subscribers: 1, window: 4), run: 1)
        _ = workload.delivered(workload.send(0, at: 1), to: 0, at: 2)
        #expect(!workload.isComplete)
        workload.acknowledge(0, sequence: 9, at: 3)
        #expect(workload.isComplete)
        #expect(workload.lastProgress == 2)
        workload.acknowledge(0, sequence: 10, at: 3)
        #expect(workload.doubles == 1)
    }

    @Test func `acknowledged sends are timed one by one, oldest first`() {
        var workload = Workload(mode: .acked(senders: 2, inFlight: 2), run: 1)
        for time in [10, 20] as [UInt64] { _ = workload.send(1, at: time) }
        #expect(!workload.maySend(1) && workload.maySend(0))
        workload.acknowledge(1, sequence: 3, at: 40)
        #expect(workload.maySend(1))
        #expect(workload.latencies.maximum == 30)
        workload.acknowledge(1, sequence: 4, at: 70)
        #expect(workload.latencies.maximum == 50)
        #expect((workload.unique, workload.lost, workload.isComplete) == (2, 0, true))
    }

    @Test func `in many every member hears its whole room, itself with it`() {
        let mode = BenchMode.many(rooms: 2, members: 3, window: 1)
        var workload = Workload(mode: mode, run: 1)
        #expect((mode.connectionCount, mode.connection(ofPublisher: 4), mode.publisher(ofConnection: 4)) == (6, 4, 4))
        let payload = workload.send(4, at: 1)
        #expect(workload.expected == 3)
        for subscriber in [3, 4] { expect(workload.delivered(payload, to: subscriber, at: 2), false) }
        expect(workload.delivered(payload, to: 5, at: 2), true)
        #expect(workload.lost == 0)
    }

    @Test func `who stalls is not waited for`() {
        var workload = Workload(mode: .fan(subscribers: 3, window: 1, stalled: 2), run: 1)
        let payload = workload.send(0, at: 1)
        #expect(!workload.maySend(0))
        expect(workload.delivered(payload, to: 0, at: 2), true)
        workload.acknowledge(0, sequence: 1, at: 2)
        #expect((workload.expected, workload.lost, workload.isComplete) == (1, 0, true))
    }

    @Test func `where nobody hears himself, a message is for the others`() {
        let silent = ServerTraits(echoes: false, acknowledges: false)
        var workload = Workload(mode: .many(rooms: 1, members: 2, window: 1), run: 1, traits: silent)
        let payload = workload.send(1, at: 1)
        #expect(!workload.isComplete)
        expect(workload.delivered(payload, to: 0, at: 2), true)
        #expect((workload.expected, workload.acknowledgedTotal, workload.isComplete) == (1, 0, true))
    }

    @Test func `the last of the subscribers stall, and nobody else`() {
        let mode = BenchMode.rate(perSecond: 1, subscribers: 4, stalled: 2)
        #expect((0..<5).map { mode.isStalled($0) } == [false, false, true, true, false])
        #expect(mode.publisher(ofConnection: 4) == 0)
        #expect((mode.publisher(ofConnection: 3), mode.publisher(ofConnection: 5)) == (nil, nil))
    }

    @Test func `due times do not drift`() throws {
        var times = try #require(DueTimes(start: 1000, mode: .rate(perSecond: 3, subscribers: 1)))
        for _ in 0..<3_000_000 { times.advance() }
        #expect(times.next == 1000 + 1_000_000_000_000_000)
        #expect(DueTimes(start: 0, mode: .fan(subscribers: 1, window: 1)) == nil)
    }
}
