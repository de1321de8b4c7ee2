import Bytes
import ChatModel
import Wire

/// A list that is opened anew while cursors stand in it, after the journal has failed: the chunks may be cut elsewhere now,
/// so each cursor is put at the line it stood at.
extension CursorTable {
    /// The lines that a cursor stands at; no limit is nil.
    struct Standing {
        var place: Seq
        var limit: Seq?
        var live: Seq
        var gone: Seq
        var sequels: [(place: Seq, limit: Seq?, live: Seq, gone: Seq)] = []
    }

    /// Where the cursors of a list stand, before it is changed. O(bytes of the list + cursors × chunk).
    func standings(in list: ChunkList) -> [Int: Standing] {
        if list.head.pointee.subscriberCount == 0 { return [:] }
        let lines = ListLines(list)
        func end(_ place: Place) -> Seq? { place == .never ? nil : lines.seq(at: place) }
        var all: [Int: Standing] = [:]
        for i in 0..<list.head.pointee.subscriberCount {
            let at = Int(list.head.pointee.subscribers[i])
            let cursor = cursors[at]
            var standing = Standing(
                place: lines.seq(at: cursor.place),
                limit: end(cursor.limit),
                live: lines.seq(at: cursor.live),
                gone: cursor.gone
            )
            if cursor.hasSequel {
                standing.sequels = (sequels[Int32(at)] ?? []).map {
                    (lines.seq(at: $0.place), end($0.limit), lines.seq(at: $0.live), $0.gone)
                }
            }
            all[at] = standing
        }
        return all
    }

    /// Puts the cursors where they stood, in the list as it is now; where their lines are not there any more, at the first
    /// that is kept.
    func restore(_ standings: [Int: Standing], in list: ChunkList, keptSeq: Seq) {
        if standings.isEmpty { return }
        let lines = ListLines(list)
        let mark = list.notice.isEmpty ? 0 : keptSeq
        func end(_ seq: Seq?) -> Place { seq.map(lines.place) ?? .never }
        func stand(_ seq: Seq, _ limit: Seq?, _ gone: Seq) -> (Place, Seq) {
            if seq >= list.firstSeq { return (lines.place(of: seq), gone) }
            return (lines.place(of: keptSeq), keptSeq < limit ?? .max ? mark : 0)
        }
        for (at, standing) in standings {
            (cursors[at].place, cursors[at].gone) = stand(standing.place, standing.limit, standing.gone)
            (cursors[at].limit, cursors[at].live) = (end(standing.limit), lines.place(of: standing.live))
            if cursors[at].hasSequel {
                sequels[Int32(at)] = standing.sequels.map {
                    let (place, gone) = stand($0.place, $0.limit, $0.gone)
                    return CursorSequel(place: place, limit: end($0.limit), live: lines.place(of: $0.live), gone: gone)
                }
            }
        }
    }
}

/// The seqs of the lines in a list. Valid until the list is changed.
private struct ListLines {
    private let head: UnsafeMutablePointer<ListHead>
    /// The seq of the first line of each chunk, and behind the last one.
    private var firsts: [Seq]

    private let isSparse: Bool

    init(_ list: ChunkList) {
        (head, firsts) = (list.head, [list.firstSeq])
        isSparse = CollectionNumber(log: list.head.pointee.conversation) != nil
        if isSparse { return }
        for index in 0..<Int(head.pointee.viewCount) {
            firsts.append(firsts[index] + Seq(LineSplitter.lineCount(in: head.pointee.views[index].bytes)))
        }
    }

    /// The line that begins at `place`; behind the last one, the one that would follow.
    func seq(at place: Place) -> Seq {
        if isSparse { return sparseSeq(at: place) }
        let index = Int(place.ordinal - head.pointee.firstOrdinal)
        guard index >= 0 else { return firsts[0] }
        guard index < firsts.count - 1 else { return firsts[firsts.count - 1] }
        let bytes = head.pointee.views[index].bytes
        let before = UnsafeRawBufferPointer(rebasing: bytes[..<min(Int(place.offset), bytes.count)])
        return firsts[index] + Seq(LineSplitter.lineCount(in: before))
    }

    /// Where the line with `seq` begins; the first line kept, or the end, when it is none of these.
    func place(of seq: Seq) -> Place {
        if isSparse { return sparsePlace(of: seq) }
        let first = head.pointee.firstOrdinal
        guard seq > firsts[0], firsts.count > 1 else { return Place(ordinal: first, offset: 0) }
        let index = min((firsts.firstIndex { $0 > seq } ?? firsts.count) - 1, firsts.count - 2)
        let bytes = head.pointee.views[index].bytes
        let offset = LineSplitter.offset(ofLine: Int(clamping: seq - firsts[index]), in: bytes) ?? bytes.count
        return Place(ordinal: first + Int32(index), offset: Int32(offset))
    }

    /// In a collection lines say their seqs themselves; behind the last one, the one that would follow.
    private func sparseSeq(at place: Place) -> Seq {
        var last: Seq = 0
        for index in 0..<Int(head.pointee.viewCount) {
            let bytes = head.pointee.views[index].bytes
            var at = 0
            while let end = LineSplitter.lineEnd(in: bytes, from: at) {
                last = ItemLine.seq(of: UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
                if Place(ordinal: head.pointee.firstOrdinal + Int32(index), offset: Int32(at)) >= place { return last }
                at = end + 1
            }
        }
        return last + 1
    }

    /// The first line that is not before `seq`.
    private func sparsePlace(of seq: Seq) -> Place {
        for index in 0..<Int(head.pointee.viewCount) {
            let bytes = head.pointee.views[index].bytes
            var at = 0
            while let end = LineSplitter.lineEnd(in: bytes, from: at) {
                if ItemLine.seq(of: UnsafeRawBufferPointer(rebasing: bytes[at..<end])) >= seq {
                    return Place(ordinal: head.pointee.firstOrdinal + Int32(index), offset: Int32(at))
                }
                at = end + 1
            }
        }
        return head.pointee.end
    }
}
