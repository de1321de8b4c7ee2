import ChatCore
import ChatModel
import Engine
import Persistence
import Storage
import SystemIO

/// Builds state and timelines from the snapshot and the journal. Changes nothing but what the journal's own recovery does.
struct Recovery: Sendable {
    let snapshot: SnapshotFiles
    let limits: Limits

    struct Found {
        var content: Content
        let replay: Replay
        /// Bytes of records that stand beside the snapshot.
        let journalBytes: UInt64
    }

    /// The manifest, nil where there is no snapshot.
    /// - Throws: `JournalFault` when it is damaged, newer, or missing although the journal's beginning is gone.
    func manifest(journalDirectory: Directory) throws(JournalFault) -> SnapshotManifest? {
        if let manifest = try snapshot.manifest() { return manifest }
        guard let first = try JournalTrim.first(in: journalDirectory), first > 1 else { return nil }
        throw .damage(
            file: "snapshot/" + SnapshotManifest.fileName,
            offset: 0,
            reason: "it is missing, and the journal begins with record \(first) only"
        )
    }

    /// What the rest of the data directory says of its journal.
    func journalSettings(
        _ manifest: SnapshotManifest?,
        data: Directory
    ) throws(JournalFault) -> JournalSettings {
        let hasFiles = try snapshot.hasAny()
        let hasBlobs = try BlobStore(directory: data.directory("blobs")).hasStored()
        return JournalSettings(
            expectsData: manifest != nil || hasFiles || hasBlobs,
            expectedThrough: manifest?.through ?? 0
        )
    }

    /// - Parameters:
    ///   - manifest: the snapshot to begin with.
    ///   - through: the last record to take; nil for the recovery at start, which cuts a torn tail off.
    /// - Throws: `JournalFault`: damage with file and offset, a newer format, or a failed call.
    func content(
        _ manifest: SnapshotManifest?,
        _ journal: any Journal,
        through: UInt64? = nil
    ) throws(JournalFault) -> Found {
        var bytes: UInt64 = 0
        let (content, replay) = try rebuild(manifest) { (after, body) throws(JournalFault) in
            try journal.replay(after: after, through: through) { (record) throws(JournalFault) in
                bytes += UInt64(record.payload.count)
                try body(record)
            }
        }
        return Found(content: content, replay: replay, journalBytes: bytes)
    }

    /// What `manifest` holds, and on top of it what `replay` gives behind its sequence.
    func rebuild(
        _ manifest: SnapshotManifest?,
        _ replay: (
            _ after: UInt64, _ body: (ReplayedRecord) throws(JournalFault) -> Void
        ) throws(JournalFault) -> Replay
    ) throws(JournalFault) -> (Content, Replay) {
        var content = Content(limits: limits)
        if let manifest { try SnapshotLoader(files: snapshot, manifest: manifest).load(into: &content) }
        let replayed = try replay(manifest?.sequence ?? 0) { (record) throws(JournalFault) in
            do throws(RecordFault) {
                try content.replay(record.payload, globalSequence: record.globalSequence)
            } catch {
                throw record.damage(error.reason)
            }
        }
        do throws(RecordFault) { try content.finishRecovery() } catch {
            throw .damage(file: "snapshot/" + SnapshotManifest.fileName, offset: 0, reason: error.reason)
        }
        return (content, replayed)
    }
}
