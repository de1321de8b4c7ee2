import Foundation
import Glibc
import SystemIO

/// A terminal of which the test is the person (pty(7)).
final class PseudoTerminal {
    struct Silence: Error, CustomStringConvertible { let description: String }

    private let master: Int32
    private let slave: Int32

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

    /// What the terminal shows up to and with `mark`, at most 15 s long.
    func read(until mark: String) throws -> String {
        var text = ""
        let deadline = Clock.monotonicNanoseconds + 15_000_000_000
        while !text.contains(mark) {
            var watches = [Watch(master, input: true)]
            guard try Watch.wait(for: &watches, milliseconds: 1_000) else {
                if Clock.monotonicNanoseconds > deadline { throw Silence(description: "no \(mark) in \(text)") }
                continue
            }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(master, &room, room.count)
            if count <= 0 { throw Silence(description: "the end before \(mark): \(text)") }
            text += String(decoding: room[..<count], as: UTF8.self)
        }
        return text
    }

    /// Whether typed characters are shown.
    var echoes: Bool {
        var state = termios()
        tcgetattr(slave, &state)
        return state.c_lflag & tcflag_t(ECHO) != 0
    }
}
