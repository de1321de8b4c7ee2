import ChatModel

/// A body on its way out.
final class Download {
    /// Bytes that the disk is asked for at a time, where they are not in memory.
    static let pieceSize = 131_072
    /// Bytes sent before it is another connection's turn.
    static let sliceSize: UInt64 = 262_144

    let content: ContentHash
    /// The next byte to be sent, and the one behind the last.
    var next: UInt64
    let end: UInt64
    /// The answer's head, until the first bytes show that the file is there.
    var head: [UInt8]?
    /// What the disk gave, from `next` on.
    var piece: ArraySlice<UInt8> = []
    var isReading = false

    init(_ content: ContentHash, _ range: Range<UInt64>, head: [UInt8]) {
        (self.content, next, end, self.head) = (content, range.lowerBound, range.upperBound, head)
    }
}
