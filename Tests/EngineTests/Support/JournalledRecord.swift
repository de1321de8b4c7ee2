import ChatModel
import Engine

@testable import Storage

/// A record as the journal would have it on disk.
struct JournalledRecord {
    let sequence: UInt64
    /// The durable mark it states.
    let durable: UInt64
    /// Whether it is kept or lost together with the one that follows.
    let together: Bool
    let payload: String

    /// The kind of event or ledger entry: `msg`, `account` …
    var kind: String {
        let words = payload.split(separator: " " as Character)
        if payload.hasPrefix("I ") { return String(words[5]) }
        return String(payload.hasPrefix("L ") ? words[1] : words[6])
    }

    /// All records of `bytes`, which must be sound; and, when `content` is given, the same applied to it up to `last`.
    static func all(in bytes: [UInt8], applyingTo content: inout Content, through last: UInt64) throws -> [Self] {
        try all(in: bytes) { (payload, sequence) in
            if sequence <= last { try content.replay(payload, globalSequence: sequence) }
        }
    }

    /// All records of `bytes`, which must be sound.
    static func all(
        in bytes: [UInt8],
        _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void = { _, _ in }
    ) throws -> [Self] {
        var records: [Self] = []
        try bytes.withUnsafeBytes { whole in
            var at = 0
            while at < whole.count {
                let rest = UnsafeRawBufferPointer(rebasing: whole[at...])
                guard case .record(let record) = JournalRecord.parse(rest) else { throw Unsound(offset: at) }
                let payload = UnsafeRawBufferPointer(rebasing: rest[record.payload])
                try body(payload, record.globalSequence)
                records.append(
                    Self(
                        sequence: record.globalSequence,
                        durable: record.durable,
                        together: record.together,
                        payload: String(decoding: payload, as: UTF8.self)
                    )
                )
                at += record.length
            }
        }
        return records
    }

    /// The records of `bytes` up to `last`.
    static func beginning(of bytes: [UInt8], through last: UInt64) throws -> [UInt8] {
        try bytes.withUnsafeBytes { whole in
            var at = 0
            while at < whole.count {
                let rest = UnsafeRawBufferPointer(rebasing: whole[at...])
                guard case .record(let record) = JournalRecord.parse(rest) else { throw Unsound(offset: at) }
                if record.globalSequence > last { break }
                at += record.length
            }
            return Array(whole[..<at])
        }
    }

    struct Unsound: Error { let offset: Int }
}
