import SystemIO
import TLS
import Transport

typealias Job = @Sendable (EventLoop) -> Void

/// One to several real loops on threads of their own with one listener; jobs run as the driver's mail.
final class Loops: Sendable {
    let intakes: [LoopIntake]
    let address: String
    private let jobs: [Mailbox<Job>]
    private let threads: [SystemIO.Thread]

    init(
        _ count: Int = 1,
        tls: Bool = false,
        on address: SocketAddress = .ip4("127.0.0.1", port: 0),
        settings: TransportSettings = TransportSettings(),
        handler: @escaping @Sendable (Int) -> any ConnectionHandler
    ) throws {
        Sockets.ignoreBrokenPipes()
        let listener = try Listener(on: address, isTLS: tls, kind: 0, index: 3)
        let intakes = try (0..<count).map { _ in try LoopIntake() }
        let jobs = try (0..<count).map { _ in try Mailbox<Job>() }
        let slot = TLSSlot(TestIdentity.server)
        (self.intakes, self.jobs, self.address) = (intakes, jobs, listener.address)
        threads = (0..<count).map { index in
            SystemIO.Thread(name: "loop \(index)") {
                do throws(Errno) {
                    let loop = try EventLoop(index: index, settings: settings, tls: slot, intake: intakes[index])
                    loop.handle(kind: 0, by: handler(index))
                    loop.watch(jobs[index].wakeUp)
                    if index == 0 { loop.listen(on: listener, sharedWith: intakes) }
                    loop.run(JobDriver(jobs[index]))
                } catch {
                    fatalError("no loop: \(error)")
                }
            }
        }
    }

    /// Runs `body` on a loop's thread and waits for its result.
    func ask<Result: Sendable>(_ index: Int = 0, _ body: @escaping @Sendable (EventLoop) -> Result) throws -> Result {
        let answer = Lock<Result?>(nil)
        jobs[index].post { loop in
            let result = body(loop)
            answer.withLock { $0 = result }
            answer.signal()
        }
        guard let result = answer.wait(atMost: 20, until: { $0 }) else { throw TestFailure("the loop does not answer") }
        return result
    }

    func post(_ index: Int = 0, _ job: @escaping Job) { jobs[index].post(job) }

    /// Waits until `condition` holds on the loop; false when it does not within 20 seconds.
    func eventually(_ index: Int = 0, _ condition: @escaping @Sendable (EventLoop) -> Bool) throws -> Bool {
        let end = Clock.monotonicNanoseconds + 20_000_000_000
        while Clock.monotonicNanoseconds < end {
            if try ask(index, condition) { return true }
            pauseBriefly()
        }
        return false
    }

    func stop() {
        for mailbox in jobs { mailbox.post { $0.stop() } }
        for thread in threads { thread.join() }
    }
}

/// Runs the jobs that came by mail, one batch a turn.
final class JobDriver: LoopDriver {
    private let mailbox: Mailbox<Job>
    private var batch: ContiguousArray<Job> = []

    init(_ mailbox: Mailbox<Job>) { self.mailbox = mailbox }

    func turn(_ loop: EventLoop) -> Bool {
        mailbox.take(into: &batch)
        for job in batch { job(loop) }
        batch.removeAll()
        return false
    }

    func willSleep(_ loop: EventLoop) -> Bool { mailbox.sleep() }

    func tick(_ loop: EventLoop, now: UInt64) {}
}
