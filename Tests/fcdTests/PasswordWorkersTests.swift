import ChatModel
import SystemIO
import Testing

@testable import Engine
@testable import fcd

@Suite("Password work is shared out among sources")
struct PasswordWorkersTests {
    private func job(_ id: UInt64, from source: String) -> PasswordJob {
        PasswordJob(
            id: id,
            source: source,
            password: Secret([1]),
            n: 1024,
            r: 8,
            p: 1,
            salt: [1],
            expected: nil
        )
    }

    @Test func `one source that asks for ever more leaves room for the others`() {
        let refused = Lock<[UInt64]>([])
        let workers = PasswordWorkers(count: 0) { result in refused.withLock { $0.append(result.id) } }
        for id in 0..<1000 { workers.add(job(UInt64(id), from: "192.0.2.1")) }
        #expect(refused.withLock { $0.count } >= 872)
        workers.add(job(1000, from: "192.0.2.2"))
        #expect(refused.withLock { !$0.contains(1000) })
    }
}
