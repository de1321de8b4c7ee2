import ChatModel

/// A subscription: a place in a conversation's lines, always at the start of one. Trivial, in raw memory.
struct Cursor {
    var list: UnsafeMutablePointer<ListHead>
    var place: Place
    /// Nothing from here on is delivered: a right was lost, or the input has ended.
    var limit = Place.never
    /// Where catch-up ends and live begins: the end of the lines when the subscription was made.
    var live: Place
    let owner: Int32
    /// Position among the subscribers of its list.
    var subscriberIndex: Int32 = -1
    /// The next cursor of the same owner that is behind; −1 at the end.
    var nextBehind: Int32 = -1
    /// The owner's other cursors, a list in both directions; −1 at its ends.
    var nextOwned: Int32 = -1
    var previousOwned: Int32 = -1
    /// It goes on elsewhere once it has reached its limit (`CursorTable.sequels`).
    var hasSequel = false
    var isBehind = false
    /// Deletions in front of `live` are passed over: it hears a collection from its beginning.
    var skipsDeletions = false
    /// It was overtaken, and first says which seq is the first that is kept; 0 when it was not.
    var gone: Seq = 0

    /// Up to where it may read now.
    @inline(__always) var readableEnd: Place { min(limit, list.pointee.end) }
    /// There is something to send.
    @inline(__always) var hasMore: Bool { gone != 0 || place < readableEnd }
}

/// One connection's cursors that are behind, a queue in turn.
struct CursorOwner {
    var firstBehind: Int32 = -1
    var lastBehind: Int32 = -1
    /// Whether it stands in the table's queue of owners with something to send.
    var isReady = false
    /// The first of its cursors, behind or not.
    var firstOwned: Int32 = -1
}

/// Where a cursor goes on after its limit: its owner left and came back while it was still behind.
struct CursorSequel {
    var place: Place
    var limit = Place.never
    var live: Place
    var gone: Seq = 0
}
