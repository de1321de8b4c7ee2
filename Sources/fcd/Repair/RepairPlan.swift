import ChatCore
import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

/// What is left of a damaged data directory, put together, and what is said of it. Nothing on disk has been changed.
struct RepairPlan {
    /// Everything that could be kept.
    let content: Content
    let logID: String
    /// The last global sequence that was on disk.
    let sequence: UInt64
    /// The highest generation that any file of the snapshot has.
    let generation: UInt64
    /// Files of uploads that no record names any more, as paths in the data directory. The next start removes them.
    let strayFiles: [String]
    let rows: [RepairRow]

    /// - Parameters:
    ///   - path: the data directory, which nobody else has.
    ///   - logID: the new identity of the log.
    /// - Throws: `JournalFault`: a newer format, a failed call, or too little left to go on.
    init(_ path: String, limits: Limits, logID: String) throws(JournalFault) {
        let snapshot = try SnapshotRemains(
            Directory(path + "/snapshot"),
            journal: Directory(path + "/journal"),
            limits: limits
        )
        let survey = try JournalSurvey(
            directory: Directory(path + "/journal"),
            after: snapshot.sequence,
            expectedThrough: snapshot.through,
            isWhole: JournalPayload.isWhole
        )
        var salvage = Salvage(snapshot.content ?? Content(limits: limits))
        try survey.forEach { (_, payload) in salvage.note(payload) }
        if snapshot.content == nil { salvage.restore(snapshot.parts, sequence: snapshot.sequence) }
        var next = snapshot.sequence + 1
        try survey.forEach { (record, payload) in
            salvage.take(
                payload,
                globalSequence: record.globalSequence,
                isTorn: record.isTorn,
                missing: record.globalSequence - next
            )
            next = record.globalSequence + 1
        }
        do throws(RecordFault) { content = try salvage.finish(sequence: survey.last, logID: logID) } catch {
            throw .damage(file: "journal", offset: 0, reason: error.reason)
        }
        (self.logID, sequence, generation) = (logID, survey.last, snapshot.generation)
        strayFiles = try Self.strayFiles(in: path, content.state)
        rows =
            snapshot.rows + RepairReport.rows(of: survey)
            + RepairReport.rows(of: salvage.report, survey, content.state)
            + RepairReport.rows(ofFiles: strayFiles.count)
    }

    private static func strayFiles(in path: String, _ state: State) throws(JournalFault) -> [String] {
        do throws(Errno) {
            var files: [String] = []
            for folder in try Directory.list(path + "/blobs") where folder.utf8.count == 2 {
                for rest in try Directory.list(path + "/blobs/" + folder) {
                    guard let content = ContentHash(hex: folder + rest), !state.hasBlob(with: content) else { continue }
                    files.append("blobs/" + folder + "/" + rest)
                }
            }
            return files
        } catch {
            if error.isMissing { return [] }
            throw .system(file: "blobs", error)
        }
    }
}
