import Bytes
import ChatModel
import Glibc

/// All cursors of one loop and its lists of chunks; confined to the loop's thread, deliberately not `Sendable`.
///
/// A mail that extends a conversation marks each cursor in it as behind: O(subscribers), no reference counted, nothing
/// allocated. `gather` copies whole lines for one owner, its conversations in turn.
package final class CursorTable {
    var lists: [ConversationNumber: ChunkList] = [:]
    var cursors: UnsafeMutablePointer<Cursor>
    var cursorCount = 0
    var cursorCapacity = 64
    var freeCursors = ContiguousArray<Int32>()
    var owners: UnsafeMutablePointer<CursorOwner>
    var ownerCapacity = 64
    var byOwner: [OwnerKey: Int32] = [:]
    /// By cursor, what follows it, in order.
    var sequels: [Int32: [CursorSequel]] = [:]
    /// Owners with something to send, in turn; a ring of the size of `owners`.
    private var ready: UnsafeMutablePointer<Int32>
    private var readyFirst = 0
    /// Owners waiting in the queue.
    package private(set) var readyCount = 0

    struct OwnerKey: Hashable {
        let owner: Int32
        let conversation: ConversationNumber
    }

    /// Bytes of lines that go into one record, unless a single line is longer.
    package static let recordSize = 16384

    package init() {
        cursors = .allocate(capacity: cursorCapacity)
        owners = .allocate(capacity: ownerCapacity)
        owners.initialize(repeating: CursorOwner(), count: ownerCapacity)
        ready = .allocate(capacity: ownerCapacity)
    }

    deinit {
        cursors.deallocate()
        owners.deallocate()
        ready.deallocate()
    }

    // MARK: What mail does

    /// A list with everything published so far, in front of the first cursor in `conversation`; or anew, when cursors stand
    /// there already, which keep their line.
    package func open(_ conversation: ConversationNumber, _ published: PublishedLines) {
        let list = lists[conversation] ?? ChunkList(conversation: conversation)
        lists[conversation] = list
        let standings = standings(in: list)
        list.open(published)
        restore(standings, in: list, keptSeq: published.keptSeq)
        wakeAll(list.head)
    }

    package func extend(_ conversation: ConversationNumber, ordinal: Int32, _ piece: PublishedChunk) {
        guard let list = lists[conversation] else { return }
        list.extend(ordinal: ordinal, piece)
        wakeAll(list.head)
    }

    /// A chunk was replaced by one with the same number of lines; cursors keep their line. O(cursors + chunk).
    package func replace(_ conversation: ConversationNumber, ordinal: Int32, _ piece: PublishedChunk) {
        guard let list = lists[conversation] else { return }
        let index = Int(ordinal - list.head.pointee.firstOrdinal)
        guard index >= 0, index < Int(list.head.pointee.viewCount) else { return }
        let before = list.head.pointee.views[index]
        let old = UnsafeRawBufferPointer(start: before.base, count: Int(before.length))
        let new = UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
        func moved(_ place: Place) -> Place {
            guard place.ordinal == ordinal else { return place }
            let before = UnsafeRawBufferPointer(rebasing: old[..<min(Int(place.offset), old.count)])
            let line = LineSplitter.lineCount(in: before)
            let offset = LineSplitter.offset(ofLine: line, in: new) ?? new.count
            return Place(ordinal: ordinal, offset: Int32(offset))
        }
        for i in 0..<list.head.pointee.subscriberCount {
            let at = Int(list.head.pointee.subscribers[i])
            cursors[at].place = moved(cursors[at].place)
            cursors[at].limit = moved(cursors[at].limit)
            cursors[at].live = moved(cursors[at].live)
            if cursors[at].hasSequel { changeSequels(of: at) { Self.move(&$0, moved) } }
        }
        list.replace(ordinal: ordinal, piece)
    }

    /// The engine has no subscriber of this loop in `conversation` any more.
    package func close(_ conversation: ConversationNumber) {
        guard let list = lists[conversation] else { return }
        list.isClosed = true
        dropIfUnused(list)
    }

    /// Puts the cursor of `owner` in `conversation` at `place`; makes one when there is none. One that has ended but is
    /// still behind first delivers what is its owner's, then goes on there.
    package func subscribe(_ owner: Int, _ conversation: ConversationNumber, at place: Place) {
        guard let list = lists[conversation] else { return }
        list.isClosed = false
        if addSequel(owner, conversation, at: place) { return }
        unsubscribe(owner, conversation)
        let index = newCursor()
        makeRoom(owner: owner)
        cursors[index] = Cursor(list: list.head, place: place, live: list.head.pointee.end, owner: Int32(owner))
        cursors[index].subscriberIndex = list.head.pointee.addSubscriber(Int32(index))
        byOwner[OwnerKey(owner: Int32(owner), conversation: conversation)] = Int32(index)
        link(index, to: owner)
        wake(index)
    }

    package func unsubscribe(_ owner: Int, _ conversation: ConversationNumber) {
        guard let index = byOwner[OwnerKey(owner: Int32(owner), conversation: conversation)] else { return }
        remove(Int(index))
    }

    /// Nothing published after this mail reaches `owner` from `conversation`: what is published now still does.
    package func end(_ owner: Int, _ conversation: ConversationNumber) {
        guard let index = byOwner[OwnerKey(owner: Int32(owner), conversation: conversation)] else { return }
        limit(Int(index)) { cursor, _ in cursor.list.pointee.end }
    }

    // MARK: What connections do

    /// The owner has gone: all its cursors go. O(its cursors).
    package func removeOwner(_ owner: Int) {
        guard owner < ownerCapacity else { return }
        while owners[owner].firstOwned >= 0 { remove(Int(owners[owner].firstOwned)) }
    }

    /// The connection is about to end: with `catchUpOnly` what was there when it subscribed is still sent, else all that
    /// is published now. O(its cursors).
    package func stopLive(_ owner: Int, catchUpOnly: Bool) {
        guard owner < ownerCapacity else { return }
        var index = owners[owner].firstOwned
        while index >= 0 {
            let at = Int(index)
            index = cursors[at].nextOwned
            limit(at) { cursor, live in catchUpOnly ? live : cursor.list.pointee.end }
        }
    }

    /// Whether the owner has a cursor that is behind.
    package func isBehind(_ owner: Int) -> Bool { owner < ownerCapacity && owners[owner].firstBehind >= 0 }

    /// Visits the owner's cursors that are behind.
    func forEachBehind(_ owner: Int, _ body: (Cursor) -> Void) {
        guard owner < ownerCapacity else { return }
        var index = owners[owner].firstBehind
        while index >= 0 {
            body(cursors[Int(index)])
            index = cursors[Int(index)].nextBehind
        }
    }

    /// Puts an owner into the queue of those with something to send.
    package func markReady(_ owner: Int) {
        if owner >= ownerCapacity { makeRoom(owner: owner) }
        if owners[owner].isReady { return }
        owners[owner].isReady = true
        let at = readyFirst &+ readyCount
        ready[at < ownerCapacity ? at : at &- ownerCapacity] = Int32(truncatingIfNeeded: owner)
        readyCount &+= 1
    }

    /// Takes the next owner out of the queue.
    package func nextReady() -> Int? {
        if readyCount == 0 { return nil }
        let owner = Int(ready[readyFirst])
        readyFirst = readyFirst &+ 1 < ownerCapacity ? readyFirst &+ 1 : 0
        readyCount &-= 1
        owners[owner].isReady = false
        return owner
    }

    /// Copies whole lines for `owner` into `room`, at most `recordSize` bytes with the `used` that stand there already,
    /// its conversations in turn; only a single longer line may pass that, when nothing stands there. Returns how many
    /// bytes were added. `room` holds at least 64 KiB.
    package func gather(_ owner: Int, into room: UnsafeMutableRawPointer, used: Int) -> Int {
        guard owner < ownerCapacity else { return 0 }
        var total = used
        while owners[owner].firstBehind >= 0 {
            let index = Int(owners[owner].firstBehind)
            let (target, left) = (room + total, Self.recordSize - total)
            let rest = copyRest(cursors + index, to: target, room: left)
            total += rest
            if rest == 0 {
                total += copyLines(cursors + index, to: target, room: left, isAlone: total == 0)
                if cursors[index].hasMore {
                    rotate(owner)
                    break
                }
            }
            popBehind(owner)
            if cursors[index].place >= cursors[index].limit, !beginSequel(index) { remove(index) }
        }
        return total - used
    }

    /// The usual case of `copyLines`: all that is left stands in one chunk and has room. Returns 0, and nothing was done,
    /// in every other.
    @inline(__always)
    private func copyRest(
        _ cursor: UnsafeMutablePointer<Cursor>,
        to target: UnsafeMutableRawPointer,
        room: Int
    ) -> Int {
        let (list, end, place) = (cursor.pointee.list, cursor.pointee.readableEnd, cursor.pointee.place)
        let left = Int(end.offset) &- Int(place.offset)
        guard place.ordinal == end.ordinal, left > 0, left <= room, cursor.pointee.gone == 0,
            !cursor.pointee.skipsDeletions
        else { return 0 }
        let view = list.pointee.views[Int(place.ordinal &- list.pointee.firstOrdinal)]
        memcpy(target, view.base + Int(place.offset), left)
        cursor.pointee.place = end
        return left
    }

    private func copyLines(
        _ cursor: UnsafeMutablePointer<Cursor>,
        to target: UnsafeMutableRawPointer,
        room: Int,
        isAlone: Bool
    ) -> Int {
        let list = cursor.pointee.list
        let end = cursor.pointee.readableEnd
        var (copied, place) = (0, cursor.pointee.place)
        if cursor.pointee.gone != 0 {
            copied = copyNotice(cursor, to: target, room: room)
            if cursor.pointee.gone != 0 { return 0 }
        }
        if cursor.pointee.skipsDeletions, copied == 0 {
            let count = copyWithoutDeletions(cursor, to: target, room: room, isAlone: isAlone)
            if count > 0 || cursor.pointee.skipsDeletions { return count }
            place = cursor.pointee.place
        }
        while place < end {
            let view = list.pointee.views[Int(place.ordinal - list.pointee.firstOrdinal)]
            let stop = place.ordinal == end.ordinal ? end.offset : view.length
            let available = Int(stop - place.offset)
            if available <= 0 {
                place = Place(ordinal: place.ordinal + 1, offset: 0)
                continue
            }
            let source = UnsafeRawBufferPointer(start: view.base + Int(place.offset), count: available)
            var count = available
            if count > room - copied {
                count = LineSplitter.wholeLines(in: UnsafeRawBufferPointer(rebasing: source[..<max(0, room - copied)]))
                if count == 0, copied == 0, isAlone { count = (LineSplitter.lineEnd(in: source) ?? available - 1) + 1 }
                if count == 0 { break }
            }
            memcpy(target + copied, view.base + Int(place.offset), count)
            copied += count
            place.offset += Int32(count)
        }
        cursor.pointee.place = place
        return copied
    }

    // MARK: Books

    private func wakeAll(_ head: UnsafeMutablePointer<ListHead>) {
        let (subscribers, end) = (head.pointee.subscribers, head.pointee.end)
        for i in 0..<head.pointee.subscriberCount { wake(Int(subscribers[i]), upTo: end) }
    }

    func wake(_ index: Int) { wake(index, upTo: cursors[index].list.pointee.end) }

    /// - Parameter end: the end of the cursor's lines.
    @inline(__always)
    private func wake(_ index: Int, upTo end: Place) {
        let cursor = cursors + index
        if cursor.pointee.isBehind { return }
        guard cursor.pointee.gone != 0 || cursor.pointee.place < min(cursor.pointee.limit, end) else { return }
        cursor.pointee.isBehind = true
        cursor.pointee.nextBehind = -1
        let owner = owners + Int(cursor.pointee.owner)
        if owner.pointee.lastBehind >= 0 {
            cursors[Int(owner.pointee.lastBehind)].nextBehind = Int32(truncatingIfNeeded: index)
        } else {
            owner.pointee.firstBehind = Int32(truncatingIfNeeded: index)
        }
        owner.pointee.lastBehind = Int32(truncatingIfNeeded: index)
        markReady(Int(cursor.pointee.owner))
    }

    private func popBehind(_ owner: Int) {
        let index = Int(owners[owner].firstBehind)
        owners[owner].firstBehind = cursors[index].nextBehind
        if owners[owner].firstBehind < 0 { owners[owner].lastBehind = -1 }
        cursors[index].isBehind = false
        cursors[index].nextBehind = -1
    }

    /// The first cursor goes to the end of the queue: conversations take turns.
    private func rotate(_ owner: Int) {
        let index = owners[owner].firstBehind
        if index == owners[owner].lastBehind { return }
        owners[owner].firstBehind = cursors[Int(index)].nextBehind
        cursors[Int(owners[owner].lastBehind)].nextBehind = index
        cursors[Int(index)].nextBehind = -1
        owners[owner].lastBehind = index
    }

    func remove(_ index: Int) {
        let owner = Int(cursors[index].owner)
        if cursors[index].isBehind { unlink(index, of: owner) }
        let list = cursors[index].list
        let (hole, last) = (Int(cursors[index].subscriberIndex), list.pointee.subscriberCount - 1)
        let moved = list.pointee.subscribers[last]
        list.pointee.subscribers[hole] = moved
        cursors[Int(moved)].subscriberIndex = Int32(hole)
        list.pointee.subscriberCount = last
        byOwner[OwnerKey(owner: Int32(owner), conversation: list.pointee.conversation)] = nil
        unlinkOwned(index, of: owner)
        if cursors[index].hasSequel { sequels[Int32(index)] = nil }
        freeCursors.append(Int32(index))
        if let whole = lists[list.pointee.conversation] { dropIfUnused(whole) }
    }

    private func unlink(_ index: Int, of owner: Int) {
        var (before, at) = (Int32(-1), owners[owner].firstBehind)
        while at >= 0, at != Int32(index) { (before, at) = (at, cursors[Int(at)].nextBehind) }
        let next = cursors[index].nextBehind
        if before < 0 { owners[owner].firstBehind = next } else { cursors[Int(before)].nextBehind = next }
        if next < 0 { owners[owner].lastBehind = before }
        cursors[index].isBehind = false
    }

    private func link(_ index: Int, to owner: Int) {
        let first = owners[owner].firstOwned
        cursors[index].nextOwned = first
        if first >= 0 { cursors[Int(first)].previousOwned = Int32(index) }
        owners[owner].firstOwned = Int32(index)
    }

    private func unlinkOwned(_ index: Int, of owner: Int) {
        let (previous, next) = (cursors[index].previousOwned, cursors[index].nextOwned)
        if previous >= 0 { cursors[Int(previous)].nextOwned = next } else { owners[owner].firstOwned = next }
        if next >= 0 { cursors[Int(next)].previousOwned = previous }
    }

    private func dropIfUnused(_ list: ChunkList) {
        if list.isClosed, list.head.pointee.subscriberCount == 0 { lists[list.head.pointee.conversation] = nil }
    }

    private func newCursor() -> Int {
        if let free = freeCursors.popLast() { return Int(free) }
        if cursorCount == cursorCapacity {
            let larger = UnsafeMutablePointer<Cursor>.allocate(capacity: cursorCapacity * 2)
            larger.update(from: cursors, count: cursorCount)
            cursors.deallocate()
            (cursors, cursorCapacity) = (larger, cursorCapacity * 2)
        }
        cursorCount += 1
        return cursorCount - 1
    }

    private func makeRoom(owner: Int) {
        if owner < ownerCapacity { return }
        let capacity = max(ownerCapacity * 2, owner + 1)
        let larger = UnsafeMutablePointer<CursorOwner>.allocate(capacity: capacity)
        larger.initialize(repeating: CursorOwner(), count: capacity)
        larger.update(from: owners, count: ownerCapacity)
        let ring = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
        for i in 0..<readyCount { ring[i] = ready[(readyFirst + i) % ownerCapacity] }
        owners.deallocate()
        ready.deallocate()
        (owners, ready, readyFirst, ownerCapacity) = (larger, ring, 0, capacity)
    }
}
