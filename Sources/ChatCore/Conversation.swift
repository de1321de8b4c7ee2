import ChatModel

/// One conversation: who is in it and what is known of its events without their lines. An object of the state's, changed
/// by `apply` alone.
package final class Conversation {
    package let number: ConversationNumber
    /// As server lines show it: `#name` or `@a,b`.
    package let name: String
    package let title: Name
    package var topic: String?
    package let isPrivate: Bool
    package var isDropped = false
    package var nextSeq: Seq = 1
    package var lastTime = Timestamp(milliseconds: 0)
    package var lastKind = "create"
    /// Counts up with every event of the server: orders CONVS by activity.
    package var activity: UInt64 = 0
    package var messages = MessageIndex()
    package private(set) var members: [AccountNumber: Member] = [:]
    /// Members, eldest first.
    package private(set) var order: [AccountNumber] = []
    /// Who is invited, with the seq of the invitation.
    package var invited: [AccountNumber: Seq] = [:]
    /// First global sequence whose event must be the next one: above 0 only in what came from a snapshot.
    package internal(set) var validFrom: UInt64 = 0

    package enum Name: Sendable {
        case named(ConversationName)
        case direct(AccountNumber, AccountNumber, text: String)
    }

    package struct Member: Sendable {
        package var role: Role
        /// The seq of the join; in a private conversation nothing before it is shown.
        package var joinSeq: Seq
        /// Messages that count as read.
        package var read: UInt64
    }

    init(number: ConversationNumber, title: Name, topic: String?, isPrivate: Bool) {
        (self.number, self.title, self.topic, self.isPrivate) = (number, title, topic, isPrivate)
        switch title {
        case .named(let name): self.name = "#" + name.text
        case .direct(_, _, let text): name = text
        }
    }

    package var isLobby: Bool { number == .lobby }
    package var isDirect: Bool { if case .direct = title { true } else { false } }

    /// The folded key of `#name`; nil for a 1:1.
    package var namedKey: String? { if case .named(let name) = title { name.key } else { nil } }

    package var memberCount: Int { order.count }
    package var lastSeq: Seq { nextSeq - 1 }

    /// What is known of a member, nil of anybody else.
    package func member(_ account: AccountNumber) -> Member? { members[account] }

    package func role(of account: AccountNumber) -> Role? {
        if isLobby { return .member }
        return members[account]?.role
    }

    /// The first seq that `account`, a member, may see.
    package func firstVisible(to account: AccountNumber) -> Seq {
        isPrivate && !isDirect ? members[account]?.joinSeq ?? nextSeq : 1
    }

    /// The seq of the event that made `account` a member.
    package func joinSeq(of account: AccountNumber) -> Seq { isLobby ? 1 : members[account]?.joinSeq ?? 1 }

    /// Moves on by one event, whatever its kind.
    func note(_ event: Event, activity: UInt64) {
        var isMessage = false
        if case .message = event.kind { isMessage = true }
        messages.append(isMessage: isMessage)
        nextSeq = event.seq + 1
        lastTime = event.time
        lastKind = event.kind.name
        self.activity = activity
    }

    /// Takes over what a snapshot says of its members.
    func restore(_ members: [ConversationSnapshot.Member]) {
        for member in members {
            order.append(member.account)
            self.members[member.account] = Member(role: member.role, joinSeq: member.joinSeq, read: member.read)
        }
    }

    func admit(_ account: AccountNumber, as role: Role, at seq: Seq) {
        if members[account] == nil { order.append(account) }
        members[account] = Member(role: role, joinSeq: seq, read: messages.count)
        invited[account] = nil
    }

    /// O(members).
    func dismiss(_ account: AccountNumber) {
        members[account] = nil
        if let at = order.firstIndex(of: account) { order.remove(at: at) }
    }

    func setRole(_ role: Role, of account: AccountNumber) { members[account]?.role = role }

    func clampReadMarkers() {
        for account in order where members[account].map({ $0.read > messages.count }) == true {
            members[account]?.read = messages.count
        }
    }

    /// Takes read markers over for those who are members since the same event.
    func adoptReadMarkers(_ members: [ConversationSnapshot.Member]) {
        for member in members where self.members[member.account]?.joinSeq == member.joinSeq {
            self.members[member.account]?.read = member.read
        }
    }

    func markRead(by account: AccountNumber) { members[account]?.read = messages.count }

    /// Messages `account` has not read; the lobby's markers stand with the accounts.
    func unread(by account: Account) -> UInt64 {
        let read = isLobby ? account.lobbyRead : members[account.number]?.read ?? messages.count
        return messages.count - min(read, messages.count)
    }

    /// Who follows an owner that leaves: the eldest op, else the eldest member, else the eldest reader.
    func successor(of owner: AccountNumber) -> AccountNumber? {
        for role in [Role.op, .member, .reader] {
            if let next = order.first(where: { $0 != owner && members[$0]?.role == role }) { return next }
        }
        return nil
    }
}
