import ChatModel

/// What the engine knows of one connection.
struct EngineConnection {
    var generation: UInt32 = 0
    var isOpen = false
    var source = ""
    /// The account it speaks for.
    var account: AccountNumber?
    /// The session it signed in with.
    var session: TokenHash?
    /// What the token it signed in with is for; nil for a session, which is for everything.
    var scope: TokenScope?
    var subscriptions: Set<ConversationNumber> = []
    /// Collections it hears, and such as have not begun.
    var collections: Set<CollectionNumber> = []
    var awaited: Set<AwaitedCollection> = []
    /// 1:1s without events it wants to hear of, by the other account.
    var unopened: Set<AccountNumber> = []
    /// `SUB all=yes`
    var followsAll = false
    /// The account it spoke the operator's code for, until PASSWD: it may do nothing else.
    var pending: AccountNumber?
    /// It is the control socket's, with the user at its other end.
    var operatorUID: UInt32?
    /// A backup goes on as long as it lasts.
    var holdsFiles = false
    var openedAt = Timestamp(milliseconds: 0)
    /// What the upload under way will cost of its account's quota.
    var uploading: UInt64 = 0
}

/// The engine's side of one loop.
struct LoopSide {
    var connections = ContiguousArray<EngineConnection>()
    var held = HeldMail()
    /// Mail that may go out now.
    var ready = ContiguousArray<LoopMail>()
    /// Cursors of this loop, by conversation number − 1.
    var cursors = ContiguousArray<Int32>()
    /// The same, by collection number − 1.
    var collectionCursors = ContiguousArray<Int32>()

    /// What stands on records up to `durable` may go out.
    mutating func release(through durable: UInt64) { held.release(through: durable, into: &ready) }

    func cursorCount(_ conversation: ConversationNumber) -> Int32 {
        let index = Int(conversation.raw) - 1
        if index < cursors.count { return cursors[index] }
        guard let collection = CollectionNumber(log: conversation) else { return 0 }
        let place = Int(collection.raw) - 1
        return place < collectionCursors.count ? collectionCursors[place] : 0
    }

    mutating func addCursors(_ count: Int32, _ conversation: ConversationNumber) {
        if let collection = CollectionNumber(log: conversation) {
            let place = Int(collection.raw) - 1
            while collectionCursors.count <= place { collectionCursors.append(0) }
            collectionCursors[place] += count
            return
        }
        let index = Int(conversation.raw) - 1
        while cursors.count <= index { cursors.append(0) }
        cursors[index] += count
    }
}

/// Mail that waits for the journal, in order, each with the record it stands on.
struct HeldMail {
    private var mail = ContiguousArray<LoopMail>()
    /// The record that each of it stands on.
    private var positions = ContiguousArray<UInt64>()
    private var first = 0

    var isEmpty: Bool { first == mail.count }

    mutating func append(_ mail: consuming LoopMail, at position: UInt64) {
        self.mail.append(mail)
        positions.append(position)
    }

    /// Moves what stands on records up to `durable` to `ready`; a copy would count references.
    mutating func release(through durable: UInt64, into ready: inout ContiguousArray<LoopMail>) {
        guard let last = positions.last, positions[first] <= durable else { return }
        if last <= durable, first == 0, ready.isEmpty {
            swap(&mail, &ready)
            positions.removeAll(keepingCapacity: positions.count < 4096)
            return
        }
        while first < mail.count, positions[first] <= durable {
            var next = LoopMail.roomAgain
            swap(&next, &mail[first])
            ready.append(next)
            first += 1
        }
        if first == mail.count {
            mail.removeAll(keepingCapacity: mail.count < 4096)
            positions.removeAll(keepingCapacity: positions.count < 4096)
            first = 0
        } else if first > 1024, first > mail.count / 2 {
            mail.removeFirst(first)
            positions.removeFirst(first)
            first = 0
        }
    }

    /// Takes everything out.
    mutating func drain() -> ContiguousArray<LoopMail> {
        defer { (mail, positions, first) = ([], [], 0) }
        return ContiguousArray(mail[first...])
    }
}
