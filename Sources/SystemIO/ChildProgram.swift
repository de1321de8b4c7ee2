import CLinux
import Glibc

/// A program that was started, with a pipe to its standard input; its output and errors go where ours go.
///
/// Confined to one thread. It outlives its owner.
package final class ChildProgram {
    private let pid: pid_t
    private let handle: Descriptor
    private var pipe: Descriptor?

    /// Starts `arguments[0]`, looked for in PATH, never through a shell, with signals as a shell would leave them.
    /// - Throws: `Errno` when it cannot be started.
    package init(_ arguments: [String], environment: [String: String]) throws(Errno) {
        var ends: [Int32] = [-1, -1]
        try retrying("pipe2") { fc_pipe(&ends) }
        let reading = Descriptor(owning: ends[0])
        let writing = Descriptor(owning: ends[1])
        try retrying("fcntl") { fc_set_nonblocking(writing.number) }
        let pid = try Self.spawn(arguments, environment, input: reading.number)
        do {
            handle = Descriptor(owning: try retrying("pidfd_open") { fc_pidfd_open(pid) })
        } catch {
            // Nobody would ever learn of its end.
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw error
        }
        self.pid = pid
        pipe = consume writing
    }

    private static func spawn(
        _ arguments: [String],
        _ environment: [String: String],
        input: Int32
    ) throws(Errno) -> pid_t {
        guard let name = arguments.first else { throw Errno(code: ENOENT, call: "posix_spawn") }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, input, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        takeUsualSignals(&attributes)
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, name, &files, &attributes, &words, &variables)
        guard code == 0 else { throw Errno(code: code, call: "posix_spawn") }
        return pid
    }

    private static func takeUsualSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGCHLD] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// What to wait for: its end, and room in its standard input while that is open.
    package var watches: [Watch] {
        let input = inputNumber.map { [Watch($0, output: true)] } ?? []
        return [Watch(handle.number, input: true)] + input
    }

    private var inputNumber: Int32? {
        switch pipe {
        case .some(let open): open.number
        case .none: nil
        }
    }

    /// Writes as many of `bytes` as its standard input takes now, 0 when it takes none; never waits.
    /// - Throws: `Errno` when it reads no more.
    package func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
        guard let number = inputNumber else { throw Errno(code: EPIPE, call: "write") }
        do {
            return try retrying("write") { bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } }
        } catch {
            if error.code == EAGAIN { return 0 }
            throw error
        }
    }

    /// Asks it to end (SIGTERM). Not to be called once its end was told.
    package func terminate() { kill(pid, SIGTERM) }

    /// The end of its standard input.
    package func closeInput() { pipe = nil }

    /// The exit code, or 128 + the signal that ended it; nil while it runs. Not to be asked again after its end.
    ///
    /// Where our parent has set that the ends of children are not told (SIGCHLD ignored), it is 0.
    package func exitCode() -> Int32? {
        var status: Int32 = 0
        let found = waitpid(pid, &status, WNOHANG)
        if found == -1 { return 0 }
        guard found == pid else { return nil }
        // wait(2): the low seven bits are the signal, the next eight the code.
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}
