import Glibc
import SystemIO

/// The built `fcd`, running on ports of its own over a data directory of its own.
///
/// The daemon is ended and its directory removed when the last owner lets go, or with the test process.
package final class RunningDaemon: Sendable {
    package struct Options: Sendable {
        /// `key=value` for `--set`, after the quick ones.
        package var settings: [String]
        /// Cheap password hashes and no limits of rate.
        package var isQuick: Bool
        /// A command put before the daemon's, such as `["strace", "-f"]`.
        package var wrapper: [String]
        /// The file mode creation mask to start with, as in umask(1).
        package var umask: String?
        /// More options of the command line.
        package var arguments: [String]
        /// The library `faults` is loaded into it.
        package var hasFaults: Bool
        /// The data directory; nil: one of its own, removed at the end.
        package var data: String?
        /// The program; nil: the one the tests were built with.
        package var executable: String?

        package init(
            settings: [String] = [],
            isQuick: Bool = true,
            wrapper: [String] = [],
            umask: String? = nil,
            arguments: [String] = [],
            hasFaults: Bool = false,
            data: String? = nil,
            executable: String? = nil
        ) {
            (self.settings, self.isQuick, self.wrapper) = (settings, isQuick, wrapper)
            (self.umask, self.arguments) = (umask, arguments)
            (self.hasFaults, self.data, self.executable) = (hasFaults, data, executable)
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Running {
        var process: ChildProcess?
        var ready: ReceivedLine?
        var starts = 0
        var wrapper: [String]
    }

    private let options: Options
    private let running: Lock<Running>
    private let directory = TemporaryDirectory()
    private let library: FaultLibrary?

    /// The data directory, inside a temporary one unless the options say otherwise.
    package var data: String { options.data ?? directory.path + "/data" }
    package var errorPath: String { directory.path + "/errors" }

    /// Starts a daemon and waits for its READY.
    /// - Throws: `Failure` when it ends before, or says nothing for 30 s.
    package convenience init(_ options: Options = Options()) throws(Failure) {
        try self.init(unstarted: options)
        try start()
    }

    /// Prepares a daemon that `start` starts.
    package init(unstarted options: Options) throws(Failure) {
        self.options = options
        running = Lock(Running(wrapper: options.wrapper))
        let path = directory.path
        do throws(Errno) {
            library = options.hasFaults ? try FaultLibrary(in: path, data: options.data ?? path + "/data") : nil
        } catch { throw Failure(description: "the faults cannot be controlled: \(error)") }
    }

    /// The library of faults in it.
    /// - Precondition: the options asked for it.
    package var faults: FaultLibrary {
        guard let library else { preconditionFailure("this daemon runs without the library of faults") }
        return library
    }

    deinit { kill() }

    /// Starts it again on the same data. Its ports change.
    package func start(withoutWrapper: Bool = false) throws(Failure) {
        let (output, command) = running.withLock { running in
            running.starts += 1
            if withoutWrapper { running.wrapper = [] }
            return (
                "\(directory.path)/output-\(running.starts)",
                running.wrapper + (library?.wrapper ?? []) + [options.executable ?? Self.executable] + arguments
            )
        }
        let process: ChildProcess
        do {
            process = try ChildProcess(masked(command), output: output, errors: errorPath)
        } catch { throw Failure(description: error.description) }
        running.withLock { $0.process = process }
        let ready = polling(atMost: 30, every: 0.005) { () -> Result<ReceivedLine, Failure>? in
            if let line = Self.readyLine(in: readWhole(output)) { return .success(line) }
            guard let code = process.exitCode else { return nil }
            return .failure(Failure(description: "fcd ended with \(code) before READY: \(self.errors.suffix(1500))"))
        }
        guard let ready else {
            kill()
            throw Failure(description: "no READY within 30 s: \(errors.suffix(1500))")
        }
        let line = try ready.get()
        running.withLock { $0.ready = line }
    }

    private func masked(_ command: [String]) -> [String] {
        guard let umask = options.umask else { return command }
        return ["sh", "-c", "umask \(umask); exec \"$@\"", "sh"] + command
    }

    private var arguments: [String] {
        var all = ["--data", data, "--chat", "127.0.0.1:0", "--plain", "127.0.0.1:0", "--blobs", "127.0.0.1:0"]
        if options.isQuick { all += Self.set(["limits.rate=off", "auth.scrypt-n=1024", "auth.scrypt-p=1"]) }
        return all + Self.set(options.settings) + options.arguments
    }

    private static func set(_ settings: [String]) -> [String] { settings.flatMap { ["--set", $0] } }

    private static func readyLine(in output: String) -> ReceivedLine? {
        guard let end = output.firstIndex(of: "\n"), output.hasPrefix("READY ") else { return nil }
        return try? ReceivedLine(output[..<end].utf8)
    }

    /// What it said when it could serve.
    package var ready: ReceivedLine? { running.withLock { $0.ready } }

    /// The process that was started: the wrapper's, when one is used that does not replace itself.
    package var process: ChildProcess? { running.withLock { $0.process } }

    package var isAlive: Bool { process.map { $0.exitCode == nil } ?? false }

    /// Ends it at once, as a power cut would (SIGKILL); with a wrapper that stays, what runs under it as well.
    package func kill() {
        guard let process, process.exitCode == nil else { return }
        let below = options.wrapper.isEmpty ? [] : process.children
        for child in below { _ = Glibc.kill(child, SIGKILL) }
        process.signal(SIGKILL)
        _ = process.wait(atMost: 10)
    }

    /// Asks it to end (SIGTERM); its exit code, nil when it still runs after `seconds`.
    package func terminate(within seconds: Double = 10) -> Int32? {
        process?.signal(SIGTERM)
        return process?.wait(atMost: seconds)
    }

    /// Ends it at once and starts it on the same data.
    package func restart() throws(Failure) {
        kill()
        try start()
    }

    /// What it logged so far, over all starts.
    package var errors: String { readWhole(errorPath) }
}
