import CLinux
import Glibc

/// The terminal of an interactive program: put back whatever ends the process, its size, and the signals that concern it.
///
/// One for each process; belongs to its main thread.
package final class TerminalGuard {
    /// What came by signal.
    package enum Event: Equatable, Sendable {
        /// Ctrl-C.
        case interrupted
        /// The process is to end (SIGTERM), or its terminal has gone (SIGHUP).
        case ended
        /// Ctrl-Z.
        case suspended
        /// The window has another size.
        case resized
    }

    /// Becomes readable when an event waits.
    package let descriptor: Int32
    private let terminal: Int32

    /// Remembers how `terminal` is now. A crash puts it back; the signals come as events from now on.
    /// - Throws: `Errno` when it is no terminal.
    package init(_ terminal: Int32) throws(Errno) {
        self.terminal = terminal
        try retrying("tcgetattr") { fc_terminal_guard(terminal) }
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]
        guard fc_block_signals(signals, Int32(signals.count)) == 0 else { throw Errno(code: EINVAL, call: "sigmask") }
        descriptor = try retrying("signalfd") { fc_signalfd(signals, Int32(signals.count)) }
    }

    deinit {
        fc_terminal_restore()
        close(descriptor)
    }

    /// The next event that waits.
    package func next() -> Event? {
        switch fc_signalfd_read(descriptor) {
        case SIGINT: .interrupted
        case SIGTERM, SIGHUP: .ended
        case SIGTSTP: .suspended
        case SIGWINCH: .resized
        default: nil
        }
    }

    /// Puts the terminal back as it was found. Never waits.
    package func restore() { fc_terminal_restore() }

    /// Takes it in hand again after `restore`.
    package func resume() { _ = fc_terminal_guard(terminal) }

    /// Columns of the window; 80 when the terminal does not tell.
    package var columns: Int { TerminalSize.columns(of: terminal) }

    /// Stops the process, as Ctrl-Z does, until it is continued. The terminal is put back before.
    package func stop() {
        restore()
        kill(getpid(), SIGSTOP)
        resume()
    }
}
