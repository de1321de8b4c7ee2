import Bytes
import ChatModel
import Engine
import OperatorFrontEnd
import Persistence
import Storage
import Synchronization
import SystemIO

/// What the engine, the loops, the journal and the workers share: their mailboxes.
final class Switchboard: Sendable {
    let engine: Mailbox<EngineMail>
    let loops: [Mailbox<LoopMail>]
    /// More is undurable than `limits.undurable` allows: no line is taken.
    let isThrottled = Atomic<Bool>(false)
    /// SIGTERM has come.
    let isStopping = Atomic<Bool>(false)
    /// No loop sends the engine anything any more.
    let loopsHaveEnded = Atomic<Bool>(false)

    /// - Throws: `Errno` when there is no descriptor left.
    init(loopCount: Int) throws(Errno) {
        engine = try Mailbox()
        var mailboxes: [Mailbox<LoopMail>] = []
        for _ in 0..<loopCount { mailboxes.append(try Mailbox()) }
        loops = mailboxes
    }
}

/// Runs the engine: carries mail to it, its records to the journal, its mail to the loops. Confined to the thread that
/// calls `turn`: loop 0's, or one of its own.
final class EngineHost {
    let engine: Engine
    private let journal: any Journal
    private let switchboard: Switchboard
    /// The engine's, of `switchboard`.
    private let mailbox: Mailbox<EngineMail>
    private let workers: PasswordWorkers
    private let searchers: SearchWorkers
    private let blobs: BlobWriter
    private let undurableLimit: Int
    private let snapshots: SnapshotWriter
    private var schedule: SnapshotSchedule
    private var inbox = ContiguousArray<EngineMail>()
    private var outbox = ContiguousArray<LoopMail>()
    /// Sizes of the batches the journal has not reported, each with its last record.
    private var waiting = ContiguousArray<(through: UInt64, bytes: Int)>()
    private var waitingBytes = 0
    private static let lastSnapshotNanoseconds: UInt64 = 1_500_000_000
    /// Records in the last batch that shared a sync, and where it ended.
    private(set) var lastBatch: UInt64 = 0
    private var flushed: UInt64 = 0
    /// Turns for which records wait for `flushJournal`, 0 when none do.
    private(set) var turnsUnflushed = 0
    /// Carries out what the operator asks for.
    var operatorFront: OperatorFrontEnd?
    /// Opens the journal again after it has failed, and posts what became of it.
    private let rescue: JournalRescue

    init(
        engine: Engine,
        journal: any Journal,
        switchboard: Switchboard,
        workers: PasswordWorkers,
        searchers: SearchWorkers,
        blobs: BlobWriter,
        undurableLimit: Int,
        snapshots: SnapshotWriter,
        rescue: JournalRescue,
        schedule: SnapshotSchedule
    ) {
        (self.engine, self.journal, self.switchboard) = (engine, journal, switchboard)
        mailbox = switchboard.engine
        (self.snapshots, self.schedule, self.rescue) = (snapshots, schedule, rescue)
        (self.workers, self.searchers) = (workers, searchers)
        (self.blobs, self.undurableLimit) = (blobs, undurableLimit)
    }

    /// Takes all mail, decides it, and sends what follows. Once a turn.
    func turn() {
        if turnsUnflushed > 0 { turnsUnflushed += 1 }
        mailbox.take(into: &inbox)
        if inbox.isEmpty { return }
        engine.beginTurn(now: .wallClock, monotonic: .now)
        for mail in inbox {
            // Under `interval` a sync comes later than what may be spoken, and without mail.
            if case .tick = mail {
                engine.handle(.durable(engine.durable, synced: min(journal.synced, engine.durable)))
            }
            engine.handle(mail)
            noteForSchedule(mail)
        }
        inbox.removeAll(keepingCapacity: true)
        operatorFront?.serve(engine, now: engine.moment)
        finish()
    }

    /// Sends what the engine decided: records first, then mail and jobs.
    func finish() {
        engine.endTurn()
        writeJournal()
        if !engine.snapshotWork.isEmpty { writeSnapshot() }
        if engine.mustResume {
            engine.mustResume = false
            rescue.resume(isBlind: engine.isBlind)
        }
        handOutJobs()
        for index in switchboard.loops.indices {
            engine.takeMail(for: index, into: &outbox)
            switchboard.loops[index].post(all: &outbox)
        }
        throttle()
        if engine.wantsTurn { mailbox.post(.goOn) }
    }

