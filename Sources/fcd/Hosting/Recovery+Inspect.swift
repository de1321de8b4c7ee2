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
        return try recovery.inspect(Directory(dataPath))
    }

    private func inspect(_ data: Directory) throws(JournalFault) -> (Content, Replay) {
        let journalDirectory = data.directory("journal")
        let manifest = try manifest(journalDirectory: journalDirectory)
        let settings = try journalSettings(manifest, data: data)
        return try rebuild(manifest) { (after, body) throws(JournalFault) in
            try JournalInspection.read(directory: journalDirectory, settings: settings, after: after, body)
        }
    }
}
