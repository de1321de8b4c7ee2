import ChatCore
import ChatModel

/// A marker that was moved since it was written down.
struct DirtyMarker: Hashable, Comparable {
    let account: AccountNumber
    let conversation: ConversationNumber
    static func < (a: Self, b: Self) -> Bool { (a.account, a.conversation) < (b.account, b.conversation) }
}

/// SEEN. A marker counts at once and is written down once a second.
extension Engine {
    /// Members up to which a conversation's others hear how far somebody has read.
    private static let seenAudience = 20

    func seen(
        _ target: ConversationTarget,
        _ seq: Seq,
        by account: AccountNumber,
        from key: ConnectionKey
    ) throws(Refusal) -> Reply {
        guard let move = try content.state.moveMarker(target, seq, by: account) else {
            return .done([.number("unread", 0)])
        }
        let unread = KeyValue.number("unread", content.state.unread(in: move.conversation, by: account))
        guard move.isForward else { return .done([unread, .flag("dup", true)]) }
        if content.state.isRecorded(account) {
            dirtyMarkers.insert(DirtyMarker(account: account, conversation: move.conversation))
        }
        tellSeen(move, by: account, from: key)
        return .done([unread])
    }

    private func tellSeen(_ move: State.MarkerMove, by account: AccountNumber, from key: ConnectionKey) {
        let state = content.state
        let notice = Notice(
            key: .seen(move.conversation, account),
            kind: "seen",
            fields: [
                .word("conv", state.name(of: move.conversation)), .word("by", state.handleText(account)),
                .number("seq", move.seq),
            ]
        )
        for other in connectionsOf[account, default: []] where other != key { hold(.notice(other, notice), for: other) }
        for member in audience(in: move.conversation, atMost: Self.seenAudience) where member != account {
            if state.isBlocked(member, account) { continue }
            for other in connectionsOf[member, default: []] { hold(.notice(other, notice), for: other) }
        }
    }

    /// Writes down how far everybody has read since the last time.
    func writeMarkers() {
        if dirtyMarkers.isEmpty || readOnlyReason != nil || isMemoryFull { return }
        for marker in dirtyMarkers.sorted() where content.state.account(marker.account) != nil {
            let count = content.state.readCount(of: marker.account, in: marker.conversation)
            commit(.ledger(.marker(marker.account, marker.conversation, count: count)), together: false)
        }
        dirtyMarkers.removeAll(keepingCapacity: dirtyMarkers.count < 4096)
    }
}
