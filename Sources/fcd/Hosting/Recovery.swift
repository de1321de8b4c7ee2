import ChatCore
import ChatModel
import Engine
import Persistence
import Storage

/// Builds state and timelines from the journal.
enum Recovery {
    /// - Parameter through: the last record to take; nil for the recovery at start, which cuts a torn tail off.
    /// - Throws: `JournalFault`: damage with file and offset, a newer format, or a failed call.
    static func content(
        of journal: any Journal,
        limits: Limits,
        through: UInt64? = nil
    ) throws(JournalFault) -> (Content, Replay) {
        var content = Content(limits: limits)
        let replay = try journal.replay(after: 0, through: through) { record throws(JournalFault) in
            do throws(RecordFault) {
                try content.replay(record.payload, globalSequence: record.globalSequence)
            } catch {
                throw record.damage(error.reason)
            }
        }
        return (content, replay)
    }
}
