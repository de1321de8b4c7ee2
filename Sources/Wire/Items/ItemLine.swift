import Bytes
import ChatModel

/// A line of a collection, read back: `EV item coll= seq= ts= by= op= id= rev= [json=]`, in this order. A view on the
/// line's bytes: valid only while they are; deliberately not `Sendable`.
package struct ItemLine {
    package let collection: UnsafeRawBufferPointer
    package let seq: Seq
    package let time: Timestamp
    package let by: UnsafeRawBufferPointer
    package let isDeletion: Bool
    package let id: UnsafeRawBufferPointer
    /// The object; nothing for a deletion.
    package let json: UnsafeRawBufferPointer

    private static let head: StaticString = "EV item coll="

    /// Reads a line given without its LF; nil when it is none of ours. O(what stands in front of the object), allocates nothing.
    package init?(_ line: UnsafeRawBufferPointer) {
        var words = Words(line)
        guard words.skip(Self.head), let collection = words.value(), words.skip("seq="),
            let seq = words.value().flatMap(Number.parse), words.skip("ts="),
            let time = words.value().flatMap({ Timestamp($0) }), words.skip("by="), let by = words.value(),
            words.skip("op="), let operation = words.value(), words.skip("id="), let id = words.value(),
            words.skip("rev="), words.value().flatMap(Number.parse) == seq, ItemID.isSound(id)
        else { return nil }
        (self.collection, self.seq, self.time, self.by, self.id) = (collection, seq, time, by, id)
        isDeletion = operation.elementsEqual("del".utf8)
        if isDeletion {
            guard words.rest.isEmpty else { return nil }
        } else {
            guard operation.elementsEqual("put".utf8), words.skip("json="), words.rest.first == 0x7B,
                words.rest.last == 0x7D
            else { return nil }
        }
        json = words.rest
    }

    /// The seq alone, of a line of ours, with or without its LF; 0 for another line.
    package static func seq(of line: UnsafeRawBufferPointer) -> Seq {
        var words = Words(line)
        guard words.skip(Self.head), words.value() != nil, words.skip("seq=") else { return 0 }
        return words.value().flatMap(Number.parse) ?? 0
    }

    /// Whether a line of ours, with or without its LF, says that an item is gone: `op=` follows five words.
    package static func isDeletion(_ line: UnsafeRawBufferPointer) -> Bool {
        var words = Words(line)
        for _ in 0..<6 where words.value() == nil { return false }
        return words.skip("op=del ")
    }

    /// Goes over the words of a line.
    private struct Words {
        private let line: UnsafeRawBufferPointer
        private var at = 0

        init(_ line: UnsafeRawBufferPointer) { self.line = line }

        mutating func skip(_ text: StaticString) -> Bool {
            let end = at + text.utf8CodeUnitCount
            guard end <= line.count else { return false }
            for offset in 0..<text.utf8CodeUnitCount where line[at + offset] != text.utf8Start[offset] { return false }
            at = end
            return true
        }

        /// Up to the next blank, which is passed over, or the end.
        mutating func value() -> UnsafeRawBufferPointer? {
            let start = at
            while at < line.count, line[at] != 0x20 { at += 1 }
            guard at > start else { return nil }
            defer { at = min(at + 1, line.count) }
            return UnsafeRawBufferPointer(rebasing: line[start..<at])
        }

        var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: line[at...]) }
    }
}
