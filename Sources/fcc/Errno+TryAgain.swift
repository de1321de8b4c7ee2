import Glibc
import SystemIO

extension Errno {
    /// Nothing there yet (EAGAIN): somebody else made the descriptor non-blocking.
    var isTryAgain: Bool { code == EAGAIN }
}
