import Bytes
import ChatModel
import Wire

/// Collections (`ItemLog`): lines go from the middle, chunks that are empty go, and who hears a collection from its
/// beginning hears what stands, not what is gone.
extension CursorTable {
    /// Lines were cut out of a chunk; cursors keep their line, or go on at the one behind it. O(cursors).
    /// - Parameter missed: what is cut was not superseded: who has not had it is told so by this seq; 0 where it was.
    package func cut(_ conversation: ConversationNumber, _ cut: LineCut, _ piece: PublishedChunk, missed: Seq = 0) {
        guard let list = lists[conversation] else { return }
        let index = Int(cut.ordinal - list.head.pointee.firstOrdinal)
        guard index >= 0, index < Int(list.head.pointee.viewCount) else { return }
        let last = Place(ordinal: cut.ordinal, offset: cut.removed.last?.lowerBound ?? 0)
        func moved(_ place: Place) -> Place {
            place.ordinal == cut.ordinal ? Place(ordinal: place.ordinal, offset: cut.moved(place.offset)) : place
        }
        for i in 0..<list.head.pointee.subscriberCount {
            let at = Int(list.head.pointee.subscribers[i])
            let isMissed = missed > 0 && cursors[at].place <= last && !cursors[at].skipsDeletions
            cursors[at].place = moved(cursors[at].place)
            cursors[at].limit = moved(cursors[at].limit)
            cursors[at].live = moved(cursors[at].live)
            if cursors[at].hasSequel { changeSequels(of: at) { Self.move(&$0, moved) } }
            if isMissed, cursors[at].place < cursors[at].limit { cursors[at].gone = missed }
        }
        list.replace(ordinal: cut.ordinal, piece)
        for i in 0..<list.head.pointee.subscriberCount { wake(Int(list.head.pointee.subscribers[i])) }
    }

    /// Only chunks with these ordinals, ascending, are left, and they are numbered anew from the list's first ordinal on.
    /// O(cursors × log chunks + chunks).
    package func renumber(_ conversation: ConversationNumber, _ kept: [Int32]) {
        guard let list = lists[conversation] else { return }
        let first = list.head.pointee.firstOrdinal
        func moved(_ place: Place) -> Place {
            if place == .never { return place }
            let at = kept.partitioningIndex { $0 >= place.ordinal }
            guard at < kept.count else { return Place(ordinal: first + Int32(kept.count), offset: 0) }
            return Place(ordinal: first + Int32(at), offset: kept[at] == place.ordinal ? place.offset : 0)
        }
        for i in 0..<list.head.pointee.subscriberCount {
            let at = Int(list.head.pointee.subscribers[i])
            cursors[at].place = moved(cursors[at].place)
            cursors[at].limit = moved(cursors[at].limit)
            cursors[at].live = moved(cursors[at].live)
            if cursors[at].hasSequel { changeSequels(of: at) { Self.move(&$0, moved) } }
        }
        list.keep(kept)
    }

    /// The cursor that was just made passes over deletions up to where it goes live.
    package func skipDeletions(_ owner: Int, _ conversation: ConversationNumber) {
        guard let index = byOwner[OwnerKey(owner: Int32(owner), conversation: conversation)] else { return }
        if !cursors[Int(index)].hasSequel { cursors[Int(index)].skipsDeletions = true }
    }

    /// `copyLines` for a cursor that passes over deletions: line by line, until it goes live. Copies nothing only when
    /// nothing is left in front of it, or the next line does not fit.
    func copyWithoutDeletions(
        _ cursor: UnsafeMutablePointer<Cursor>,
        to target: UnsafeMutableRawPointer,
        room: Int,
        isAlone: Bool
    ) -> Int {
        let list = cursor.pointee.list
        let end = min(cursor.pointee.readableEnd, cursor.pointee.live)
        var (copied, place) = (0, cursor.pointee.place)
        defer { cursor.pointee.place = place }
        while place < end {
            let view = list.pointee.views[Int(place.ordinal - list.pointee.firstOrdinal)]
            let stop = place.ordinal == end.ordinal ? end.offset : view.length
            guard place.offset < stop else {
                place = Place(ordinal: place.ordinal + 1, offset: 0)
                continue
            }
            let rest = UnsafeRawBufferPointer(start: view.base + Int(place.offset), count: Int(stop - place.offset))
            let count = (LineSplitter.lineEnd(in: rest) ?? rest.count - 1) + 1
            let line = UnsafeRawBufferPointer(rebasing: rest[..<count])
            if !ItemLine.isDeletion(line), let from = line.baseAddress {
                if count > room - copied, copied > 0 || !isAlone { return copied }
                (target + copied).copyMemory(from: from, byteCount: count)
                copied += count
            }
            place.offset += Int32(count)
        }
        cursor.pointee.skipsDeletions = false
        return copied
    }
}

extension [Int32] {
    /// The first index whose element fulfils what all behind it do. O(log n).
    fileprivate func partitioningIndex(_ fulfils: (Int32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fulfils(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
