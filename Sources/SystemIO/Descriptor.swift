import CLinux
import Glibc

/// An open file descriptor with one owner; closed when its owner lets go of it.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over `number`, which nobody else closes from now on.
    package init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Gives the number away without closing it.
    package consuming func relinquish() -> Int32 {
        let n = number
        discard self
        return n
    }
}
