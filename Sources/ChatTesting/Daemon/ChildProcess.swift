import Glibc
import SystemIO

/// A program that a test started. It ends with the test process at the latest.
package final class ChildProcess: Sendable {
    package let pid: pid_t
    private let ended: Lock<Int32?>

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts `arguments[0]`, looked for in PATH, with signals as a shell would leave them.
    ///
    /// Standard output and error are appended to these files (default: thrown away); standard input is empty.
    /// - Throws: `Failure` when the program cannot be started.
    package init(_ arguments: [String], output: String = "/dev/null", errors: String = "/dev/null") throws(Failure) {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&files, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.plainSignals(&attributes)
        var argv = arguments.map { strdup($0) }
        argv.append(nil)
        defer { argv.forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, arguments[0], &files, &attributes, argv, environ)
        guard code == 0 else {
            throw Failure(description: "\(arguments[0]) cannot be started: \(String(cString: strerror(code)))")
        }
        pid = child
        ended = Lock(nil)
        LastRites.end(child)
    }

    deinit {
        signal(SIGKILL)
        _ = wait(atMost: 10)
    }

    private static func plainSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in [SIGPIPE, SIGTERM, SIGINT, SIGHUP] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// Sends a signal, unless the process has been waited for.
    package func signal(_ number: Int32) {
        ended.withLock { if $0 == nil { _ = kill(pid, number) } }
    }

    /// The exit code, or 128 + the signal that ended it, once it has ended; nil while it runs.
    package var exitCode: Int32? {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            // wait(2): the low seven bits are the signal, the next eight the code.
            ended = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
            LastRites.forget(pid)
            return ended
        }
    }

    /// Waits for the end; nil when it still runs after `seconds`.
    package func wait(atMost seconds: Double) -> Int32? {
        polling(atMost: seconds, every: 0.002) { self.exitCode }
    }

    /// The children this process has now (proc(5)).
    package var children: [pid_t] {
        readWhole("/proc/\(pid)/task/\(pid)/children").split(separator: " ").compactMap { pid_t($0) }
    }
}
