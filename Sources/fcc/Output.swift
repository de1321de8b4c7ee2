import Glibc
import SystemIO

/// Standard output and standard error. A reader that has gone ends the program quietly.
///
/// What is written to standard output is gathered, and leaves with `flush`: a reader that keeps up costs one system call
/// a turn, not one a line.
final class Output {
    let waiter: Waiter
    let isQuiet: Bool
    private var gathered: [UInt8] = []
    /// Bytes gathered at most.
    private static let limit = 32 << 10

    init(waiter: Waiter, isQuiet: Bool) { (self.waiter, self.isQuiet) = (waiter, isQuiet) }

    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    /// Whether standard output is a terminal.
    var isTerminal: Bool { isatty(Self.standardOutput) == 1 }

    /// Writes a line to standard output.
    func line(_ text: String) throws(Failure) { try bytes(Array((text + "\n").utf8)) }

    /// Writes bytes to standard output.
    func bytes(_ bytes: [UInt8]) throws(Failure) {
        gathered += bytes
        if gathered.count >= Self.limit { try flush() }
    }

    /// Hands all that was gathered to the reader; waits for a slow one.
    func flush() throws(Failure) {
        let bytes = gathered
        gathered.removeAll(keepingCapacity: true)
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
