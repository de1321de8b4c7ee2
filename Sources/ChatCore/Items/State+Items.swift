import ChatModel

/// What a request's collection word stands for, after the right to see it was checked.
package enum FoundCollection: Sendable, Equatable {
    case known(CollectionNumber)
    /// One that nobody has put anything into yet.
    case unknown(CollectionSpace)
}

/// A change of an item, and the collection that begins with it.
package struct ItemDecision: Sendable {
    package var changes: [Change] = []
    package let event: ItemEvent
}

/// PUT-ITEM, ITEM and DEL-ITEM (protocol.md, Items). First the collection must be one that may be seen, then comes the right
/// to do it, then `rev=`, then what is wrong with the object, then the limits.
extension State {
    /// - Throws: `Refusal`: what `findAsMember` says of the conversation.
    package func findCollection(
        _ target: CollectionTarget,
        _ account: AccountNumber
    ) throws(Refusal) -> FoundCollection {
        var space = CollectionSpace.everyone
        if let key = target.conversation {
            guard case .conversation(let number) = try findAsMember(.named(key), account) else { throw .notFound }
            space = .conversation(number)
        }
        guard let number = books.number(space, target.key) else { return .unknown(space) }
        return .known(number)
    }

    /// Whether `account` may read what is in a collection, as far as that was not decided by `findCollection`.
    package func mayRead(_ space: CollectionSpace, _ account: AccountNumber) -> Bool {
        guard case .conversation(let number) = space else { return self.account(account) != nil }
        return !conversation(number).isDropped && conversation(number).role(of: account) != nil
    }

    /// Decides PUT-ITEM.
    /// - Parameter makeID: gives a new id each time it is called.
    package func decidePut(
        _ put: PutItem,
        by number: AccountNumber,
        now: Timestamp,
        makeID: () -> String
    ) throws(Refusal) -> ItemDecision {
        guard let account = account(number) else { throw .needAuth }
        let found = try findCollection(put.target, number)
        var (collection, item) = (Collection?.none, Collection.Item?.none)
        var space = CollectionSpace.everyone
        switch found {
        case .known(let known):
            collection = self.collection(known)
            item = put.id.flatMap { self.collection(known).item($0) }.flatMap { $0.isDeleted ? nil : $0 }
            space = self.collection(known).space
        case .unknown(let unknown): space = unknown
        }
        try checkMayPut(in: space, account, item)
        try checkRev(put.rev, item)
        try collection?.schema.check(put.fields)
        if item == nil { try checkItems(account) }
        var changes = recordingGuest(number)
        if collection == nil {
            changes.append(.ledger(.collection(try newCollection(put.target, in: space, by: account))))
        }
        var id = put.id ?? makeID()
        while put.id == nil, collection?.item(id) != nil { id = makeID() }
        let event = ItemEvent(
            collection: collection?.number ?? nextCollection,
            seq: collection?.nextSeq ?? 1,
            time: max(now, collection?.lastTime ?? now),
            by: number,
            id: id,
            operation: .put(json: put.json)
        )
        return ItemDecision(changes: changes, event: event)
    }

