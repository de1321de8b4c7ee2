import Glibc
import SystemIO

/// The log: one line for each report on standard error, from any thread.
///
/// Messages and names of fields are constants of the program; everything from outside goes into values, where it is
/// escaped. Never put passwords, tokens or texts of messages there.
///
/// A line is written as a whole or not at all. When the reader is slow, lines are dropped and counted rather than
/// waited for, and the count is logged as soon as there is room; when the reader is gone, lines are lost and the
/// service goes on (the program ignores SIGPIPE).
final class Log: Sendable {
    /// Names and values of a line, in order.
    typealias Fields = KeyValuePairs<StaticString, String>

    private struct Output {
        /// Lines that found no room since the last report.
        var dropped = 0
        /// Whether the last line was cut off by a full disk, so that the next one begins on a new line.
        var isCut = false
    }

    let level: LogLevel
    private let format: LogFormat
    private let descriptor: Int32
    private let now: @Sendable () -> Int64
    private let output = Lock(Output())

    /// - Parameters:
    ///   - descriptor: where to write; stays the caller's. Its flags are not changed, others may share it.
    ///   - now: milliseconds since 1970.
    init(
        _ settings: Settings.Logging = Settings.Logging(),
        descriptor: Int32 = STDERR_FILENO,
        now: @escaping @Sendable () -> Int64 = { Clock.milliseconds }
    ) {
        (level, format) = (settings.level, settings.format)
        (self.descriptor, self.now) = (descriptor, now)
    }

    /// Something failed that the operator must see to.
    func error(_ subsystem: StaticString, _ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        write(.error, subsystem, message, fields)
    }

    /// Something is not as it should be; the service goes on.
    func warning(_ subsystem: StaticString, _ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        write(.warning, subsystem, message, fields)
    }

    /// The ordinary course of things.
    func info(_ subsystem: StaticString, _ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        write(.info, subsystem, message, fields)
    }

    /// For finding faults; off by default.
    func debug(_ subsystem: StaticString, _ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        write(.debug, subsystem, message, fields)
    }

    private func write(
        _ level: LogLevel,
        _ subsystem: StaticString,
        _ message: StaticString,
        _ fields: () -> Fields
    ) {
        if level > self.level { return }
        let bytes = line(level, subsystem, message, fields())
        output.withLock { (output: inout Output) in
            if output.dropped > 0 {
                let report = line(
                    .warning,
                    "log",
                    "lines were dropped, the reader is slow",
                    ["count": "\(output.dropped)"]
                )
                if put(report, &output) { output.dropped = 0 }
            }
            if !put(bytes, &output) { output.dropped += 1 }
        }
    }

    private func line(
        _ level: LogLevel,
        _ subsystem: StaticString,
        _ message: StaticString,
        _ fields: Fields
    ) -> [UInt8] {
        var line = LogLine(format, time: now(), level: level, subsystem: subsystem, message: message)
        for (name, value) in fields { line.add(name, value) }
        line.end()
        return line.bytes
    }

    /// Writes `bytes` if that does not wait; false when there was no room for them.
    ///
    /// A pipe that is writable for poll(2) has room for PIPE_BUF bytes, and no line is longer: so this does not wait
    /// even when the descriptor is a blocking one.
    private func put(_ bytes: [UInt8], _ output: inout Output) -> Bool {
        var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&readiness, 1, 0) == 1 else { return false }
        let whole = output.isCut ? [0x0a] + bytes : bytes
        do {
            let count = try retrying("write") { Glibc.write(descriptor, whole, whole.count) }
            output.isCut = count > 0 ? count < whole.count : output.isCut
            return count == whole.count
        } catch {
            // A reader that is gone is not slow: there is nobody to tell how much was lost.
            return error.code == EPIPE || error.code == EBADF
        }
    }
}
