import Glibc
import SystemIO

/// A daemon that runs on a data directory for as long as a command needs one, and takes connections on loopback only, at
/// ports that nobody knows.
final class TemporaryDaemon {
    private let program: ChildProgram
    private var hasEnded = false

    /// Seconds until it must answer, and until it must have ended.
    private static let patience = 120

    /// Nil when a daemon runs there already.
    /// - Throws: `Failure` when none can be started.
    static func ifNeeded(_ data: String) throws(Failure) -> TemporaryDaemon? {
        if answers(data) { return nil }
        let daemon = try TemporaryDaemon(data)
        for _ in 0..<Self.patience * 20 {
            if answers(data) { return daemon }
            if let code = daemon.program.exitCode() {
                daemon.hasEnded = true
                throw .running("the daemon did not start on \(data) (exit code \(code))")
            }
            usleep(50_000)
        }
        throw .running("the daemon does not answer on \(data)")
    }

    private static func answers(_ data: String) -> Bool {
        do throws(Failure) {
            let client = try ControlClient.open(data)
            withExtendedLifetime(client) {}
            return true
        } catch {
            return false
        }
    }

    private init(_ data: String) throws(Failure) {
        guard let path = realpath("/proc/self/exe", nil) else {
            throw .running("where this program is cannot be found")
        }
        defer { free(path) }
        let own = String(cString: path)
        // Its READY is no output of this command.
        let words = ["/bin/sh", "-c", "exec \"$0\" \"$@\" >/dev/null", own, "serve", "--data", data]
        let ports = ["--chat", "127.0.0.1:0", "--plain", "none", "--blobs", "127.0.0.1:0", "--set", "log.level=error"]
        do throws(Errno) {
            program = try ChildProgram(words + ports, environment: ["PATH": "/usr/bin:/bin"])
        } catch {
            throw .running("\(own): \(error)")
        }
    }

    deinit {
        if hasEnded { return }
        program.terminate()
        for _ in 0..<Self.patience * 20 {
            if program.exitCode() != nil { return }
            usleep(50_000)
        }
    }
}
