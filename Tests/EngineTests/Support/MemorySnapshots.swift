import Bytes
import ChatCore
import ChatModel
import Engine
import Persistence

@testable import Storage

/// Where a stage's snapshots go: the writer's part, in memory, turned by hand.
final class MemorySnapshots {
    struct File {
        let part: SnapshotPart
        let bytes: [UInt8]
        let holds: UInt64
    }

    struct Whole {
        let files: [File]
        let sequence: UInt64
        let through: UInt64
    }

    /// The last whole snapshot.
    private(set) var whole: Whole?
    /// Stems written for it, not kept.
    private(set) var written: [String] = []
    private var files: [File] = []
    private var names: [String] = []
    private var open: (part: SnapshotPart, bytes: [UInt8])?
    private var ending: (sequence: UInt64, through: UInt64)?

    /// Takes what the engine has for the writer.
    func take(_ engine: Engine) {
        for work in engine.snapshotWork { take(work) }
        engine.snapshotWork.removeAll()
    }

    /// Does what the writer does until everything is written, but for telling the engine.
    func write(_ stage: Stage) {
        take(stage.engine)
        while !isWaiting {
            stage.handle(.snapshotRoom)
            take(stage.engine)
        }
    }

    /// The same as `take`, where nothing is known of the files that are kept.
    func takeWritten(_ engine: Engine) {
        for work in engine.snapshotWork { if case .keep = work { continue } else { take(work) } }
        engine.snapshotWork.removeAll()
    }

    /// Everything is written; only the journal is waited for.
    var isWaiting: Bool { ending != nil }

    /// The manifest, if the journal is on disk that far.
    func commit(durable: UInt64) -> Bool {
        guard let ending, ending.through <= durable else { return false }
        whole = Whole(files: files, sequence: ending.sequence, through: ending.through)
        (written, self.ending) = (names, nil)
        return true
    }

    /// The writer lost what it had.
    func fail() { (files, names, open, ending) = ([], [], nil, nil) }

    private func take(_ work: SnapshotWork) {
        switch work {
        case .begin: fail()
        case .open(let part): (open, names) = ((part, []), names + [part.stem])
        case .bytes(let bytes): open?.bytes += Array(bytes.buffer.readable)
        case .lines(let run): run.encode(limit: 1000) { open?.bytes += Array($0) }
        case .close(let holds):
            guard let done = open else { preconditionFailure("no file is open") }
            files.append(File(part: done.part, bytes: done.bytes, holds: holds))
            open = nil
        case .keep(let part, let holds):
            guard let old = whole?.files.first(where: { $0.part == part }) else {
                preconditionFailure("\(part.stem) is kept and was never written")
            }
            files.append(File(part: part, bytes: old.bytes, holds: holds))
        case .finish(_, let sequence, let through): ending = (sequence, through)
        case .abandon: fail()
        case .hold, .letGo: break
        }
    }

    /// What a start builds from `snapshot`, if there is one, and the records of `journal` up to `through`.
    static func recovered(
        _ snapshot: Whole?,
        _ journal: [UInt8],
        through: UInt64,
        limits: Limits
    ) throws -> Content {
        var content = Content(limits: limits)
        if let snapshot {
            for file in snapshot.files {
                let shard = try file.bytes.withUnsafeBytes { try SnapshotShard(file.part, $0) }
                try content.restore(shard, file.part, holds: file.holds)
            }
            content.finishRestoring(sequence: snapshot.sequence)
        }
        try journal.withUnsafeBytes { whole in
            var at = 0
            while at < whole.count {
                let rest = UnsafeRawBufferPointer(rebasing: whole[at...])
                guard case .record(let record) = JournalRecord.parse(rest) else {
                    throw JournalledRecord.Unsound(offset: at)
                }
                at += record.length
                guard record.globalSequence > content.globalSequence, record.globalSequence <= through else { continue }
                let payload = UnsafeRawBufferPointer(rebasing: rest[record.payload])
                try content.replay(payload, globalSequence: record.globalSequence)
            }
        }
        try content.finishRecovery()
        return content
    }
}