    /// Decides DEL-ITEM.
    package func decideDelete(
        _ delete: DeleteItem,
        by number: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> ItemEvent {
        let (collection, item) = try findItem(delete.target, delete.id, by: number)
        var asker = asker(number, in: collection.space)
        asker.owns = item.owner == number
        guard Access.item(.delete, asker, isPublic: collection.space == .everyone) else {
            throw .denied(
                collection.space == .everyone
                    ? "only its owner deletes an item" : "only its owner or an op deletes an item"
            )
        }
        try checkRev(delete.rev, item)
        return deletion(of: delete.id, in: collection, by: number, now: now)
    }

    /// The event by which an item goes.
    package func deletion(
        of id: String,
        in collection: Collection,
        by number: AccountNumber,
        now: Timestamp
    ) -> ItemEvent {
        ItemEvent(
            collection: collection.number,
            seq: collection.nextSeq,
            time: max(now, collection.lastTime),
            by: number,
            id: id,
            operation: .delete
        )
    }

    /// An item that stands and that `number` may read.
    /// - Throws: `Refusal`: what `findCollection` says, or NOT-FOUND with `field=id`.
    package func findItem(
        _ target: CollectionTarget,
        _ id: String,
        by number: AccountNumber
    ) throws(Refusal) -> (collection: Collection, item: Collection.Item) {
        guard case .known(let known) = try findCollection(target, number),
            let item = collection(known).item(id), !item.isDeleted
        else { throw Refusal(.notFound, field: "id", "there is no such item") }
        return (collection(known), item)
    }

    /// ADMIN SCHEMA: a collection that is not there yet begins with it.
    package func decideSchema(_ target: CollectionTarget, _ schema: ItemSchema) throws(Refusal) -> Decision {
        var space = CollectionSpace.everyone
        if let key = target.conversation { space = .conversation(try findForOperator(.named(key))) }
        let fields: (String) -> [KeyValue] = { [.word("coll", $0), .number("fields", schema.fields.count)] }
        if let known = books.number(space, target.key) {
            let name = collection(known).name
            if collection(known).schema == schema { return Decision(reply: .done(fields(name) + [.flag("dup", true)])) }
            return Decision([.ledger(.schema(known, schema))], reply: .done(fields(name)))
        }
        let label = try CollectionName(checking: target.name)
        let record = CollectionRecord(number: nextCollection, space: space, label: label.text, maker: nil)
        let changes: [Change] = [.ledger(.collection(record)), .ledger(.schema(record.number, schema))]
        return Decision(changes, reply: .done(fields(name(of: record))))
    }

    // MARK: Checks

    /// Who `number` is towards a collection.
    func asker(_ number: AccountNumber, in space: CollectionSpace) -> Access.Asker {
        if case .conversation(let conversation) = space { return asker(number, in: self.conversation(conversation)) }
        var asker = Access.Asker()
        asker.isGuest = account(number)?.isGuest ?? true
        return asker
    }

    private func checkMayPut(
        in space: CollectionSpace,
        _ account: Account,
        _ item: Collection.Item?
    ) throws(Refusal) {
        var asker = asker(account.number, in: space)
        let isPublic = space == .everyone
        if let item {
            asker.owns = item.owner == account.number
            guard asker.owns else { throw .denied("only its owner changes an item") }
            guard Access.item(.change, asker, isPublic: isPublic) else { throw .denied("you may read here, not write") }
            return
        }
        guard Access.item(.create, asker, isPublic: isPublic, guestsCreate: limits.anonymousCreate) else {
            throw .denied(isPublic ? "a guest adds nothing to public collections" : "you may read here, not write")
        }
    }

    private func checkRev(_ wanted: Seq?, _ item: Collection.Item?) throws(Refusal) {
        let rev = item?.seq ?? 0
        guard let wanted, wanted != rev else { return }
        let text = rev == 0 ? "there is no such item; rev=0 makes it" : "it was changed meanwhile"
        throw Refusal(.conflict, field: "rev", details: [.number("rev", rev)], text)
    }

    private func checkItems(_ account: Account) throws(Refusal) {
        guard account.itemCount >= limits.items else { return }
        throw Refusal(
            .limit,
            details: [.word("key", "limits.items"), .number("limit", limits.items)],
            "you have as many items as you may"
        )
    }

    private func newCollection(
        _ target: CollectionTarget,
        in space: CollectionSpace,
        by account: Account
    ) throws(Refusal) -> CollectionRecord {
        let label = try CollectionName(checking: target.name)
        let count: Int
        switch space {
        case .everyone: count = books.begun[account.number] ?? 0
        case .conversation(let conversation): count = books.collections(of: conversation).count
        }
        if count >= limits.collections {
            throw Refusal(
                .limit,
                details: [.word("key", "limits.collections"), .number("limit", limits.collections)],
                space == .everyone
                    ? "you have begun as many collections as you may" : "this conversation has as many as it may"
            )
        }
        return CollectionRecord(number: nextCollection, space: space, label: label.text, maker: account.number)
    }
}
