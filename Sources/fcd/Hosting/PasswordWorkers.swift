import ChatModel
import Engine
import SystemIO
import TLS

/// Threads that hash passwords, half as many as CPUs, at low priority; sources take turns, each with one job in flight,
/// so that one address cannot keep the others waiting. What would wait too long is answered busy at once.
final class PasswordWorkers: Sendable {
    private struct Queue {
        /// Waiting jobs of each source, in order, and the sources in turn.
        var jobs: [String: [PasswordJob]] = [:]
        var turns: [String] = []
        var inFlight: Set<String> = []
        var count = 0
    }

    /// Jobs that may wait in all: some seconds of work.
    private static let capacity = 128
    /// Of these, from one source: the rest is for others.
    private static let capacityOfSource = 32
    private let queue = Lock(Queue())
    private let report: @Sendable (PasswordResult) -> Void

    /// - Parameter report: called with each result, on a worker's thread or, when busy, on the caller's.
    init(count: Int, report: @escaping @Sendable (PasswordResult) -> Void) {
        self.report = report
        for number in 0..<count {
            _ = SystemIO.Thread(name: "password-\(number)") { [self] in
                ThreadPriority.lower()
                while true { work() }
            }
        }
    }

    func add(_ job: PasswordJob) {
        let taken = queue.withLock { (queue: inout Queue) -> Bool in
            let waiting = queue.jobs[job.source]?.count ?? 0
            guard queue.count < Self.capacity, waiting < Self.capacityOfSource else { return false }
            queue.count += 1
            if queue.jobs[job.source]?.append(job) == nil {
                queue.jobs[job.source] = [job]
                if !queue.inFlight.contains(job.source) { queue.turns.append(job.source) }
            }
            return true
        }
        if taken { queue.signal() } else { report(PasswordResult(id: job.id, outcome: .busy)) }
    }

    private func work() {
        let job = queue.wait { (queue: inout Queue) -> PasswordJob? in
            if queue.turns.isEmpty { return nil }
            let source = queue.turns.removeFirst()
            guard let job = queue.jobs[source]?.removeFirst() else { return nil }
            if queue.jobs[source]?.isEmpty == true { queue.jobs[source] = nil }
            queue.inFlight.insert(source)
            queue.count -= 1
            return job
        }
        report(PasswordResult(id: job.id, outcome: Self.outcome(of: job)))
        queue.withLock { (queue: inout Queue) in
            queue.inFlight.remove(job.source)
            if queue.jobs[job.source] != nil { queue.turns.append(job.source) }
        }
        queue.signal()
    }

    private static func outcome(of job: PasswordJob) -> PasswordResult.Outcome {
        do {
            let hash = try job.password.bytes.withUnsafeBytes { bytes in
                try PasswordHash.scrypt(password: bytes, salt: job.salt, n: job.n, r: job.r, p: job.p)
            }
            guard let expected = job.expected else { return .hash(hash) }
            return .matches(!expected.isEmpty && PasswordHash.equal(hash, expected))
        } catch {
            return .failed("\(error)")
        }
    }
}
