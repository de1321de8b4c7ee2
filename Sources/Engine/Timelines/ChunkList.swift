import Bytes
import ChatModel

/// One loop's list of the chunks of a conversation, changed only by mail. What the hot path touches is trivial and lies
/// in raw memory (`ListHead`), so that reading a line counts no reference; this object owns the chunks.
final class ChunkList {
    let head: UnsafeMutablePointer<ListHead>
    private var chunks = ContiguousArray<Chunk>()
    /// The seq of the first line in `views`.
    private(set) var firstSeq: Seq = 1
    /// How a line begins that tells a cursor that it was overtaken.
    private(set) var notice: [UInt8] = []
    /// The engine has no subscriber here any more; the list goes with its last cursor.
    var isClosed = false

    init(conversation: ConversationNumber) {
        head = .allocate(capacity: 1)
        head.initialize(to: ListHead(conversation: conversation))
    }

    deinit {
        head.pointee.views.deallocate()
        head.pointee.subscribers.deallocate()
        head.deallocate()
    }

    func open(_ published: PublishedLines) {
        isClosed = false
        chunks.removeAll(keepingCapacity: true)
        (head.pointee.viewCount, head.pointee.firstOrdinal) = (0, published.firstOrdinal)
        (firstSeq, notice) = (published.firstSeq, published.notice)
        for piece in published.chunks { append(piece) }
    }

    /// A chunk grew or a new one began. Lengths only grow, so that the same mail twice does no harm.
    func extend(ordinal: Int32, _ piece: PublishedChunk) {
        let index = Int(ordinal - head.pointee.firstOrdinal)
        if index == chunks.count { return append(piece) }
        guard chunks.indices.contains(index), chunks[index] === piece.chunk else { return }
        head.pointee.views[index].length = max(head.pointee.views[index].length, piece.length)
    }

    func replace(ordinal: Int32, _ piece: PublishedChunk) {
        let index = Int(ordinal - head.pointee.firstOrdinal)
        guard chunks.indices.contains(index) else { return }
        chunks[index] = piece.chunk
        head.pointee.views[index] = ChunkView(base: UnsafeRawPointer(piece.chunk.base), length: piece.length)
    }

    func trim(firstOrdinal: Int32) {
        let gone = min(max(0, Int(firstOrdinal - head.pointee.firstOrdinal)), chunks.count)
        for index in 0..<gone { firstSeq += Seq(LineSplitter.lineCount(in: head.pointee.views[index].bytes)) }
        chunks.removeFirst(gone)
        let left = chunks.count
        head.pointee.views.update(from: head.pointee.views + gone, count: left)
        (head.pointee.viewCount, head.pointee.firstOrdinal) = (Int32(left), firstOrdinal)
    }

    /// Only chunks with these ordinals stay, numbered anew from the first ordinal on.
    func keep(_ ordinals: [Int32]) {
        var count = 0
        for ordinal in ordinals {
            let index = Int(ordinal - head.pointee.firstOrdinal)
            guard chunks.indices.contains(index) else { continue }
            chunks[count] = chunks[index]
            head.pointee.views[count] = head.pointee.views[index]
            count += 1
        }
        chunks.removeLast(chunks.count - count)
        head.pointee.viewCount = Int32(count)
    }

    /// The end of the chunk in front of this one; nil when it is not there.
    func end(before ordinal: Int32) -> Place? {
        let index = Int(ordinal - head.pointee.firstOrdinal) - 1
        guard index >= 0, index < Int(head.pointee.viewCount) else { return nil }
        return Place(ordinal: ordinal - 1, offset: head.pointee.views[index].length)
    }

    private func append(_ piece: PublishedChunk) {
        let count = Int(head.pointee.viewCount)
        if count == head.pointee.viewCapacity {
            let larger = UnsafeMutablePointer<ChunkView>.allocate(capacity: max(4, count * 2))
            larger.update(from: head.pointee.views, count: count)
            head.pointee.views.deallocate()
            (head.pointee.views, head.pointee.viewCapacity) = (larger, max(4, count * 2))
        }
        head.pointee.views[count] = ChunkView(base: UnsafeRawPointer(piece.chunk.base), length: piece.length)
        head.pointee.viewCount += 1
        chunks.append(piece.chunk)
    }
}

/// Where a chunk lies and how much of it is published.
struct ChunkView {
    let base: UnsafeRawPointer
    var length: Int32

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: Int(length)) }
}

/// The part of a `ChunkList` that cursors point to.
struct ListHead {
    let conversation: ConversationNumber
    var views = UnsafeMutablePointer<ChunkView>.allocate(capacity: 1)
    var viewCount: Int32 = 0
    var viewCapacity = 1
    /// Ordinal of `views[0]`.
    var firstOrdinal: Int32 = 0
    /// Indices of the cursors in this conversation, in no order.
    var subscribers = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    var subscriberCount = 0
    var subscriberCapacity = 1

    init(conversation: ConversationNumber) { self.conversation = conversation }

    @inline(__always) var end: Place {
        if viewCount == 0 { return Place(ordinal: firstOrdinal, offset: 0) }
        return Place(ordinal: firstOrdinal + viewCount - 1, offset: views[Int(viewCount) - 1].length)
    }

    /// Adds a cursor; returns its index among the subscribers.
    mutating func addSubscriber(_ cursor: Int32) -> Int32 {
        if subscriberCount == subscriberCapacity {
            let larger = UnsafeMutablePointer<Int32>.allocate(capacity: subscriberCapacity * 2)
            larger.update(from: subscribers, count: subscriberCount)
            subscribers.deallocate()
            (subscribers, subscriberCapacity) = (larger, subscriberCapacity * 2)
        }
        subscribers[subscriberCount] = cursor
        subscriberCount += 1
        return Int32(subscriberCount - 1)
    }
}
