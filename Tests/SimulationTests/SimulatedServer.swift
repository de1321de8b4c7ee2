import Bytes
import ChatModel
import ChatTesting
import Engine
import Persistence
import Storage
import SystemIO
import TLS

@testable import fcd

/// The daemon's parts on one thread over a simulated disk: engine, journal, snapshots and recovery are the real ones; what
/// stands for loops, threads and workers is turned by hand, in an order that a seed decides.
final class SimulatedServer {
    let engine: Engine
    let clients = EngineClients(loops: 1)
    /// The wall clock, and the one that nobody sets, in milliseconds.
    var now: Int64
    var monotonic: Int64
    /// Everything handed to the journal, by global sequence; shared with the server before and after.
    let log: RecordLog
    /// What a snapshot made the engine say, counted.
    private(set) var snapshotsWritten = 0
    private(set) var snapshotsFailed = 0

    private let disk: SimulatedDisk
    private let journal: FileJournal
    private let recovery: Recovery
    private let journalDirectory: Directory
    private var scribe: SnapshotScribe
    private var snapshotWork: [SnapshotWork] = []
    private let inbox: Lock<[EngineMail]>

    struct Options {
        var isInterval = false
        var limits = Limits()
        var segmentSize: UInt64 = 8 << 10
        var stepSize = 1
    }

    /// Starts on what the disk has.
    /// - Throws: `JournalFault` when the data is damaged, or the disk fails.
    init(
        _ disk: SimulatedDisk,
        _ options: Options,
        log: RecordLog,
        run: UInt64,
        now: Int64,
        monotonic: Int64
    ) throws(JournalFault) {
        (self.disk, self.now, self.monotonic, self.log) = (disk, now, monotonic, log)
        let root = Directory("/data", on: disk)
        do throws(Errno) {
            for part in ["journal", "snapshot"] { _ = try root.make(part) }
            try root.sync()
        } catch { throw .system(file: "data", error) }
        journalDirectory = root.directory("journal")
        recovery = Recovery(
            snapshot: SnapshotFiles(directory: root.directory("snapshot")) { SHA256Stream() },
            limits: options.limits
        )
        let manifest = try recovery.manifest(journalDirectory: journalDirectory)
        let hasSnapshot = manifest == nil ? try recovery.snapshot.hasAny() : true
        var settings = JournalSettings(
            durability: options.isInterval ? .interval(seconds: 1) : .sync,
            segmentSize: options.segmentSize,
            fillAfter: 2 << 10,
            expectsData: hasSnapshot,
            expectedThrough: manifest?.through ?? 0
        )
        settings.isStepped = true
        let inbox = Lock<[EngineMail]>([])
        self.inbox = inbox
        let link = Link()
        journal = FileJournal(
            directory: journalDirectory,
            settings: settings,
            onDurable: { durable in
                let synced = link.journal?.synced ?? 0
                inbox.withLock { (mail: inout [EngineMail]) in mail.append(.durable(durable, synced: synced)) }
            },
            onFailure: { fault in
                var recovered: Recovered?
                if let journal = link.journal, let content = try? link.read(journal) { recovered = Recovered(content) }
                let mail = EngineMail.journalFailed(reason: fault.description, recovered: recovered)
                inbox.withLock { (box: inout [EngineMail]) in box.append(mail) }
            }
        )
        link.journal = journal
        let found = try recovery.content(manifest, journal)
        link.read = { [recovery, journalDirectory] journal throws(JournalFault) in
            let manifest = try recovery.manifest(journalDirectory: journalDirectory)
            return try recovery.content(manifest, journal, through: journal.durable).content
        }
        let store = SnapshotStore(directory: root.directory("snapshot"), manifest: manifest) { SHA256Stream() }
        try store.removeLeftovers()
        scribe = SnapshotScribe(store, journal: journal, journalDirectory: journalDirectory, isChanging: Lock(()))
        engine = Engine(
            found.content,
            loopCount: 1,
            randomness: SeededRandomness(seed: run << 32),
            passwordCost: PasswordCost(n: 1024, p: 1),
            backOff: nil,
            signLink: TestSigner.sign
        )
        engine.snapshotStepSize = options.stepSize
        log.cut(behind: engine.appended)
        engine.start(
            isInterval: options.isInterval,
            now: Timestamp(milliseconds: now),
            monotonic: MonotonicTime(milliseconds: monotonic)
        )
        finish()
        flush()
        step()
        turn([])
    }

