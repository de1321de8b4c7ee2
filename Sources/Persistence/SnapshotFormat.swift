import Bytes
import ChatModel

/// What all files of a snapshot have in common.
package enum SnapshotFormat {
    /// The version that each file states first. 2 has tokens, profiles, bans and what else came with them; of 1 nothing is
    /// missing but that. The journal's framing is still its version 1: a record of a kind that a version does not know is
    /// refused by that version as it stands.
    ///
    /// 3 has files of collections and their items; the other files still state 2, which is what they are.
    package static let version: UInt64 = 3
    /// The oldest that is read.
    private static let oldest: UInt64 = 1

    /// The version that a file states, whatever else is in it; nil when that cannot be read.
    package static func version(of bytes: some Collection<UInt8>) -> UInt64? {
        let start = "{\"format\":".utf8
        guard bytes.starts(with: start) else { return nil }
        let digits = bytes.dropFirst(start.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
        return UInt64(String(decoding: digits, as: UTF8.self))
    }

    static func check(_ reader: inout JSONReader) throws(JSONFault) {
        let found = try reader.number()
        if found > version {
            throw reader.fault("written in format \(found) by a newer version; this one reads format \(version)")
        }
        if found < oldest { throw reader.fault("an unknown format") }
    }
}

extension JSONReader {
    mutating func accountNumber() throws(JSONFault) -> AccountNumber {
        let number = UInt32(exactly: try number()).map { AccountNumber($0) }
        guard let number, number.isAccount else { throw fault("an unsound account number") }
        return number
    }

    mutating func conversationNumber() throws(JSONFault) -> ConversationNumber {
        guard let raw = UInt32(exactly: try number()), raw > 0 else { throw fault("an unsound conversation number") }
        return ConversationNumber(raw)
    }

    mutating func timestamp() throws(JSONFault) -> Timestamp {
        guard let milliseconds = Int64(exactly: try number()) else { throw fault("an unsound time") }
        return Timestamp(milliseconds: milliseconds)
    }

    mutating func role() throws(JSONFault) -> Role {
        guard let role = Role(rawValue: try string()) else { throw fault("an unknown role") }
        return role
    }

    mutating func tokenHash() throws(JSONFault) -> TokenHash {
        guard let hash = TokenHash(hex: try string()) else { throw fault("an unsound session") }
        return hash
    }

    /// The values of an array of exactly `count` parts, each read by `part` with its index.
    mutating func tuple(
        _ count: Int,
        _ part: (inout JSONReader, Int) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        var index = 0
        try array { (reader) throws(JSONFault) in
            if index == count { throw reader.fault("too many values") }
            try part(&reader, index)
            index += 1
        }
        if index < count { throw fault("too few values") }
    }
}
