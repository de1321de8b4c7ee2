import Bytes
import ChatCore
import ChatModel
import Wire

/// SUB and UNSUB of collections: cursors into their lines, as those into conversations.
extension Engine {
    /// SUB: behind `since`, or all that stands and then what changes. A collection that nobody has put anything into yet is
    /// waited for.
    func subscribeItems(
        _ target: CollectionTarget,
        since: Seq?,
        _ key: ConnectionKey,
        _ account: AccountNumber
    ) throws(Refusal) -> Reply {
        switch try content.state.findCollection(target, account) {
        case .unknown(let space):
            let label = try CollectionName(checking: target.name)
            if let since, since > 0 { throw beyondEnd(next: 1) }
            let wanted = AwaitedCollection(space: space, key: label.key, label: label.text)
            try checkSubscriptions(key, adds: !connection(key).awaited.contains(wanted))
            change(key) { _ = $0.awaited.insert(wanted) }
            return .done([.word("coll", name(of: wanted)), .number("next", 1)])
        case .known(let number):
            let collection = content.state.collection(number)
            let since = since ?? 0
            if since >= collection.nextSeq { throw beyondEnd(next: collection.nextSeq) }
            if since > 0, since + 1 < collection.firstSince { throw kept(from: collection.firstSince) }
            try checkSubscriptions(key, adds: !connection(key).collections.contains(number))
            addCursor(key, number, from: since + 1)
            if since == 0 { hold(.skipDeletions(key, number.log), for: key) }
            return .done([.word("coll", collection.name), .number("next", collection.nextSeq)])
        }
    }

    func unsubscribeItems(
        _ target: CollectionTarget,
        _ key: ConnectionKey,
        _ account: AccountNumber
    ) throws(Refusal) -> Reply {
        switch try content.state.findCollection(target, account) {
        case .unknown(let space):
            let wanted = AwaitedCollection(space: space, key: target.key, label: target.name)
            let known = connection(key).awaited.first { $0 == wanted } ?? wanted
            change(key) { _ = $0.awaited.remove(known) }
            return .done([.word("coll", name(of: known))])
        case .known(let number):
            if connection(key).collections.contains(number) { removeCursor(key, number, ends: false) }
            return .done([.word("coll", content.state.collection(number).name)])
        }
    }

    /// What SUBS says of collections.
    func collectionSubscriptions(_ key: ConnectionKey) -> [Row] {
        let known = connection(key).collections.sorted().map { number in
            let collection = content.state.collection(number)
            return Row("sub", [.word("coll", collection.name), .number("next", collection.nextSeq)])
        }
        let awaited = connection(key).awaited.map { name(of: $0) }.sorted()
        return known + awaited.map { Row("sub", [.word("coll", $0), .number("next", 1)]) }
    }

    private func name(of wanted: AwaitedCollection) -> String {
        switch wanted.space {
        case .everyone: "items/" + wanted.label
        case .conversation(let number): content.state.name(of: number) + "/" + wanted.label
        }
    }

    /// A collection has begun: connections that waited for it hear it from its beginning. O(connections).
    func appeared(_ number: CollectionNumber) {
        let collection = content.state.collection(number)
        let wanted = AwaitedCollection(space: collection.space, key: collection.label.key, label: "")
        for loop in loops.indices {
            for slot in loops[loop].connections.indices where loops[loop].connections[slot].awaited.contains(wanted) {
                let generation = loops[loop].connections[slot].generation
                let key = ConnectionKey(loop: loop, slot: slot, generation: generation)
                change(key) { _ = $0.awaited.remove(wanted) }
                guard let account = connection(key).account, content.state.mayRead(collection.space, account) else {
                    continue
                }
                addCursor(key, number, from: 1)
            }
        }
    }

    private func addCursor(_ key: ConnectionKey, _ number: CollectionNumber, from seq: Seq) {
        let loop = Int(key.loop)
        let index = content.itemLogIndex(number)
        if loops[loop].cursorCount(number.log) == 0 {
            loops[loop].held.append(.open(number.log, published(number)), at: appended)
        } else {
            // The list this loop has may lack lines of this turn; a place in them must not run ahead of it.
            publish(number)
        }
        if !connection(key).collections.contains(number) {
            loops[loop].addCursors(1, number.log)
            change(key) { _ = $0.collections.insert(number) }
        }
        hold(.subscribe(key, number.log, content.itemLogs[index].place(of: seq)), for: key)
    }

    /// Takes a connection's cursor away: at once, or (`ends`) after what was changed so far.
    func removeCursor(_ key: ConnectionKey, _ number: CollectionNumber, ends: Bool) {
        let loop = Int(key.loop)
        change(key) { _ = $0.collections.remove(number) }
        if ends {
            publish(number)
            hold(.end(key, number.log), for: key)
        } else {
            hold(.unsubscribe(key, number.log), for: key)
        }
        loops[loop].addCursors(-1, number.log)
        if loops[loop].cursorCount(number.log) == 0 { hold(.close(number.log), for: key) }
    }

    private func forgetAwaited(in conversation: ConversationNumber, _ key: ConnectionKey) {
        if connection(key).awaited.isEmpty { return }
        change(key) { connection in
            connection.awaited = connection.awaited.filter { $0.space != .conversation(conversation) }
        }
    }

    /// A right was lost: no change after this one reaches any connection of the account.
    func endItemCursors(of account: AccountNumber, in conversation: ConversationNumber) {
        let numbers = content.state.collections(of: conversation)
        for key in connectionsOf[account, default: []] {
            forgetAwaited(in: conversation, key)
            for number in numbers where connection(key).collections.contains(number) {
                removeCursor(key, number, ends: true)
            }
        }
    }

    /// The conversation has had its last event, and its collections are no more. O(connections).
    func endAllItemCursors(in conversation: ConversationNumber) {
        let numbers = content.state.collections(of: conversation)
        for loop in loops.indices {
            for slot in loops[loop].connections.indices {
                let generation = loops[loop].connections[slot].generation
                let key = ConnectionKey(loop: loop, slot: slot, generation: generation)
                forgetAwaited(in: conversation, key)
                for number in numbers where loops[loop].connections[slot].collections.contains(number) {
                    removeCursor(key, number, ends: true)
                }
            }
        }
        content.clearDropped(in: conversation)
    }

    /// A collection's lines for a loop that has its first cursor there.
    func published(_ number: CollectionNumber) -> PublishedLines {
        var notice = ByteBuffer(capacity: 64)
        notice.append("EV gone coll=")
        ValueRenderer.append(word: content.state.collection(number).name, into: &notice)
        notice.append(" first=")
        return content.itemLog(number).published(notice: Array(notice.readable))
    }
}

/// A collection that a connection wants to hear of once it begins.
struct AwaitedCollection: Hashable {
    let space: CollectionSpace
    let key: String
    /// As it is shown; the same under another spelling.
    let label: String

    static func == (a: Self, b: Self) -> Bool { a.space == b.space && a.key == b.key }

    func hash(into hasher: inout Hasher) {
        hasher.combine(space)
        hasher.combine(key)
    }
}
