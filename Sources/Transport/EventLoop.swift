import Glibc
import SystemIO

/// One thread's event loop: owns its connections, reads what came, and lets the driver decide and write, turn by turn.
///
/// A turn: poll → accepts → reads → handshakes → times → `LoopDriver.turn`. Everything is level-triggered; what is left
/// over by a bound is either reported again by the poller or stands in a list for the next turn. Confined to the thread
/// that runs it; make it there, and its intake before (`LoopIntake`), so that other loops can know it.
package final class EventLoop {
    /// What a report with generation 0 is about.
    enum Watched {
        case wakeUp
        case body(() -> Void)
        case listener(ListeningPoint)
    }

    package let index: Int
    package let settings: TransportSettings
    package let intake: LoopIntake
    /// Whether `LoopDriver.tick` is called about once a second; the loop then never sleeps longer.
    package var wantsTicks = false
    /// Turns that took over 20 ms, waiting not counted.
    package var longTurns: Int { intake.longTurns }
    /// All turns so far.
    package internal(set) var turns = 0
    /// Monotonic milliseconds, as of the beginning of this turn.
    package internal(set) var milliseconds = EventLoop.clock()
    /// Connections in existence.
    package internal(set) var connectionCount = 0

    let tls: TLSSlot
    let poller: Poller
    /// Twice `bytesPerTurn`: unconsumed bytes in front, new ones behind.
    let scratch: UnsafeMutableRawBufferPointer
    /// Where discarded input goes.
    let trash: UnsafeMutableRawBufferPointer
    /// One record of zeros, for writes that OpenSSL tries again; never touched, so it takes no memory.
    let blank: UnsafeMutableRawPointer
    let connectionLimit: Int

    var handlers: [(any ConnectionHandler)?] = []
    var watched: [Watched] = []
    var connections: ContiguousArray<Connection?> = []
    var generations: ContiguousArray<UInt32> = []
    var freeSlots: ContiguousArray<Int> = []

    /// Tokens of connections whose handshake goes on, in order; the first `mutedHandshakes` are not polled.
    var handshakes: ContiguousArray<UInt64> = []
    var mutedHandshakes = 0
    /// Tokens of connections with input that no poll reports.
    var ready: ContiguousArray<UInt64> = []
    var readyBatch: ContiguousArray<UInt64> = []
    var dying: ContiguousArray<Connection> = []
    var adopted: ContiguousArray<AcceptedSocket> = []

    /// Addresses that may not connect.
    var bans: [NetworkPrefix] = []
    /// How often `ban` was called: all loops hear of the same changes in the same order, some a moment later.
    var banChanges = 0

    /// When the next sweep is due, monotonic milliseconds.
    var nextSweep = UInt64.max
    var lastSweep: UInt64 = 0
    var nextTick: UInt64 = 0
    var incidents = IncidentLimiter()
    private var isStopping = false

    /// - Parameter intake: made before the loop when other loops must know it; nil makes one.
    /// - Throws: `Errno` when there is no descriptor left.
    package init(
        index: Int,
        settings: TransportSettings,
        tls: TLSSlot,
        intake: LoopIntake? = nil
    ) throws(Errno) {
        precondition((4096...(16 << 20)).contains(settings.bytesPerTurn), "bytesPerTurn is 4 KiB to 16 MiB")
        if let intake { self.intake = intake } else { self.intake = try LoopIntake() }
        poller = try Poller()
        (self.index, self.settings, self.tls) = (index, settings, tls)
        scratch = .allocate(byteCount: 2 * settings.bytesPerTurn, alignment: 4096)
        trash = .allocate(byteCount: 16384, alignment: 64)
        blank = .allocate(byteCount: 16384, alignment: 4096)
        blank.initializeMemory(as: UInt8.self, repeating: 0, count: 16384)
        connectionLimit = min(settings.connectionLimit, max(1, Sockets.descriptorLimit - settings.reservedDescriptors))
        watch(self.intake.mailbox.wakeUp)
    }

    deinit {
        scratch.deallocate()
        trash.deallocate()
        blank.deallocate()
    }

    /// Names the handler for all connections of `kind`, a small number. Before `run`.
    package func handle(kind: Int, by handler: any ConnectionHandler) {
        while handlers.count <= kind { handlers.append(nil) }
        handlers[kind] = handler
    }

    /// Lets `wakeUp` end the loop's wait; the turn that follows calls the driver, who silences it by taking the mail.
    package func watch(_ wakeUp: WakeUp) { watch(wakeUp.number, .wakeUp) }

    /// Calls `body` in each turn in which `descriptor` is readable, as a signalfd. The caller owns it and keeps it open.
    package func watch(descriptor: Int32, _ body: @escaping () -> Void) { watch(descriptor, .body(body)) }

    /// Runs turns until `stop`; then ends all connections, with `closed` for each.
    package func run(_ driver: any LoopDriver) {
        var hasMore = false
        while !isStopping { hasMore = turn(driver, hasMore: hasMore) }
        closeListeners()
        forEachConnection { $0.abort() }
        buryTheDead()
    }

    /// Makes `run` return after this turn.
    package func stop() { isStopping = true }

    /// The connection that was given this slot and generation, nil when it is gone.
    package func connection(slot: Int, generation: UInt32) -> Connection? {
        guard connections.indices.contains(slot), let found = connections[slot] else { return nil }
        return found.generation == generation ? found : nil
    }

    /// Visits all connections in the order of their slots. O(slots).
    package func forEachConnection(_ body: (Connection) -> Void) {
        for slot in connections.indices {
            if let connection = connections[slot] { body(connection) }
        }
    }

    /// Monotonic seconds, as in `Connection.deadline`.
    package var seconds: UInt64 { milliseconds / 1000 }

    static func clock() -> UInt64 { Clock.monotonicNanoseconds / 1_000_000 }

    static func token(slot: Int, generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
    }

    func watch(_ descriptor: Int32, _ what: Watched) {
        let token = Self.token(slot: watched.count, generation: 0)
        watched.append(what)
        do throws(Errno) {
            try poller.add(descriptor, .input, token: token)
        } catch {
            incident("a descriptor cannot be watched: \(error)")
        }
    }

    /// Reports something to the log, at most once a second.
    func incident(_ text: @autoclosure () -> String) {
        if let line = incidents.line(text(), atMilliseconds: milliseconds) { settings.onIncident(line) }
    }
}
