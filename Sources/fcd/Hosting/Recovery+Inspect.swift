import ChatModel
import Engine
import Persistence
import Storage

extension Recovery {
    /// The same as `content`, without changing anything: for `fcd check` and `fcd user list` while no daemon runs.
    static func inspect(_ dataPath: String, limits: Limits) throws(JournalFault) -> (Content, Replay) {
        var content = Content(limits: limits)
        let replay = try JournalInspection.read(directory: dataPath + "/journal") { record throws(JournalFault) in
            do throws(RecordFault) {
                try content.replay(record.payload, globalSequence: record.globalSequence)
            } catch {
                throw record.damage(error.reason)
            }
        }
        return (content, replay)
    }
}