    /// - `@unchecked Sendable`: a simulation runs on one thread.
    private final class Link: @unchecked Sendable {
        weak var journal: FileJournal?
        var read: (FileJournal) throws(JournalFault) -> Content = { _ throws(JournalFault) in
            throw .damage(file: "journal", offset: 0, reason: "it is being read")
        }
    }

    // MARK: What happens, step by step

    /// The engine takes what has arrived, these lines last.
    func turn(_ lines: [(ConnectionKey, String)]) {
        engine.beginTurn(now: Timestamp(milliseconds: now), monotonic: MonotonicTime(milliseconds: monotonic))
        for mail in inbox.withLock({ (box: inout [EngineMail]) -> [EngineMail] in
            defer { box = [] }
            return box
        }) {
            if case .snapshotEnded(.written) = mail { snapshotsWritten += 1 }
            if case .snapshotEnded(.failed) = mail { snapshotsFailed += 1 }
            engine.handle(mail)
        }
        for (key, line) in lines { engine.handle(.requests(EngineClients.batch(key, line))) }
        for job in engine.takeOperatorJobs() { engine.carryOut(job) }
        finish()
    }

    func post(_ mail: EngineMail) { inbox.withLock { (box: inout [EngineMail]) in box.append(mail) } }

    /// What the engine has decided goes where it belongs, as `EngineHost` does it.
    private func finish() {
        engine.endTurn()
        if !engine.journalBatch.isEmpty {
            var batch = journal.spareBuffer()
            swap(&batch, &engine.journalBatch)
            log.note(batch.readable)
            journal.append(batch, through: engine.appended)
        }
        if !engine.snapshotWork.isEmpty {
            let begins = engine.snapshotWork.contains { if case .begin = $0 { true } else { false } }
            if begins { journal.turn() }
            snapshotWork += engine.snapshotWork
            engine.snapshotWork.removeAll()
        }
        if engine.mustResume {
            engine.mustResume = false
            resume()
        }
        for job in engine.passwordJobs {
            let outcome = job.expected.map { PasswordResult.Outcome.matches($0 == job.password.bytes) }
            post(.hashed(PasswordResult(id: job.id, outcome: outcome ?? .hash(job.password.bytes))))
        }
        engine.passwordJobs.removeAll()
        var mail = ContiguousArray<LoopMail>()
        engine.takeMail(for: 0, into: &mail)
        // Without power nothing leaves.
        if disk.isOff { return }
        for item in mail { clients.deliver(item, 0) }
        clients.gather()
        if engine.wantsTurn { post(.goOn) }
    }

    func flush() { journal.flush() }

    /// The journal's thread writes and syncs what it was given.
    func step() { journal.step() }

    /// The snapshot's thread takes its next piece of work.
    func stepSnapshot() {
        do throws(JournalFault) {
            if !snapshotWork.isEmpty {
                let work = snapshotWork.removeFirst()
                try scribe.take(work)
                if snapshotWork.isEmpty, scribe.isActive, !scribe.isWaiting { post(.snapshotRoom) }
            }
            if scribe.isWaiting, try scribe.finish() != nil { post(.snapshotEnded(.written)) }
        } catch {
            snapshotWork = []
            post(.snapshotEnded(.failed(error.description)))
        }
    }

    /// As `JournalRescue` does it.
    private func resume() {
        do throws(JournalFault) {
            var recovered: Recovered?
            if engine.isBlind {
                let manifest = try recovery.manifest(journalDirectory: journalDirectory)
                let found = try recovery.content(manifest, journal, through: journal.durable)
                recovered = Recovered(found.content)
            }
            try journal.resume()
            post(.journalResumed(.resumed(recovered)))
        } catch {
            post(.journalResumed(.failed(error.description)))
        }
    }

    func connect() -> ConnectionKey {
        let key = clients.connect(loop: 0)
        post(.opened(key, source: "192.0.2.1"))
        return key
    }

    /// The end of a clean stop.
    func stop() {
        turn([])
        engine.stop()
        finish()
        flush()
        journal.seal()
        journal.step()
        turn([])
    }
}
