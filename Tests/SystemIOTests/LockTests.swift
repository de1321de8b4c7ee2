import ChatTesting
import SystemIO
import Testing

@Suite("A lock") struct LockTests {
    private struct Wrong: Error {}

    @Test func `lets one thread in at a time`() {
        let lock = Lock(0)
        let threads = (0..<4).map { number in
            SystemIO.Thread(name: "adder \(number)") {
                for _ in 0..<20_000 { lock.withLock { (value: inout Int) in value += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(lock.withLock { (value: inout Int) -> Int in value } == 80_000)
    }

    @Test func `is free again after an error`() {
        let lock = Lock(1)
        #expect(throws: Wrong.self) {
            try lock.withLock { (value: inout Int) throws(Wrong) -> Int in
                value = 2
                throw Wrong()
            }
        }
        #expect(lock.withLock { (value: inout Int) -> Int in value } == 2)
    }

    @Test func `waits until another thread signals what it waits for`() {
        let lock = Lock(0)
        let thread = SystemIO.Thread(name: "counter") {
            for _ in 0..<100 {
                lock.withLock { (value: inout Int) in value += 1 }
                lock.signal()
            }
        }
        let seen = lock.wait { (value: inout Int) -> Int? in value == 100 ? value : nil }
        thread.join()
        #expect(seen == 100)
    }

    @Test func `waits no longer than it is told to`() {
        let lock = Lock(0)
        let start = monotonicSeconds()
        let found: Bool? = lock.wait(atMost: 0.05) { (_: inout Int) -> Bool? in nil }
        #expect(found == nil)
        #expect(monotonicSeconds() - start >= 0.045)
        #expect(lock.wait(atMost: 0) { (_: inout Int) -> Int? in 5 } == 5, "what is there already needs no wait")
    }
}
