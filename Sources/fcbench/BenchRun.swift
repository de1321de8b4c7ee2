import Bytes
import Glibc
import SystemIO
import TLS

/// A run: its connections, its poller and its bookkeeping, all on one thread.
final class BenchRun {
    let options: BenchOptions
    let poller: Poller
    let alarm: Alarm
    var connections: [BenchConnection] = []
    var workload: Workload
    let adapter: any Adapter.Type
    /// The bytes of a send for each publisher, the payload's place at `payloadStart`.
    var templates: [[UInt8]] = []
    var payloadStarts: [Int] = []
    /// Publishers whose window has opened.
    var reopened: [Int] = []
    /// Connections with output that was not tried yet, and those with input inside OpenSSL.
    var toFlush: [Int] = []
    var toRead: [Int] = []
    /// Records read so far.
    var reads = 0
    var refused = 0
    var closed = 0
    /// Whether something was appended to the connection that is read.
    var answered = false
    /// The first thing that went wrong, for the person.
    var firstFault: String?
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)

    static let alarmToken = UInt64.max
    /// Reads of one connection a turn; the others wait no longer than that.
    private static let readsPerTurn = 8

    /// - Throws: `BenchFailure` when the system has no descriptors left.
    init(_ options: BenchOptions) throws(BenchFailure) {
        self.options = options
        adapter = options.kind.adapter
        do throws(Errno) {
            poller = try Poller()
            alarm = try Alarm()
            try poller.add(alarm.number, .input, token: Self.alarmToken)
        } catch {
            throw BenchFailure(text: error.description)
        }
        workload = Workload(mode: options.mode, run: UInt16.random(in: 0...UInt16.max), traits: adapter.traits)
        for publisher in 0..<options.mode.publisherCount {
            let seat = options.seat(options.mode.connection(ofPublisher: publisher))
            let frame = adapter.frame(seat, textCount: options.byteCount)
            payloadStarts.append(frame.before.utf8.count)
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: options.byteCount)
            templates.append(Array(frame.before.utf8) + text + Array(frame.behind.utf8))
        }
    }

    deinit { scratch.deallocate() }

    /// Waits for reports at most `milliseconds` and serves them.
    func turn(milliseconds: Int32) {
        let count = poller.wait(milliseconds: toRead.isEmpty ? milliseconds : 0)
        let now = Clock.monotonicNanoseconds
        var again: [Int] = []
        swap(&again, &toRead)
        for index in again { read(connections[index], now) }
        for index in 0..<count {
            let report = poller.report(index)
            if report.token == Self.alarmToken {
                alarm.set(0)
                continue
            }
            let connection = connections[Int(report.token)]
            if connection.isBeforeTLS {
                shakeHands(connection)
            } else {
                if report.writable { flush(connection) }
                if report.readable { read(connection, now) }
            }
        }
    }

    /// Flushes everything that was written this turn.
    func flushAll() {
        for index in toFlush { flush(connections[index]) }
        toFlush.removeAll(keepingCapacity: true)
    }

    func shakeHands(_ connection: BenchConnection) {
        if connection.state == .closed { return }
        let before = connection.wantsOutput
        if connection.shakeHands() {
            if case .storm(_, _, signIn: false) = options.mode {
                connection.state = .ready
            } else {
                connection.append(adapter.opening(options.seat(connection.index)))
                connection.flush()
            }
            // What came with the last of the handshake is inside OpenSSL already.
            toRead.append(connection.index)
        }
        settle(connection, before)
    }

    func flush(_ connection: BenchConnection) {
        if connection.state == .closed { return }
        let before = connection.wantsOutput
        connection.flush()
        settle(connection, before)
    }

    private func read(_ connection: BenchConnection, _ now: UInt64) {
        if connection.state == .closed || connection.isBeforeTLS { return }
        let before = connection.wantsOutput
        for turn in 1...Self.readsPerTurn {
            let more = connection.read(scratch) { bytes in
                options.kind.scan(bytes, textCount: options.byteCount) { take($0, of: connection, now) }
            }
            if !more { break }
            reads += 1
            if turn == Self.readsPerTurn && connection.hasPending { toRead.append(connection.index) }
        }
        // Answers to what was read; a publisher's sends go out at the end of the turn.
        if answered {
            answered = false
            connection.flush()
        }
        settle(connection, before)
    }

    /// After any call on a connection: keeps the poller's interest true and notes an end.
    private func settle(_ connection: BenchConnection, _ before: Bool) {
        if connection.state == .closed {
            poller.remove(connection.number)
            closed += 1
            note("connection \(connection.index): \(connection.reason)")
        } else if connection.wantsOutput != before {
            let interest: Poller.Interest = connection.wantsOutput ? [.input, .output] : .input
            try? poller.modify(connection.number, interest, token: UInt64(connection.index))
        }
    }

    func note(_ fault: String) { if firstFault == nil { firstFault = fault } }
}
