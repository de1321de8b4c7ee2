import Bytes
import ChatModel
import Engine

@testable import Storage

/// Every record that an engine ever wrote, over all its lives, without those that a start has cut off.
final class RecordLog {
    private var records: [UInt64: [UInt8]] = [:]

    /// Takes whole records.
    func note(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
            guard case .record(let record) = JournalRecord.parse(rest) else {
                preconditionFailure("the engine wrote what is no record")
            }
            records[record.globalSequence] = Array(rest[record.payload])
            at += record.length
        }
    }

    /// What a start did not find was never there.
    func cut(behind last: UInt64) { records = records.filter { $0.key <= last } }

    /// What all records together make.
    func content(_ limits: Limits) throws -> Content {
        var content = Content(limits: limits)
        for sequence in records.keys.sorted() {
            try records[sequence]?.withUnsafeBytes { try content.replay($0, globalSequence: sequence) }
        }
        try content.finishRecovery()
        return content
    }
}
