import CLinux
import Glibc

/// A thread of our own; never one of Swift's cooperative pool, because ours block in the kernel.
///
/// `@unchecked Sendable`: the handle is written once before anybody else has the object, and `join` is called by its
/// one owner.
package final class Thread: @unchecked Sendable {
    private var handle = pthread_t()

    private final class Start {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// Starts `body` on a new thread. `name` shows in ps(1) and perf(1); at most 15 bytes of it.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name, body))
        let failure = pthread_create(
            &handle,
            nil,
            { raw in
                guard let raw else { return nil }
                let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
                _ = fc_set_thread_name(String(start.name.prefix(15)))
                start.body()
                return nil
            },
            start.toOpaque()
        )
        precondition(failure == 0, "the system refuses a thread")
    }

    /// Waits until the body has returned. Call it once.
    package func join() { pthread_join(handle, nil) }
}
