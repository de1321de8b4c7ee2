import Glibc
import Synchronization
import SystemIO

/// A listening socket, from any thread to the loop that accepts on it (`EventLoop.listen`).
package final class Listener: Sendable {
    /// Address as bound: "127.0.0.1:7700", "[::1]:7700" or "unix:/path"; port 0 has become a real one.
    package let address: String
    package let isTLS: Bool
    /// Which handler its connections get (`EventLoop.handle`).
    package let kind: Int
    /// The caller's number for it, seen again as `Connection.listener`.
    package let index: Int
    /// Unix sockets: nothing to tune, and a path to remove.
    let path: String?
    private let descriptor: Atomic<Int32>

    /// Binds and listens. A unix socket's path is taken over from a dead process; its mode becomes 0600.
    /// - Parameter backlog: connections the kernel holds until they are accepted (listen(2)).
    /// - Throws: `Errno` of the call that failed; EINVAL also when the address is not numeric.
    package init(
        on address: SocketAddress,
        isTLS: Bool,
        kind: Int,
        index: Int = 0,
        backlog: Int32 = 1024
    ) throws(Errno) {
        (self.isTLS, self.kind, self.index) = (isTLS, kind, index)
        if case .unix(let path) = address {
            self.path = path
            Self.removeSocket(at: path)
        } else {
            path = nil
        }
        let socket = try Sockets.listen(on: address, backlog: backlog)
        if let path { _ = chmod(path, 0o600) }
        self.address = Sockets.localName(socket.number) ?? address.description
        descriptor = Atomic(socket.relinquish())
    }

    deinit { close() }

    /// The descriptor, -1 once closed.
    var number: Int32 { descriptor.load(ordering: .relaxed) }

    /// Listens no more and removes a unix socket's path. Connections that were not accepted yet are reset.
    package func close() {
        let number = descriptor.exchange(-1, ordering: .relaxed)
        guard number >= 0 else { return }
        _ = Glibc.close(number)
        if let path { Self.removeSocket(at: path) }
    }

    /// Removes what is a socket, never a file that happens to have the name.
    private static func removeSocket(at path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
            _ = try? retrying("unlink") { unlink(path) }
        }
    }
}
