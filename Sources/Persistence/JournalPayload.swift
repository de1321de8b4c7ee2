import Bytes
import ChatCore
import ChatModel
import Storage
import Wire

/// The two kinds of payload of a journal record (format 1):
///
/// - `E <conversation> <seq> <account> <nonce> <line>`: an event; numbers are decimal, the acting account is 0 for the
///   server, the nonce's keyed hash is 16 hexadecimal digits or `-`, and the line is the one of the wire, without LF;
/// - `L <kind> key=value …`: a ledger entry, which is never sent (`LedgerCodec`).
package enum JournalPayload {
    package enum Decoded {
        case ledger(LedgerEntry)
        /// The event, and its line without LF, valid while the record's bytes are.
        case event(Event, line: UnsafeRawBufferPointer)
    }

    /// Appends everything of an event's payload but its line.
    package static func encodeHeader(of event: Event, nonce: UInt64?, into out: inout ByteBuffer) {
        out.append("E ")
        out.append(decimal: UInt64(event.conversation.raw))
        out.append(byte: 0x20)
        out.append(decimal: event.seq)
        out.append(byte: 0x20)
        out.append(decimal: UInt64(event.by.raw))
        out.append(byte: 0x20)
        if let nonce { append(hex: nonce, into: &out) } else { out.append(byte: 0x2D) }
        out.append(byte: 0x20)
    }

    package static func encode(_ entry: LedgerEntry, into out: inout ByteBuffer) {
        out.append("L ")
        LedgerCodec.encode(entry, into: &out)
    }

    /// Reads a payload. Names in lines are looked up in `state`, which
    /// stands as it did when the record was written.
    /// - Throws: `RecordFault` for what this version did not write.
    package static func decode(_ payload: UnsafeRawBufferPointer, _ state: State) throws(RecordFault) -> Decoded {
        guard payload.count > 2, payload[1] == 0x20 else { throw RecordFault("a payload of no known kind") }
        switch payload[0] {
        case 0x4C:
            let entry = try LedgerCodec.decode(payload, from: 2)
            guard fits(entry, state) else { throw RecordFault("an account number that does not follow") }
            return .ledger(entry)
        case 0x45: return try decodeEvent(payload, state)
        default: throw RecordFault("a payload of no known kind")
        }
    }

    /// Reads a payload that is a ledger entry, for those who have no state; nil for an event.
    /// - Throws: `RecordFault` for what this version did not write.
    package static func ledgerEntry(_ payload: UnsafeRawBufferPointer) throws(RecordFault) -> LedgerEntry? {
        guard payload.count > 2, payload[0] == 0x4C, payload[1] == 0x20 else { return nil }
        return try LedgerCodec.decode(payload, from: 2)
    }

    private static func decodeEvent(_ payload: UnsafeRawBufferPointer, _ state: State) throws(RecordFault) -> Decoded {
        var header = HeaderReader(payload, from: 2)
        guard let conversation = header.number(), let seq = header.number(), let by = header.number(),
            let nonce = header.nonce(), let number = UInt32(exactly: conversation), let account = UInt32(exactly: by)
        else { throw RecordFault("an event without its numbers") }
        let line = UnsafeRawBufferPointer(rebasing: payload[header.at...])
        guard let recorded = EventParser.parse(line), recorded.seq == seq else {
            throw RecordFault("an event without its line")
        }
        let event = Event(
            conversation: ConversationNumber(number),
            seq: seq,
            time: recorded.time,
            by: AccountNumber(account),
            kind: try EventKind(recorded, nonce: nonce.value, state)
        )
        guard fits(event, state), !line.contains(0x0A) else { throw RecordFault("an event that does not follow") }
        return .event(event, line: line)
    }

    /// Whether the event is the next one of its conversation, or makes the next conversation.
    private static func fits(_ event: Event, _ state: State) -> Bool {
        if state.isAhead(of: event) { return true }
        if case .create = event.kind { return event.seq == 1 && event.conversation == state.nextConversation }
        return state.exists(event.conversation) && event.seq == state.conversation(event.conversation).nextSeq
    }

    /// Numbers that may be left out in front of an account: those of guests that were there at the same time and never
    /// written down, as many as there can be connections, and the idle ones that are kept.
    private static let largestGap: UInt64 = 1 << 21

    private static func fits(_ entry: LedgerEntry, _ state: State) -> Bool {
        guard case .account(let record) = entry else { return true }
        return UInt64(record.number.raw) <= UInt64(state.nextAccount.raw) + largestGap
    }

    static func append(hex value: UInt64, into out: inout ByteBuffer) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift) & 15)
            out.append(byte: digit < 10 ? digit &+ 0x30 : digit &+ 0x57)
        }
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
