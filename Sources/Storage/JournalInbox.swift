import Bytes
import SystemIO

/// Where batches gather while the journal's thread writes earlier ones. The memory of two or three buffers goes round.
final class JournalInbox: Sendable {
    private final class Box {
        var batch = ByteBuffer()
        /// Empty memory for the next batch.
        var spare = ByteBuffer()
        var through: UInt64 = 0
        var (open, flush, stopping, sleeping) = (false, false, false, false)
        var turn: Turn?
    }

    /// A new segment is to begin behind so many of the bytes taken, the last of which belong to record `through`.
    struct Turn: Sendable {
        let offset: Int
        let through: UInt64
    }

    struct Order: Sendable {
        /// Global sequence of the last record taken.
        let through: UInt64
        /// Nothing comes after this.
        let stopping: Bool
        let turn: Turn?
    }

    /// Memory above this is not kept for the next batch.
    private static let largestKept = 1 << 20
    private let box = Lock(Box())

    /// Accepts batches from now on; the first begins behind `globalSequence`.
    func open(after globalSequence: UInt64) {
        box.withLock { (box: inout Box) in
            (box.open, box.through) = (true, globalSequence)
            (box.flush, box.turn) = (false, nil)
        }
    }

    /// Accepts no more and forgets what was not taken.
    func close() {
        box.withLock { (box: inout Box) in
            box.open = false
            box.batch.release()
            box.spare.release()
        }
    }

    func add(_ batch: consuming ByteBuffer, through globalSequence: UInt64) {
        var incoming = batch
        if incoming.isEmpty { return }
        box.withLock { (box: inout Box) in
            guard box.open else { return }
            precondition(globalSequence > box.through, "batches come in order")
            box.through = globalSequence
            if box.batch.isEmpty {
                swap(&box.batch, &incoming)
            } else {
                box.batch.append(incoming.readable)
                incoming.clear()
            }
            if box.spare.capacity == 0 && incoming.capacity <= Self.largestKept { swap(&box.spare, &incoming) }
        }
    }

    func spareBuffer() -> ByteBuffer {
        var spare = ByteBuffer()
        box.withLock { (box: inout Box) in swap(&box.spare, &spare) }
        return spare
    }

    func flush() {
        let wake = box.withLock { (box: inout Box) -> Bool in
            box.flush = !box.batch.isEmpty
            return box.flush && box.sleeping
        }
        if wake { box.signal() }
    }

    func turn() {
        let wake = box.withLock { (box: inout Box) -> Bool in
            if !box.open { return false }
            box.turn = Turn(offset: box.batch.count, through: box.through)
            return box.sleeping
        }
        if wake { box.signal() }
    }

    func stop() {
        box.withLock { (box: inout Box) in (box.stopping, box.open) = (true, false) }
        box.signal()
    }

    /// Waits for a flush, a stop, or the time `deadline` (monotonic nanoseconds), and swaps what has gathered into
    /// `batch`, which must be empty.
    func take(_ batch: inout ByteBuffer, before deadline: UInt64?) -> Order {
        if batch.capacity > Self.largestKept { batch.release() }
        guard let deadline else { return box.wait { (box: inout Box) -> Order? in Self.ready(&box, &batch) } }
        let now = Clock.monotonicNanoseconds
        let seconds = deadline > now ? Double(deadline - now) / 1e9 : 0
        let order = box.wait(atMost: seconds) { (box: inout Box) -> Order? in Self.ready(&box, &batch) }
        return order ?? Order(through: 0, stopping: false, turn: nil)
    }

    /// The same at once: nil when nothing was asked for.
    func takeNow(_ batch: inout ByteBuffer) -> Order? {
        box.withLock { (box: inout Box) -> Order? in Self.ready(&box, &batch) }
    }

    private static func ready(_ box: inout Box, _ batch: inout ByteBuffer) -> Order? {
        box.sleeping = !(box.flush || box.stopping || box.turn != nil)
        if box.sleeping { return nil }
        let turn = box.turn
        (box.flush, box.turn) = (false, nil)
        swap(&box.batch, &batch)
        return Order(through: box.through, stopping: box.stopping, turn: turn)
    }
}
