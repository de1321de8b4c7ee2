import SystemIO

/// Jobs for threads of their own, taken in the order of adding.
final class WorkQueue<Job: Sendable>: Sendable {
    private let jobs = Lock(ContiguousArray<Job>())

    func add(_ job: Job) {
        jobs.withLock { (jobs: inout ContiguousArray<Job>) in jobs.append(job) }
        jobs.signal()
    }

    /// Takes all jobs that wait. Blocks until there is one.
    func take() -> ContiguousArray<Job> {
        jobs.wait { (jobs: inout ContiguousArray<Job>) -> ContiguousArray<Job>? in
            if jobs.isEmpty { return nil }
            defer { jobs = [] }
            return jobs
        }
    }

    /// Takes the next job. Blocks until there is one.
    func next() -> Job {
        jobs.wait { (jobs: inout ContiguousArray<Job>) -> Job? in jobs.isEmpty ? nil : jobs.removeFirst() }
    }
}
