import Glibc

/// The one lock of this project: a pthread mutex around a value.
///
/// Not `Synchronization.Mutex`, because the thread sanitizer does not understand that one on Linux and reports every
/// hand-over through it.
///
/// `@unchecked Sendable`: `value` is only reachable inside `withLock`, which holds the mutex for the whole closure.
public final class Lock<Value>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
    @usableFromInline var value: Value

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        // Waits are measured by the clock that nobody sets.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        self.value = value
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` alone. Keep it short: other threads wait.
    @inlinable public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Waits until `ready` returns a result, tried again after each `signal`. Blocks the thread.
    package func wait<Result>(until ready: (inout Value) -> sending Result?) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = ready(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// The same with an end: nil when `seconds` have passed without a result.
    package func wait<Result>(
        atMost seconds: Double,
        until ready: (inout Value) -> sending Result?
    ) -> sending Result? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int64(end.tv_nsec) + Int64(min(seconds, 1e8) * 1e9)
        end.tv_sec += Int(nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = ready(&value) { return result }
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return ready(&value) }
        }
    }

    /// Wakes all that wait in `wait(until:)`.
    package func signal() { pthread_cond_broadcast(condition) }
}
