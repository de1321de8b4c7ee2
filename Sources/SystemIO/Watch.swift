import Glibc

/// A descriptor to wait for with poll(2), and what was found: for programs with a handful of descriptors.
package struct Watch: Sendable {
    package let descriptor: Int32
    private let interest: Int16
    private var found: Int16 = 0

    /// Without interest in input or output only errors and the end of the peer are reported.
    package init(_ descriptor: Int32, input: Bool = false, output: Bool = false) {
        self.descriptor = descriptor
        interest = Int16((input ? POLLIN : 0) | (output ? POLLOUT : 0))
    }

    /// Input can be read, or its end was reached.
    package var isReadable: Bool { found & Int16(POLLIN | POLLHUP | POLLERR) != 0 }
    package var isWritable: Bool { found & Int16(POLLOUT | POLLERR) != 0 }
    /// The other end of a pipe or socket is gone.
    package var isBroken: Bool { found & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }

    /// Waits until one of `watches` has something, at most `milliseconds` (-1: without end).
    /// - Returns: false when the time is over, or a signal came, before there was anything.
    package static func wait(for watches: inout [Watch], milliseconds: Int32) throws(Errno) -> Bool {
        var polls = watches.map { pollfd(fd: $0.descriptor, events: $0.interest, revents: 0) }
        let count = poll(&polls, nfds_t(polls.count), milliseconds)
        if count == -1 {
            let code = errno
            if code != EINTR { throw Errno(code: code, call: "poll") }
        }
        for at in watches.indices { watches[at].found = count > 0 ? polls[at].revents : 0 }
        return count > 0
    }
}
