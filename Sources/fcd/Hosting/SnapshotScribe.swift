import Bytes
import Engine
import Storage
import SystemIO

/// Writes the pieces of a snapshot in their order and then makes it the one that counts. Knows no thread.
struct SnapshotScribe: ~Copyable {
    private struct Ending {
        let logID: String
        let sequence: UInt64
        let through: UInt64
    }

    private var store: SnapshotStore
    private let journal: FileJournal
    private let journalDirectory: Directory
    /// Held while the manifest is replaced and files are removed, and by whoever reads the snapshot meanwhile.
    private let isChanging: Lock<Void>
    /// A snapshot is under way and nothing has failed.
    private(set) var isActive = false
    private var ending: Ending?
    /// The run of the journal that the snapshot belongs to.
    private var run = 0
    /// Connections of backups that copy files: none is removed meanwhile.
    private var holders: Set<ConnectionKey> = []
    /// Segments up to here are removed once nobody copies them.
    private var trimDue: UInt64 = 0

    /// Bytes encoded at once.
    private static let pieceSize = 256 << 10

    init(
        _ store: consuming SnapshotStore,
        journal: FileJournal,
        journalDirectory: Directory,
        isChanging: Lock<Void>
    ) {
        self.store = store
        (self.journal, self.journalDirectory, self.isChanging) = (journal, journalDirectory, isChanging)
    }

    /// Does one piece of work. What comes behind a failure is ignored until the next snapshot begins.
    /// - Parameter isStopping: asked between pieces of a long file; then the rest of it is left out.
    /// - Throws: `JournalFault`; the snapshot is given up then.
    mutating func take(_ work: SnapshotWork, isStopping: () -> Bool = { false }) throws(JournalFault) {
        if case .begin(let run) = work {
            (isActive, ending, self.run) = (true, nil, run)
            return store.begin()
        }
        if takeHold(work) || !isActive { return }
        do throws(JournalFault) { try write(work, isStopping) } catch {
            abort()
            throw error
        }
    }

    private mutating func write(_ work: SnapshotWork, _ isStopping: () -> Bool) throws(JournalFault) {
        switch work {
        case .begin, .hold, .letGo: break
        case .open(let part): try store.open(part.stem)
        case .bytes(let bytes): try store.append(bytes.buffer.readable)
        case .lines(let run):
            try run.encode(limit: Self.pieceSize) { (bytes) throws(JournalFault) in
                if !isStopping() { try store.append(bytes) }
            }
        case .close(let holds): try store.close(holds: holds)
        case .keep(let part, let holds): try store.keep(part.stem, holds: holds)
        case .finish(let logID, let sequence, let through):
            ending = Ending(logID: logID, sequence: sequence, through: through)
        case .abandon: abort()
        }
    }

    /// Everything is written; the manifest waits for the journal, because nothing that could still be lost may stand in a
    /// snapshot.
    var isWaiting: Bool { ending != nil }

    /// Writes the manifest and trims the journal, if that is on disk as far as it must be.
    /// - Returns: the manifest, and how many segments are gone; nil when it is too early.
    /// - Throws: `JournalFault`; the snapshot is given up then.
    mutating func finish() throws(JournalFault) -> (SnapshotManifest, trimmed: Int)? {
        guard let end = ending, journal.synced >= end.through, !journal.isTurning else { return nil }
        do throws(JournalFault) {
            guard journal.run == run else {
                throw .damage(file: "journal", offset: 0, reason: "it was resumed while the snapshot was written")
            }
            let outcome = isChanging.withLock { (_: inout Void) -> Result<(SnapshotManifest, Int), JournalFault> in
                do throws(JournalFault) {
                    let manifest = try store.commit(logID: end.logID, sequence: end.sequence, through: end.through)
                    trimDue = end.sequence
                    return .success((manifest, holders.isEmpty ? try trim() : 0))
                } catch { return .failure(error) }
            }
            let (manifest, trimmed) = try outcome.get()
            (isActive, ending) = (false, nil)
            return (manifest, trimmed)
        } catch {
            abort()
            throw error
        }
    }

    /// Gives the snapshot under way up, if there is one.
    mutating func abort() {
        if isActive { store.abort() }
        (isActive, ending) = (false, nil)
    }

    private func trim() throws(JournalFault) -> Int { try JournalTrim.trim(journalDirectory, through: trimDue) }

    /// Takes what concerns backups.
    /// - Returns: false for everything else.
    private mutating func takeHold(_ work: SnapshotWork) -> Bool {
        switch work {
        case .hold(let waiter): holders.insert(waiter.connection)
        case .letGo(let connection):
            holders.remove(connection)
            if holders.isEmpty { removeWhatWasHeld() }
        default: return false
        }
        store.isHeld = !holders.isEmpty
        return true
    }

    private mutating func removeWhatWasHeld() {
        isChanging.withLock { (_: inout Void) in
            store.removeReplaced()
            // What cannot be removed now is removed by the next snapshot.
            _ = try? trim()
        }
    }
}

extension SnapshotWork {
    /// Whether it is a part of a snapshot.
    var isPart: Bool {
        switch self {
        case .hold, .letGo: false
        default: true
        }
    }
}
