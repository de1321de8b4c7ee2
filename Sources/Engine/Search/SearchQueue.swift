import ChatModel

/// A SEARCH that is not answered yet.
struct SearchWait {
    let request: Request
    let search: Search
    /// Who asked, and from where.
    let account: AccountNumber
    let source: String
    /// Only messages below: what was found above is gone meanwhile.
    var end = Seq.max
}

/// Searches that wait for a worker, and those that one is at. A connection has one at a time, as it has no further line
/// taken meanwhile. Owned by the engine.
struct SearchQueue {
    /// Searches that may wait: some seconds of work at worst.
    static let capacity = 64
    /// Of these, from one source: the rest is for others.
    static let capacityOfSource = 32

    /// How many are handed out at the same time.
    var workerCount = 1
    private var waiting: [SearchWait] = []
    private var running: [(job: SearchJob, wait: SearchWait)] = []
    private var nextID: UInt64 = 1
    private var lastSource = ""

    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }

    /// - Throws: `Refusal` BUSY when too many wait.
    mutating func add(_ wait: SearchWait) throws(Refusal) {
        let ofSource = waiting.reduce(0) { $0 + ($1.source == wait.source ? 1 : 0) }
        guard waiting.count < Self.capacity, ofSource < Self.capacityOfSource else {
            throw Refusal(.busy, retry: .seconds(1), "too many searches at once; try again")
        }
        waiting.append(wait)
    }

    /// Puts back in front what was handed out and has to be looked for again.
    mutating func putBack(_ wait: SearchWait) { waiting.insert(wait, at: 0) }

    /// The next one when a worker is free: the oldest that is not of the source that had the last turn, else the oldest.
    mutating func next() -> SearchWait? {
        guard running.count < workerCount, !waiting.isEmpty else { return nil }
        let wait = waiting.remove(at: waiting.firstIndex { $0.source != lastSource } ?? 0)
        lastSource = wait.source
        return wait
    }

    mutating func takeID() -> UInt64 {
        defer { nextID += 1 }
        return nextID
    }

    mutating func started(_ job: SearchJob, for wait: SearchWait) { running.append((job, wait)) }

    /// What a worker was at.
    mutating func ended(_ id: UInt64) -> (job: SearchJob, wait: SearchWait)? {
        running.firstIndex { $0.job.id == id }.map { running.remove(at: $0) }
    }

    /// The connection has gone: nobody waits for its search.
    mutating func drop(_ key: ConnectionKey) {
        waiting.removeAll { $0.request.connection == key }
        for entry in running where entry.wait.request.connection == key { entry.job.ticket.void() }
    }
}
