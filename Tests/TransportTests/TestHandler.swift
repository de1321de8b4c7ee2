import Bytes
import SystemIO
import Transport

/// What happened on the connections of a loop, readable from the test's thread.
struct Happenings: Sendable, Equatable {
    var opened = 0
    var closed = 0
    var ended: [String] = []
    var expired = 0
    var writable = 0
    var received = 0
    var turnedAway = 0
}

typealias Record = Lock<Happenings>

/// A handler made of closures; by default it echoes whole lines, and pauses while its output is blocked.
final class TestHandler: ConnectionHandler {
    private let record: Record
    var onOpened: (Connection) -> Void = { _ in }
    var onReceived: (Connection, UnsafeRawBufferPointer) -> Int = TestHandler.echo
    var onEnded: (Connection) -> Void = { $0.finish() }
    var onWritable: (Connection) -> Void = { $0.resume() }
    var onExpired: (Connection) -> Void = { $0.finish() }
    var onTurnedAway: (Connection) -> Void = { $0.abort() }
    var onClosed: (Connection) -> Void = { _ in }

    init(_ record: Record, _ change: (TestHandler) -> Void = { _ in }) {
        self.record = record
        change(self)
    }

    var plainTextAnswer: StaticString { "ERR this port speaks TLS\n" }

    var bannedAnswer: StaticString { "ERR not from there\n" }

    func turnedAway(_ connection: Connection) {
        record.withLock { $0.turnedAway += 1 }
        onTurnedAway(connection)
    }

    func opened(_ connection: Connection) {
        record.withLock { $0.opened += 1 }
        onOpened(connection)
    }

    func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int {
        record.withLock { $0.received += 1 }
        return onReceived(connection, bytes)
    }

    func inputEnded(_ connection: Connection, _ rest: UnsafeRawBufferPointer) {
        let text = String(decoding: rest, as: UTF8.self)
        record.withLock { $0.ended.append(text) }
        onEnded(connection)
    }

    func writable(_ connection: Connection) {
        record.withLock { $0.writable += 1 }
        onWritable(connection)
    }

    func closed(_ connection: Connection) {
        record.withLock { $0.closed += 1 }
        onClosed(connection)
    }

    func expired(_ connection: Connection) {
        record.withLock { $0.expired += 1 }
        onExpired(connection)
    }

    /// Sends whole lines back, one write each, until the socket is full.
    static func echo(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int {
        var at = 0
        while let end = LineSplitter.lineEnd(in: bytes, from: at) {
            if connection.isBlocked {
                connection.pause()
                return at
            }
            connection.write(UnsafeRawBufferPointer(rebasing: bytes[at...end]))
            at = end + 1
        }
        return at
    }
}

extension Connection {
    func write(_ text: String) {
        var copy = text
        copy.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }
}

extension Lock where Value == Happenings {
    var now: Happenings { withLock { $0 } }

    /// Waits until `condition` holds; false when it does not within 20 seconds.
    func reaches(_ condition: (Happenings) -> Bool) -> Bool {
        let end = Clock.monotonicNanoseconds + 20_000_000_000
        while Clock.monotonicNanoseconds < end {
            if condition(now) { return true }
            pauseBriefly()
        }
        return false
    }
}

/// Pseudo-random numbers from a seed (xorshift64*), so that a failure can be repeated.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Byte number `position` of an endless pattern in which a lost or doubled byte shows.
func pattern(_ position: Int) -> UInt8 { UInt8(truncatingIfNeeded: position &* 31 &+ position >> 8 &+ position >> 16) }
