import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

extension Recovery {
    /// What a start would recover, without changing anything: for `fcd check` and `fcd user list` while no daemon runs.
    static func inspect(_ dataPath: String, limits: Limits) throws(JournalFault) -> (Content, Replay) {
        let recovery = Recovery(
            snapshot: SnapshotFiles(directory: Directory(dataPath + "/snapshot")) { SHA256Stream() },
            limits: limits
        )
        return try recovery.inspect(journalDirectory: Directory(dataPath + "/journal"))
    }

    private func inspect(journalDirectory: Directory) throws(JournalFault) -> (Content, Replay) {
        let manifest = try manifest(journalDirectory: journalDirectory)
        let hasAny = try snapshot.hasAny()
        let settings = JournalSettings(
            expectsData: manifest != nil || hasAny,
            expectedThrough: manifest?.through ?? 0
        )
        return try rebuild(manifest) { (after, body) throws(JournalFault) in
            try JournalInspection.read(directory: journalDirectory, settings: settings, after: after, body)
        }
    }
}
