import Bytes
import Storage

extension FileJournal {
    /// Appends a record with this text.
    func append(_ text: String, as globalSequence: UInt64) {
        append([(Array(text.utf8), false)], behind: globalSequence - 1)
    }

    /// Appends one batch behind record `last`, stating the journal's durable mark.
    func append(_ records: [(text: [UInt8], together: Bool)], behind last: UInt64) {
        var batch = spareBuffer()
        for (index, record) in records.enumerated() {
            JournalRecord.append(
                to: &batch,
                globalSequence: last + 1 + UInt64(index),
                durable: synced,
                together: record.together
            ) { out in record.text.withUnsafeBytes { out.append($0) } }
        }
        append(batch, through: last + UInt64(records.count))
        flush()
    }
}
