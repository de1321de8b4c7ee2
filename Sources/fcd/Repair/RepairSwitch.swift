import Bytes
import ChatModel
import Engine
import Storage
import SystemIO
import TLS

/// Puts a repaired state in the place of the damaged one, all or nothing.
///
/// Order on disk: everything that will be replaced gets a second name in `repair-N`; the repaired state is written as a
/// snapshot of a new generation; the manifest's rename is the moment at which it counts; then an empty segment goes on
/// behind it, and the old ones are removed. Before the manifest the directory is as damaged as it was. After it, whatever
/// old segments are left hold nothing that the snapshot does not hold: a start reads over them or refuses, and a repair
/// then finishes.
struct RepairSwitch {
    let path: String
    let plan: RepairPlan

    /// - Returns: the name of the side directory.
    func run() throws(JournalFault) -> String {
        let name = try setAside()
        var store = SnapshotStore(
            directory: Directory(path + "/snapshot"),
            manifest: SnapshotManifest(logID: "", generation: plan.generation, sequence: 0, through: 0, files: [])
        ) { SHA256Stream() }
        do throws(JournalFault) { try write(&store) } catch {
            store.abort()
            throw error
        }
        try JournalReplacement.replace(Directory(path + "/journal"), behind: plan.sequence)
        try store.removeLeftovers()
        return name
    }

    private func setAside() throws(JournalFault) -> String {
        var aside = try SetAside(in: path)
        for name in try names("journal") where name.hasSuffix(".log") { try aside.keep("journal/" + name) }
        for name in try names("snapshot") where name.hasSuffix(".json") { try aside.keep("snapshot/" + name) }
        if try names("snapshot").contains("timeline") {
            for number in try names("snapshot/timeline") {
                let folder = "snapshot/timeline/" + number
                for name in try names(folder) where name.hasSuffix(".json") { try aside.keep(folder + "/" + name) }
            }
        }
        for file in plan.strayFiles { try aside.keep(file) }
        var report = ByteBuffer()
        for row in plan.rows { report.append(string: row.json) }
        try aside.write("report.jsonl", report.readable)
        try aside.finish()
        return aside.name
    }

    private func names(_ part: String) throws(JournalFault) -> [String] {
        do throws(Errno) { return try Directory.list(path + "/" + part) } catch {
            throw .system(file: part, error)
        }
    }

    /// Writes the whole content as a snapshot, by the engine's own hand.
    private func write(_ store: inout SnapshotStore) throws(JournalFault) {
        let engine = Engine(
            plan.content,
            loopCount: 1,
            randomness: SystemRandomness(),
            passwordCost: PasswordCost(n: 1024, p: 1),
            backOff: nil,
            signLink: LinkSigner.sign
        )
        engine.beginTurn(now: .wallClock, monotonic: .now)
        engine.requestSnapshot(nil)
        while true {
            let work = engine.snapshotWork
            engine.snapshotWork = []
            for item in work where try take(item, &store) { return }
            engine.handle(.snapshotRoom)
        }
    }

    /// - Returns: true when the snapshot is whole and counts.
    private func take(_ work: SnapshotWork, _ store: inout SnapshotStore) throws(JournalFault) -> Bool {
        switch work {
        case .begin: store.begin()
        case .open(let part): try store.open(part.stem)
        case .bytes(let bytes): try store.append(bytes.buffer.readable)
        case .lines(let run):
            try run.encode(limit: 256 << 10) { (bytes) throws(JournalFault) in try store.append(bytes) }
        case .close(let holds): try store.close(holds: holds)
        case .keep(let part, let holds): try store.keep(part.stem, holds: holds)
        case .abandon, .hold, .letGo: break
        case .finish(let logID, let sequence, let through):
            _ = try store.commit(logID: logID, sequence: sequence, through: through)
            return true
        }
        return false
    }
}
