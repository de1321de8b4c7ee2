import Bytes
import ChatModel

/// What a loop is told of lines that go.
package struct TrimmedLines: Sendable {
    /// Chunks below this are gone.
    package let firstOrdinal: Int32
    /// The first line that is kept, which may stand further on: who is overtaken goes on there.
    package let keptSeq: Seq
    package let kept: Place
    package init(firstOrdinal: Int32, keptSeq: Seq, kept: Place) {
        (self.firstOrdinal, self.keptSeq, self.kept) = (firstOrdinal, keptSeq, kept)
    }
}

/// Cursors in lines that are kept no more: whoever stands in front of a chunk that goes is told where it goes on
/// (protocol.md, SUB), whoever stands behind hears every line.
extension CursorTable {
    /// Chunks are gone; cursors in them go on at the first line that is kept. O(cursors).
    package func trim(_ conversation: ConversationNumber, _ trimmed: TrimmedLines) {
        guard let list = lists[conversation] else { return }
        // Who stands at the very end has missed nothing.
        let end = list.end(before: trimmed.firstOrdinal) ?? Place(ordinal: trimmed.firstOrdinal, offset: 0)
        list.trim(firstOrdinal: trimmed.firstOrdinal)
        let mark = list.notice.isEmpty ? 0 : trimmed.keptSeq
        func moved(_ place: Place, _ gone: Seq) -> (Place, Seq) {
            if place < end || gone != 0 && place < trimmed.kept { return (trimmed.kept, mark) }
            return (max(place, Place(ordinal: trimmed.firstOrdinal, offset: 0)), gone)
        }
        for i in 0..<list.head.pointee.subscriberCount {
            let at = Int(list.head.pointee.subscribers[i])
            (cursors[at].place, cursors[at].gone) = moved(cursors[at].place, cursors[at].gone)
            forgetUseless(&cursors[at].gone, cursors[at].place, cursors[at].limit)
            guard cursors[at].hasSequel else { continue }
            changeSequels(of: at) {
                ($0.place, $0.gone) = moved($0.place, $0.gone)
                forgetUseless(&$0.gone, $0.place, $0.limit)
            }
        }
    }

    /// A cursor that was made first says that events in front of it may be gone.
    package func tellGone(_ owner: Int, _ conversation: ConversationNumber, first: Seq) {
        guard let index = byOwner[OwnerKey(owner: Int32(owner), conversation: conversation)] else { return }
        if cursors[Int(index)].hasSequel, var all = sequels[index], let last = all.popLast() {
            var changed = last
            changed.gone = first
            sequels[index] = all + [changed]
            return
        }
        cursors[Int(index)].gone = first
        wake(Int(index))
    }

    /// Who gets nothing more has no use for where it would go on.
    private func forgetUseless(_ gone: inout Seq, _ place: Place, _ limit: Place) { if place >= limit { gone = 0 } }

    /// Copies `EV gone conv= first=` for a cursor that was overtaken, if there is room for it.
    /// - Returns: bytes copied.
    func copyNotice(_ cursor: UnsafeMutablePointer<Cursor>, to target: UnsafeMutableRawPointer, room: Int) -> Int {
        guard let list = lists[cursor.pointee.list.pointee.conversation] else { return 0 }
        var line = ByteBuffer(capacity: list.notice.count + 24)
        list.notice.withUnsafeBytes { line.append($0) }
        line.append(decimal: cursor.pointee.gone)
        line.append(byte: 0x0A)
        guard line.count <= room, let from = line.readable.baseAddress else { return 0 }
        target.copyMemory(from: from, byteCount: line.count)
        cursor.pointee.gone = 0
        return line.count
    }
}
