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

    /// The last record that a start would keep, without building the state and without changing anything.
    static func lastRecord(_ dataPath: String) throws(JournalFault) -> UInt64 {
        let recovery = Recovery(
            snapshot: SnapshotFiles(directory: Directory(dataPath + "/snapshot")) { SHA256Stream() },
            limits: Limits()
        )
        let data = Directory(dataPath)
        let journalDirectory = data.directory("journal")
        let manifest = try recovery.manifest(journalDirectory: journalDirectory)
        return try JournalInspection.read(
            directory: journalDirectory,
            settings: try recovery.journalSettings(manifest, data: data),
            after: manifest?.sequence ?? 0
        ) { _ in }.last
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
