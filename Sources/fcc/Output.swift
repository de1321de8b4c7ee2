import Glibc
import SystemIO

/// Standard output and standard error. A reader that has gone ends the program quietly.
struct Output {
    let waiter: Waiter
    let isQuiet: Bool

    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    /// Whether standard output is a terminal.
    var isTerminal: Bool { isatty(Self.standardOutput) == 1 }

    /// Writes a line to standard output.
    func line(_ text: String) throws(Failure) { try bytes(Array((text + "\n").utf8)) }

    /// Writes bytes to standard output, whole.
    func bytes(_ bytes: [UInt8]) throws(Failure) {
        var at = 0
        while at < bytes.count {
            // A pipe that is writable takes 4096 bytes without blocking (pipe(7), PIPE_BUF); so an interrupt is heard
            // also while the reader is slow.
            var watches = [Watch(Self.standardOutput, output: true)]
            guard try waiter.wait(for: &watches, milliseconds: -1) else { continue }
            let end = min(at + 4096, bytes.count)
            do {
                at += try FileBytes.write(bytes[at..<end], to: Self.standardOutput)
            } catch {
                if error.code == EAGAIN { continue }
                if error.code == EPIPE { throw .quietEnd }
                throw Failure(.usage, "standard output: \(error)")
            }
        }
    }

    /// Tells the person something on standard error, unless `--quiet`.
    func note(_ text: String) { if !isQuiet { Self.error(text) } }

    /// Writes a line to standard error; when that fails there is nobody left to tell.
    static func error(_ text: String) { prompt("fcc: \(text)\n") }

    /// Writes to standard error as it is.
    static func prompt(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(standardError, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
