import Engine
import SystemIO

/// Threads that look through lines for SEARCH, at low priority. The engine hands out no more jobs than there are threads.
final class SearchWorkers: Sendable {
    private let jobs = WorkQueue<SearchJob>()

    /// - Parameter report: called with each result, on a worker's thread.
    init(count: Int, report: @escaping @Sendable (SearchResult) -> Void) {
        for number in 0..<count {
            _ = SystemIO.Thread(name: "search-\(number)") { [jobs] in
                ThreadPriority.lower()
                var scratch = MessageFilter.Scratch()
                while true { report(jobs.next().run(&scratch)) }
            }
        }
    }

    func add(_ job: SearchJob) { jobs.add(job) }
}
