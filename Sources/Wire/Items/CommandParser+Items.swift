import Bytes
import ChatModel

/// PUT-ITEM, ITEM, ITEMS and DEL-ITEM. The caller checks that no words are left.
extension CommandParser {
    static func items(_ request: inout Request, _ arena: inout ByteBuffer) throws(Refusal) -> Command {
        switch request.verb {
        case .putItem: return .putItem(try putItem(&request, &arena))
        case .item:
            let target = try request.collection()
            return .item(target, id: try id(try request.words.argument("id"), missing: .notFound))
        case .delItem:
            let rev = try request.number(.rev, in: 1...Seq.max)
            let target = try request.collection()
            let id = try id(try request.words.argument("id"), missing: .notFound)
            return .deleteItem(DeleteItem(target: target, id: id, rev: rev))
        default: return .items(try query(&request))
        }
    }

    private static func putItem(_ request: inout Request, _ arena: inout ByteBuffer) throws(Refusal) -> PutItem {
        let rev = try request.number(.rev, in: 0...Seq.max)
        var wanted: String?
        if let value = request[.id] {
            wanted = value.withBytes { ItemID.isSound($0) ? String(decoding: $0, as: UTF8.self) : nil }
            guard wanted != nil else { throw .badArg("id", "1 to 64 of A-Z a-z 0-9 - _ .") }
        }
        if rev != nil, wanted == nil { throw .badArg("rev", "rev= goes with id=: it is about an item that has one") }
        let target = try request.collection()
        guard let rest = request.words.rest() else {
            throw .badArg("json", "the object is missing: {\"name\":\"Tea\"}")
        }
        let (json, fields) = try ItemObject.copy(rest, into: &arena)
        return PutItem(target: target, id: wanted, rev: rev, json: json, fields: fields)
    }

    /// What could be no id is one that does not exist.
    private static func id(_ word: UnsafeRawBufferPointer, missing: Refusal) throws(Refusal) -> String {
        guard ItemID.isSound(word) else { throw missing }
        return String(decoding: word, as: UTF8.self)
    }

    private static func query(_ request: inout Request) throws(Refusal) -> ItemQuery {
        let limit = try request.limit()
        var filter: ItemFilter?
        if let value = request[.where] {
            let outcome = value.withBytes { bytes -> Result<ItemFilter, Refusal> in
                do throws(Refusal) { return .success(try WhereParser.parse(bytes)) } catch { return .failure(error) }
            }
            filter = try outcome.get()
        }
        var after: ItemQuery.After?
        if let value = request[.after] {
            after = value.withBytes { bytes in
                if let rev = Number.parse(bytes) { return .rev(rev) }
                return ItemID.isSound(bytes) ? .id(String(decoding: bytes, as: UTF8.self)) : nil
            }
            guard after != nil else { throw .badArg("after", "the rev or the id of the last row before") }
        }
        return ItemQuery(target: try request.collection(), filter: filter, after: after, limit: limit)
    }

    /// An item that is no request of its own.
    package static func item(
        _ target: CollectionTarget,
        _ id: String,
        _ json: [UInt8],
        _ arena: inout ByteBuffer
    ) throws(Refusal) -> PutItem {
        guard !json.isEmpty, String(validating: json, as: UTF8.self) != nil else {
            throw .badArg("json", "it is missing")
        }
        let outcome = json.withUnsafeBytes { bytes -> Result<(ArenaRange, [ItemField]), Refusal> in
            do throws(Refusal) { return .success(try ItemObject.copy(bytes, into: &arena)) } catch {
                return .failure(error)
            }
        }
        let (range, fields) = try outcome.get()
        return PutItem(target: target, id: id, rev: 0, json: range, fields: fields)
    }

    /// The collection with this name.
    package static func collection(named name: String) throws(Refusal) -> CollectionTarget {
        var copy = name
        let outcome = copy.withUTF8 { bytes -> Result<CollectionTarget, Refusal> in
            do throws(Refusal) { return .success(try Request.collection(UnsafeRawBufferPointer(bytes))) } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// `{"field":"string|int|double|bool|date[!]"}`
    static func schema(_ request: inout Request) throws(Refusal) -> AdminCommand {
        let target = try request.collection()
        guard let rest = request.words.rest() else {
            throw .badArg("json", "the schema is missing: {\"name\":\"string!\",\"price\":\"double\"}, or {} for none")
        }
        var fields: [ItemSchema.Field] = []
        do throws(ItemFault) {
            var scanner = ItemScanner(rest)
            while let (name, value) = try scanner.next() {
                let text = String(decoding: name, as: UTF8.self)
                guard case .string(let word, false) = value,
                    let (kind, isRequired) = ItemSchema.kind(String(decoding: word, as: UTF8.self))
                else {
                    let reason = "\"string\", \"int\", \"double\", \"bool\" or \"date\", with ! when it is needed"
                    throw ItemFault(field: text, reason: reason)
                }
                guard !fields.contains(where: { $0.name == text }) else {
                    throw ItemFault(field: text, reason: "it is there twice")
                }
                fields.append(ItemSchema.Field(name: text, kind: kind, isRequired: isRequired))
            }
        } catch { throw error.refusal }
        guard fields.count <= ItemSchema.fieldLimit else {
            throw .badArg("json", "at most \(ItemSchema.fieldLimit) fields")
        }
        return .schema(target, ItemSchema(fields: fields))
    }
}

extension Request {
    /// Whether the next word names a collection, not a conversation: it has a `/`.
    var isAtCollection: Bool {
        var words = self.words
        return (try? words.word())?.contains(0x2F) ?? false
    }

    /// The collection the next word names. A name that could never be valid is one that does not exist.
    /// - Throws: BAD-ARG with `field=coll`.
    mutating func collection() throws(Refusal) -> CollectionTarget {
        try Self.collection(try words.argument("coll"))
    }

    static func collection(_ word: UnsafeRawBufferPointer) throws(Refusal) -> CollectionTarget {
        guard let slash = word.firstIndex(of: 0x2F), slash + 1 < word.count else { throw Self.noCollection }
        let space = UnsafeRawBufferPointer(rebasing: word[..<slash])
        let name = UnsafeRawBufferPointer(rebasing: word[(slash + 1)...])
        var conversation: String?
        if space.first == 0x23, space.count > 1 {
            conversation = Self.key(UnsafeRawBufferPointer(rebasing: space.dropFirst()))
        } else if PackedWord(space, upper: true) != PackedWord("ITEMS") {
            throw Self.noCollection
        }
        let text = name.count <= 512 ? String(decoding: name, as: UTF8.self) : ""
        return CollectionTarget(conversation: conversation, name: text, key: Self.key(name))
    }

    private static var noCollection: Refusal {
        .badArg("coll", "a collection is items/name, or #room/name for the members of a conversation")
    }
}
