import Bytes
import ChatCore
import ChatModel
import Storage
import Wire

/// The three kinds of payload of a journal record (format 1):
///
/// - `E <conversation> <seq> <account> <nonce> <line>`: an event; numbers are decimal, the acting account is 0 for the
///   server, the nonce's keyed hash is 16 hexadecimal digits or `-`, and the line is the one of the wire, without LF;
/// - `I <collection> <seq> <account> <line>`: a change of an item, as an event but in the numbers of collections;
/// - `L <kind> key=value …`: a ledger entry, which is never sent (`LedgerCodec`).
package enum JournalPayload {
    package enum Decoded {
        case ledger(LedgerEntry)
        /// The event, and its line without LF, valid while the record's bytes are.
        case event(Event, line: UnsafeRawBufferPointer)
        /// The same for an item.
        case item(ItemEvent, line: UnsafeRawBufferPointer)
    }

    /// Appends everything of an event's payload but its line.
    package static func encodeHeader(of event: Event, nonce: UInt64?, into out: inout ByteBuffer) {
        encodeHeader(conversation: event.conversation, seq: event.seq, by: event.by, nonce: nonce, into: &out)
    }

    /// The same from what it says.
    package static func encodeHeader(
        conversation: ConversationNumber,
        seq: Seq,
        by account: AccountNumber,
        nonce: UInt64?,
        into out: inout ByteBuffer
    ) {
        out.append("E ")
        out.append(decimal: UInt64(conversation.raw))
        out.append(byte: 0x20)
        out.append(decimal: seq)
        out.append(byte: 0x20)
        out.append(decimal: UInt64(account.raw))
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
        case 0x49: return try decodeItem(payload, state)
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
        let read = try EventPayload(payload)
        let event = Event(
            conversation: read.conversation,
            seq: read.seq,
            time: read.recorded.time,
            by: read.by,
            kind: try EventKind(read.recorded, nonce: read.nonce, state)
        )
        guard fits(event, state), !read.line.contains(0x0A) else {
            throw RecordFault("an event that does not follow")
        }
        return .event(event, line: read.line)
    }

    /// Whether the event is the next one of its conversation, or makes the next conversation.
    private static func fits(_ event: Event, _ state: State) -> Bool {
        if state.isAhead(of: event) { return true }
        if case .create = event.kind { return event.seq == 1 && event.conversation == state.nextConversation }
        return state.exists(event.conversation) && event.seq == state.conversation(event.conversation).nextSeq
    }

    /// The event of a line that a snapshot holds, as far as the line tells it: nonces do not stand in lines. Nil when the line
    /// is none of conversation `number`, or names somebody unknown.
    package static func event(
        ofLine line: UnsafeRawBufferPointer,
        of number: ConversationNumber,
        _ state: State
    ) -> Event? {
        guard let recorded = EventParser.parse(line), let kind = try? EventKind(recorded, nonce: nil, state) else {
            return nil
        }
        let by =
            recorded.by.map {
                $0 == "operator" ? .operator : state.account(handleKey: NameFolding.key(of: $0)) ?? .server
            }
            ?? .server
        return Event(conversation: number, seq: recorded.seq, time: recorded.time, by: by, kind: kind)
    }

    /// Numbers that may be left out in front of an account: those of guests that were there at the same time and never
    /// written down, as many as there can be connections, and the idle ones that are kept.
    private static let largestGap: UInt64 = 1 << 21

    /// Whether an account's number may come next.
    package static func fits(_ entry: LedgerEntry, _ state: State) -> Bool {
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
