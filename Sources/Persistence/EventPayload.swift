import ChatModel
import Wire

/// An event's payload as its numbers and its line; names are not looked up. A view: valid while the bytes are.
package struct EventPayload {
    package let conversation: ConversationNumber
    package let seq: Seq
    package let by: AccountNumber
    package let nonce: UInt64?
    package let recorded: RecordedEvent
    /// Without its LF.
    package let line: UnsafeRawBufferPointer

    /// Whether the payload is an event's at all.
    package static func isEvent(_ payload: UnsafeRawBufferPointer) -> Bool {
        payload.count > 2 && payload[0] == 0x45 && payload[1] == 0x20
    }

    /// - Throws: `RecordFault` when the numbers or the line are not there, or contradict each other.
    package init(_ payload: UnsafeRawBufferPointer) throws(RecordFault) {
        var header = HeaderReader(payload, from: 2)
        guard let conversation = header.number(), let seq = header.number(), let by = header.number(),
            let nonce = header.nonce(), let number = UInt32(exactly: conversation), let account = UInt32(exactly: by)
        else { throw RecordFault("an event without its numbers") }
        line = UnsafeRawBufferPointer(rebasing: payload[header.at...])
        guard let recorded = EventParser.parse(line), recorded.seq == seq else {
            throw RecordFault("an event without its line")
        }
        (self.conversation, self.seq, self.by) = (ConversationNumber(number), seq, AccountNumber(account))
        (self.nonce, self.recorded) = (nonce.value, recorded)
    }
}

/// Goes over the words in front of an event's line.
private struct HeaderReader {
    struct Nonce { let value: UInt64? }

    private let bytes: UnsafeRawBufferPointer
    private(set) var at: Int

    init(_ bytes: UnsafeRawBufferPointer, from start: Int) { (self.bytes, at) = (bytes, start) }

    private mutating func word() -> UnsafeRawBufferPointer? {
        let start = at
        while at < bytes.count, bytes[at] != 0x20 { at += 1 }
        guard at > start, at < bytes.count else { return nil }
        defer { at += 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<at])
    }

    mutating func number() -> UInt64? { word().flatMap(Number.parse) }

    mutating func nonce() -> Nonce? {
        guard let word = word() else { return nil }
        if word.count == 1, word[0] == 0x2D { return Nonce(value: nil) }
        guard word.count == 16, word[0] != 0x2B, word[0] != 0x2D,
            let value = UInt64(String(decoding: word, as: UTF8.self), radix: 16)
        else { return nil }
        return Nonce(value: value)
    }
}
