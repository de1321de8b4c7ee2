import Foundation
import Glibc
import SystemIO
import Testing

/// A terminal of which the test is the person (pty(7)).
final class PseudoTerminal {
    struct Silence: Error, CustomStringConvertible { let description: String }

    private let master: Int32
    private let slave: Int32
    private var unread: [UInt8] = []

    init() throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw Errno(code: errno, call: "openpty") }
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        (self.master, self.slave) = (master, slave)
    }

    deinit {
        close(master)
        close(slave)
    }

    /// Starts `fcc` with its standard input, output and error here.
    func start(_ fcc: Fcc, _ arguments: [String]) throws -> Process {
        let process = Process()
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        process.executableURL = Fcc.program
        process.arguments = arguments
        process.environment = fcc.environment
        (process.standardInput, process.standardError, process.standardOutput) = (handle, handle, handle)
        try process.run()
        return process
    }

    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }

    /// What the terminal shows up to and with `mark`, at most 15 s long; what is behind it comes with the next call.
    func read(until mark: String) throws -> String {
        let deadline = Clock.monotonicNanoseconds + 15_000_000_000
        while true {
            let text = String(decoding: unread, as: UTF8.self)
            if let found = unread.firstRange(of: Array(mark.utf8)) {
                defer { unread.removeFirst(found.upperBound) }
                return String(decoding: unread[..<found.upperBound], as: UTF8.self)
            }
            var watches = [Watch(master, input: true)]
            guard try Watch.wait(for: &watches, milliseconds: 1_000) else {
                if Clock.monotonicNanoseconds > deadline { throw Silence(description: "no \(mark) in \(text)") }
                continue
            }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(master, &room, room.count)
            if count <= 0 { throw Silence(description: "the end before \(mark): \(text)") }
            unread += room[..<count]
        }
    }

    /// Waits until `process` has ended, at most 15 s, then it is killed and the test fails.
    /// - Returns: what the terminal showed meanwhile.
    @discardableResult
    func finish(_ process: Process) -> String {
        var bytes = unread
        unread = []
        let deadline = Clock.monotonicNanoseconds + 15_000_000_000
        while true {
            let isRunning = process.isRunning
            var watches = [Watch(master, input: true)]
            if (try? Watch.wait(for: &watches, milliseconds: isRunning ? 20 : 0)) == true {
                var room = [UInt8](repeating: 0, count: 4096)
                let count = Glibc.read(master, &room, room.count)
                if count > 0 { bytes += room[..<count] }
            } else if !isRunning {
                return String(decoding: bytes, as: UTF8.self)
            }
            if Clock.monotonicNanoseconds > deadline {
                Issue.record("fcc did not end: \(String(decoding: bytes, as: UTF8.self))")
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// Everything about the terminal that `stty -a` would tell, but the size of its window.
    var state: [UInt32] {
        var state = termios()
        tcgetattr(slave, &state)
        let characters = withUnsafeBytes(of: state.c_cc) { $0.map(UInt32.init) }
        return [state.c_iflag, state.c_oflag, state.c_cflag, state.c_lflag] + characters
    }

    /// Gives the window another width, and tells `process`.
    func resize(columns: UInt16, _ process: Process? = nil) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        if let process { kill(process.processIdentifier, SIGWINCH) }
    }

    /// Whether typed characters are shown.
    var echoes: Bool {
        var state = termios()
        tcgetattr(slave, &state)
        return state.c_lflag & tcflag_t(ECHO) != 0
    }
}
