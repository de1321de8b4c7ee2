import ChatModel

/// All collections, by number and by name.
struct CollectionBooks {
    /// By number − 1.
    var all = ContiguousArray<Collection>()
    private var numbers: [Key: CollectionNumber] = [:]
    private var ofConversation: [ConversationNumber: [CollectionNumber]] = [:]
    /// How many each account has begun.
    var begun: [AccountNumber: Int] = [:]
    /// When the shards of collections last changed, as global sequences.
    private var marks = ContiguousArray<UInt64>()

    private struct Key: Hashable {
        let space: CollectionSpace
        let key: String
    }

    static let perShard = 64

    func number(_ space: CollectionSpace, _ key: String) -> CollectionNumber? { numbers[Key(space: space, key: key)] }

    func collections(of conversation: ConversationNumber) -> [CollectionNumber] { ofConversation[conversation] ?? [] }

    mutating func add(_ collection: Collection) {
        all.append(collection)
        numbers[Key(space: collection.space, key: collection.label.key)] = collection.number
        switch collection.space {
        case .conversation(let conversation): ofConversation[conversation, default: []].append(collection.number)
        case .everyone: if let maker = collection.maker { begun[maker, default: 0] += 1 }
        }
    }

    mutating func note(_ number: CollectionNumber, at position: UInt64) {
        let shard = (Int(number.raw) - 1) / Self.perShard
        while marks.count <= shard { marks.append(0) }
        marks[shard] = position
    }

    func mark(shard: Int) -> UInt64 { shard < marks.count ? marks[shard] : 0 }
}

extension State {
    package static var collectionsPerShard: Int { CollectionBooks.perShard }

    package var collectionCount: Int { books.all.count }
    package var collections: ContiguousArray<Collection> { books.all }

    package func exists(_ number: CollectionNumber) -> Bool { number.raw >= 1 && number.raw <= books.all.count }
    package func collection(_ number: CollectionNumber) -> Collection { books.all[Int(number.raw) - 1] }
    package var nextCollection: CollectionNumber { CollectionNumber(UInt32(clamping: books.all.count + 1)) }

    /// When a shard of collections last changed.
    package func collectionMark(shard: Int) -> UInt64 { books.mark(shard: shard) }

    /// The collections of a conversation, in the order of making.
    package func collections(of conversation: ConversationNumber) -> [CollectionNumber] {
        books.collections(of: conversation)
    }

    /// As server lines show it.
    func name(of record: CollectionRecord) -> String {
        switch record.space {
        case .everyone: "items/" + record.label
        case .conversation(let number): (exists(number) ? name(of: number) : "#") + "/" + record.label
        }
    }
}
