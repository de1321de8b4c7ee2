import Bytes
import ChatCore
import ChatModel
import Wire

/// The payload of an item's change: `I <collection> <seq> <account> <line>`, numbers as in an event's. A view: valid while
/// the bytes are.
package struct ItemPayload {
    package let collection: CollectionNumber
    package let seq: Seq
    package let by: AccountNumber
    package let recorded: ItemLine
    /// Without its LF.
    package let line: UnsafeRawBufferPointer

    /// Whether the payload is one of these at all.
    package static func isItem(_ payload: UnsafeRawBufferPointer) -> Bool {
        payload.count > 2 && payload[0] == 0x49 && payload[1] == 0x20
    }

    /// - Throws: `RecordFault` when the numbers or the line are not there, or contradict each other.
    package init(_ payload: UnsafeRawBufferPointer) throws(RecordFault) {
        var (at, numbers) = (2, [UInt64]())
        for _ in 0..<3 {
            let start = at
            while at < payload.count, payload[at] != 0x20 { at += 1 }
            guard at < payload.count,
                let number = Number.parse(UnsafeRawBufferPointer(rebasing: payload[start..<at]))
            else { throw RecordFault("an item without its numbers") }
            numbers.append(number)
            at += 1
        }
        line = UnsafeRawBufferPointer(rebasing: payload[at...])
        guard let collection = UInt32(exactly: numbers[0]), collection > 0, let by = UInt32(exactly: numbers[2]),
            let recorded = ItemLine(line), recorded.seq == numbers[1], !line.contains(0x0A)
        else { throw RecordFault("an item without its line") }
        (self.collection, seq, self.by) = (CollectionNumber(collection), numbers[1], AccountNumber(by))
        self.recorded = recorded
    }

    /// What it says, without the object.
    package var event: ItemEvent {
        ItemEvent(
            collection: collection,
            seq: seq,
            time: recorded.time,
            by: by,
            id: String(decoding: recorded.id, as: UTF8.self),
            operation: recorded.isDeletion ? .delete : .put(json: nil)
        )
    }
}

extension JournalPayload {
    /// Appends everything of an item's payload but its line.
    package static func encodeHeader(of event: ItemEvent, into out: inout ByteBuffer) {
        out.append("I ")
        out.append(decimal: UInt64(event.collection.raw))
        out.append(byte: 0x20)
        out.append(decimal: event.seq)
        out.append(byte: 0x20)
        out.append(decimal: UInt64(event.by.raw))
        out.append(byte: 0x20)
    }

    /// - Throws: `RecordFault` when it is not the next change of its collection.
    static func decodeItem(_ payload: UnsafeRawBufferPointer, _ state: State) throws(RecordFault) -> Decoded {
        let read = try ItemPayload(payload)
        let event = read.event
        guard state.exists(event.collection),
            state.isAhead(of: event) || state.collection(event.collection).nextSeq == event.seq
        else { throw RecordFault("an item that does not follow") }
        return .item(event, line: read.line)
    }
}
