import CLinux
import Glibc

/// SIGINT and SIGTERM as a readable descriptor instead of a sudden end (signalfd(2)). Make it before other threads, so
/// that they inherit the blocked signals.
package final class Interrupts: Sendable {
    /// Becomes readable when one of the signals has come.
    package let descriptor: Int32

    /// - Throws: `Errno` when there is no descriptor left.
    package init() throws(Errno) {
        let signals = [SIGINT, SIGTERM]
        guard fc_block_signals(signals, Int32(signals.count)) == 0 else { throw Errno(code: EINVAL, call: "sigmask") }
        descriptor = try retrying("signalfd") { fc_signalfd(signals, Int32(signals.count)) }
    }

    deinit { close(descriptor) }

    /// Gives the signals their usual effect again, in the calling thread.
    package func letThrough() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
