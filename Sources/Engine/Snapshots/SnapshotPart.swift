import ChatModel

/// One file of a snapshot.
package enum SnapshotPart: Hashable, Sendable {
    case server
    /// A shard of accounts, of conversations, or of the newest lines of conversations.
    case accounts(Int)
    case conversations(Int)
    case tails(Int)
    /// A stretch of a conversation's lines, by its first.
    case stretch(ConversationNumber, Seq)
    /// A shard of collections.
    case collections(Int)
    /// The lines of a collection whose seqs share a file (`Collection.file`).
    case items(CollectionNumber, Int)

    /// The file's name without generation and suffix.
    package var stem: String {
        switch self {
        case .server: "server"
        case .accounts(let shard): "accounts-" + Self.digits(UInt64(shard), 3)
        case .conversations(let shard): "conversations-" + Self.digits(UInt64(shard), 3)
        case .tails(let shard): "timeline-" + Self.digits(UInt64(shard), 3)
        case .collections(let shard): "items-" + Self.digits(UInt64(shard), 3)
        case .items(let collection, let file): "items-\(collection.raw)-" + Self.digits(UInt64(file), 9)
        case .stretch(let conversation, let first): "timeline/\(conversation.raw)/" + Self.digits(first, 12)
        }
    }

    /// Nil for the stem of no part.
    package init?(stem: String) {
        let words = stem.split(separator: "-" as Character)
        let path = stem.split(separator: "/" as Character)
        if stem == "server" {
            self = .server
        } else if words.count == 2, let shard = UInt32(words[1]).map({ Int($0) }) {
            switch words[0] {
            case "accounts": self = .accounts(shard)
            case "conversations": self = .conversations(shard)
            case "timeline": self = .tails(shard)
            case "items": self = .collections(shard)
            default: return nil
            }
        } else if words.count == 3, words[0] == "items", let number = UInt32(words[1]), number > 0,
            number <= UInt32.max / 2, let file = UInt32(words[2]).map({ Int($0) })
        {
            self = .items(CollectionNumber(number), file)
        } else if path.count == 3, path[0] == "timeline", let number = UInt32(path[1]), let first = UInt64(path[2]) {
            self = .stretch(ConversationNumber(number), first)
        } else {
            return nil
        }
        if self.stem != stem { return nil }
    }

    private static func digits(_ value: UInt64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