    private func handOutJobs() {
        guard engine.hasJobs else { return }
        for job in engine.passwordJobs { workers.add(job) }
        engine.passwordJobs.removeAll(keepingCapacity: true)
        for job in engine.searchJobs { searchers.add(job) }
        engine.searchJobs.removeAll()
        for blob in engine.settledBlobs { blobs.settle(blob) }
        engine.settledBlobs.removeAll(keepingCapacity: true)
        for id in engine.settledPartials { blobs.add(.remove(nil, id)) }
        engine.settledPartials.removeAll(keepingCapacity: true)
        for content in engine.removableBlobs { blobs.remove(content) }
        engine.removableBlobs.removeAll()
    }

    private func writeJournal() {
        let bytes = engine.journalBatch.count
        if bytes == 0 { return }
        var batch = journal.spareBuffer()
        swap(&batch, &engine.journalBatch)
        waiting.append((engine.appended, bytes))
        waitingBytes += bytes
        schedule.noteJournal(bytes)
        journal.append(batch, through: engine.appended)
        if turnsUnflushed == 0 { turnsUnflushed = 1 }
    }

    /// Hands the next pieces of a snapshot to its writer; the first has the journal begin a new segment.
    private func writeSnapshot() {
        if engine.snapshotWork.contains(where: { if case .begin = $0 { true } else { false } }) {
            journal.turn()
            schedule.noteBegin(.now)
        }
        snapshots.add(engine.snapshotWork)
        engine.snapshotWork.removeAll(keepingCapacity: true)
    }

    /// A snapshot begins when it is due, which is looked at when the journal has grown or a second has passed.
    private func noteForSchedule(_ mail: EngineMail) {
        switch mail {
        case .snapshotEnded(.failed): schedule.noteFailure(.now)
        case .tick, .durable:
            if engine.isSnapshotUnderWay || engine.readOnlyReason != nil { return }
            if schedule.isDue(.now, hasNews: engine.hasNewsForSnapshot) { engine.requestSnapshot(nil) }
        default: break
        }
    }

    /// Waits until the records of the start are on disk, or the journal has failed.
    func finishStart() {
        finish()
        flushJournal()
        while engine.durable < engine.appended, engine.readOnlyReason == nil {
            Clock.sleep(milliseconds: 1)
            turn()
            // What came meanwhile, as an upload that a former run has left whole, has made records, too.
            flushJournal()
        }
    }

    /// Has the records of the last turns written. Called once a turn, or a few turns later when that makes a larger batch.
    func flushJournal() {
        if turnsUnflushed == 0 { return }
        turnsUnflushed = 0
        (lastBatch, flushed) = (engine.appended - min(engine.appended, flushed), engine.appended)
        journal.flush()
    }

    /// Above the limit of undurable bytes no line is taken, until half of it is on disk.
    private func throttle() {
        if engine.readOnlyReason != nil { (waiting, waitingBytes) = ([], 0) }
        var done = 0
        while done < waiting.count, waiting[done].through <= engine.durable {
            waitingBytes -= waiting[done].bytes
            done += 1
        }
        waiting.removeFirst(done)
        let isThrottled = switchboard.isThrottled.load(ordering: .relaxed)
        if !isThrottled, waitingBytes > undurableLimit {
            switchboard.isThrottled.store(true, ordering: .relaxed)
        } else if isThrottled, waitingBytes <= undurableLimit / 2 {
            switchboard.isThrottled.store(false, ordering: .relaxed)
            for mailbox in switchboard.loops { mailbox.post(.roomAgain) }
        }
    }

    /// Runs turns until the loops have ended, on a thread of the engine's own.
    func run(_ poller: Poller) {
        while !switchboard.loopsHaveEnded.load(ordering: .relaxed) {
            turn()
            flushJournal()
            if switchboard.engine.sleep() { _ = poller.wait(milliseconds: -1) }
        }
    }

    /// The end of a clean stop: everything is on disk when this returns.
    func stop() {
        turn()
        engine.beginTurn(now: .wallClock, monotonic: .now)
        engine.stop()
        finish()
        flushJournal()
        if engine.readOnlyReason == nil { writeLastSnapshot() }
        snapshots.stop()
        journal.seal()
    }

    /// A snapshot if it fits into the time of a stop; the journal suffices otherwise.
    private func writeLastSnapshot() {
        let deadline = Clock.monotonicNanoseconds + Self.lastSnapshotNanoseconds
        engine.requestSnapshot(nil)
        finish()
        while engine.isSnapshotUnderWay, engine.readOnlyReason == nil, Clock.monotonicNanoseconds < deadline {
            turn()
            flushJournal()
            Clock.sleep(milliseconds: 1)
        }
    }
}
