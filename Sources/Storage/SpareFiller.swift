import CLinux
import SystemIO

/// Makes the file `spare`, full of zeros and on disk, off the journal's thread: writing in place into such a file makes
/// a sync a third cheaper than appending.
///
/// It works in steps of 1 MiB with a sync each, so that the journal's own syncs never wait for much. Where there is no
/// room, or any call fails, the spare is given up and not tried again for a minute; the journal then appends.
final class SpareFiller: Sendable {
    private struct State {
        var (wanted, ready, stopping) = (false, false, false)
        /// Not before this time, in nanoseconds of the monotonic clock.
        var restingUntil: UInt64 = 0
        var thread: SystemIO.Thread?
    }

    static let stepSize = 1 << 20
    private static let rest: UInt64 = 60 * 1_000_000_000

    private let state = Lock(State())
    private let directory: Directory
    private let size: UInt64
    private let isStepped: Bool

    init(_ directory: Directory, _ settings: JournalSettings) {
        (self.directory, size, isStepped) = (directory, settings.segmentSize, settings.isStepped)
    }

    /// Asks for a spare; nothing happens when there is one or one is being made. Cheap, never blocks on the disk.
    func want() {
        let changed = state.withLock { (state: inout State) -> Bool in
            if state.wanted || state.ready || state.stopping { return false }
            if Clock.monotonicNanoseconds < state.restingUntil { return false }
            state.wanted = true
            if state.thread == nil, !isStepped { state.thread = SystemIO.Thread(name: "journal-fill") { self.run() } }
            return true
        }
        if changed { state.signal() }
    }

    /// True when the spare is ready; it then belongs to the caller.
    func take() -> Bool {
        state.withLock { (state: inout State) -> Bool in
            defer { state.ready = false }
            return state.ready
        }
    }

    /// Ends the thread, within one step.
    func stop() {
        let thread = state.withLock { (state: inout State) -> SystemIO.Thread? in
            state.stopping = true
            defer { state.thread = nil }
            return state.thread
        }
        state.signal()
        thread?.join()
    }

    private var isStopping: Bool { state.withLock { (state: inout State) -> Bool in state.stopping } }

    private func run() {
        _ = fc_set_thread_nice(10)
        while state.wait(until: { (state: inout State) -> Bool? in
            state.stopping ? false : state.wanted ? true : nil
        }) {
            work()
        }
    }

    /// Makes a spare if one is wanted, on the caller's thread.
    func step() {
        if state.withLock({ (state: inout State) -> Bool in state.wanted }) { work() }
    }

    private func work() {
        let made = fill()
        state.withLock { (state: inout State) in
            (state.wanted, state.ready) = (false, made)
            if !made { state.restingUntil = Clock.monotonicNanoseconds &+ Self.rest }
        }
    }

    /// - Returns: false when there is no spare afterwards.
    private func fill() -> Bool {
        do throws(Errno) {
            guard try directory.freeBytes() / 4 > size else { return false }
            if try makeSpare() { return true }
        } catch {
            // A disk that is full or broken shows itself to the journal too, which reports it.
        }
        // Half a spare is of no use, and its room may be needed; where there is none the call fails, rightly.
        try? directory.remove(Segment.spareName)
        return false
    }

    private func makeSpare() throws(Errno) -> Bool {
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.stepSize, alignment: 4096)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        let file = try directory.open(Segment.spareName, .replace)
        var at: UInt64 = 0
        while at < size {
            if isStopping { return false }
            let count = Int(min(size - at, UInt64(zeros.count)))
            try file.write(UnsafeRawBufferPointer(rebasing: zeros[..<count]), at: at)
            try file.syncData()
            at += UInt64(count)
        }
        try file.sync()
        return true
    }
}
