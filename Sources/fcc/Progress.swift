import ChatClient
import Glibc
import SystemIO

/// A progress bar on standard error, when that is a terminal and nobody wants it quiet.
final class Progress {
    private static let pause: UInt64 = 100_000_000

    private let name: String
    private let isShown: Bool
    private let begin = Clock.monotonicNanoseconds
    private var last: UInt64 = 0

    init(_ name: String, _ invocation: Invocation) {
        self.name = name
        isShown = !invocation.isQuiet && !invocation.isJSON && isatty(Output.standardError) == 1
    }

    /// Shows how far it is, ten times a second at most.
    func show(_ done: UInt64, of total: UInt64) {
        let now = Clock.monotonicNanoseconds
        guard isShown, done == total || now - last > Self.pause else { return }
        last = now
        let columns = TerminalSize.columns(of: Output.standardError)
        let bar = ProgressBar(name: name, done: done, total: total, seconds: Double(now - begin) / 1e9)
        Output.prompt("\r\u{1b}[K" + bar.text(columns: columns))
    }

    /// The line is free again.
    func end() { if isShown, last > 0 { Output.prompt("\r\u{1b}[K") } }
}
