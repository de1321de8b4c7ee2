import SystemIO

/// Runs bodies at once, each on a thread of its own, and waits for all; the first error is thrown.
package func together(_ bodies: [@Sendable () throws -> Void]) throws {
    let failures = Lock<[any Error]>([])
    let threads = bodies.map { body in
        SystemIO.Thread(name: "test worker") {
            do { try body() } catch { failures.withLock { $0.append(error) } }
        }
    }
    for thread in threads { thread.join() }
    let all = failures.withLock { $0 }
    if let first = all.first { throw first }
}
