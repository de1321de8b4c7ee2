import ChatModel

/// A stretch of a conversation's lines in raw memory, written by the engine and read by the loops.
///
/// `@unchecked Sendable`: the engine alone writes, and only behind every length it has mailed; a loop reads only below a
/// length that came by mail, and the mailbox's lock orders the write before the read. Published bytes never change: an
/// edit makes a new chunk. The memory is freed when the last list lets go.
package final class Chunk: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let capacity: Int

    package init(capacity: Int) {
        base = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    /// Capacity of the first chunk of a conversation, and of all from the seventh on.
    package static let smallest = 1024
    package static let largest = 65536
}

/// A place between two lines: the start of a line, or the end of what is there.
package struct Place: Hashable, Comparable, Sendable {
    /// Number of the chunk, counted from the conversation's first one ever.
    package var ordinal: Int32
    /// Bytes from the start of that chunk.
    package var offset: Int32
    package init(ordinal: Int32, offset: Int32) { (self.ordinal, self.offset) = (ordinal, offset) }
    package static func < (a: Place, b: Place) -> Bool { a.rank < b.rank }
    /// Places in their order as one number: offsets are never negative.
    @inline(__always) private var rank: Int64 { Int64(ordinal) << 32 | Int64(offset) }
    /// Behind everything.
    package static let never = Place(ordinal: .max, offset: .max)
}

/// All chunks of a conversation that are kept, for whoever follows it from here on.
package struct PublishedLines: Sendable {
    /// The seq of the first line, and the ordinal of the chunk it begins.
    package let firstSeq: Seq
    package let firstOrdinal: Int32
    package let chunks: ContiguousArray<PublishedChunk>
    /// What stands below is gone, though its chunk may be there.
    let keptSeq: Seq
    /// How a line begins that tells a cursor that it was overtaken: `EV gone conv=#garden first=`.
    let notice: [UInt8]
}

/// A chunk as far as it is published.
package struct PublishedChunk: Sendable {
    package let chunk: Chunk
    package let length: Int32
    package init(chunk: Chunk, length: Int32) { (self.chunk, self.length) = (chunk, length) }
}
