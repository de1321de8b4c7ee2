import ChatModel
import Engine
import Persistence
import Storage
import TLS

extension Recovery {
    /// What a start would recover, without changing anything: for `fcd check` and `fcd user list` while no daemon runs.
    static func inspect(_ dataPath: String, limits: Limits) throws(JournalFault) -> (Content, Replay) {
        let recovery = Recovery(
            snapshot: SnapshotFiles(directory: dataPath + "/snapshot") { SHA256Stream() },
            limits: limits
        )
        return try recovery.inspect(journalDirectory: dataPath + "/journal")
    }

    private func inspect(journalDirectory: String) throws(JournalFault) -> (Content, Replay) {
        let manifest = try manifest(journalDirectory: journalDirectory)
        var content = Content(limits: limits)
        if let manifest { try SnapshotLoader(files: snapshot, manifest: manifest).load(into: &content) }
        let hasAny = try snapshot.hasAny()
        let settings = JournalSettings(
            expectsData: manifest != nil || hasAny,
            expectedThrough: manifest?.through ?? 0
        )
        let replay = try JournalInspection.read(
            directory: journalDirectory,
            settings: settings,
            after: manifest?.sequence ?? 0
        ) { record throws(JournalFault) in
            do throws(RecordFault) {
                try content.replay(record.payload, globalSequence: record.globalSequence)
            } catch {
                throw record.damage(error.reason)
            }
        }
        do throws(RecordFault) { try content.finishRecovery() } catch {
            throw .damage(file: "snapshot/" + SnapshotManifest.fileName, offset: 0, reason: error.reason)
        }
        return (content, replay)
    }
}
