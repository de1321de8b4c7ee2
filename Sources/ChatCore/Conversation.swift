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
    /// How much of it is kept, where the operator has said so.
    package internal(set) var retention = Retention()
    /// What stands below this seq is kept no more.
    package internal(set) var firstSeq: Seq = 1
    /// Messages below it.
    package internal(set) var messagesGone: UInt64 = 0
    /// The newest edit there is.
    var lastEdit: Seq = 0
    /// Messages with a blob, each as often as it is noted.
    package internal(set) var blobMessages = 0
    var blobs = ConversationBlobs()
    /// It stands in `State.trimmed`.
    var isTrimNoted = false
    /// Counts up with every event of the server: orders CONVS by activity.
    package var activity: UInt64 = 0
    package var messages = MessageIndex()
    package private(set) var members: [AccountNumber: Member] = [:]
    /// Members, eldest first.
    package private(set) var order: [AccountNumber] = []
    /// Who is invited, with the seq of the invitation.
    package var invited: [AccountNumber: Seq] = [:]
    /// Who may not come back, with the seq of the ban.
    package internal(set) var banned: [AccountNumber: Seq] = [:]
    /// Who may not write, whether a member just now or not.
    package internal(set) var muted: [AccountNumber: Mute] = [:]
    /// What stands under messages, by the message's seq; rebuilt from the lines at recovery.
    package internal(set) var reactions: [Seq: MessageReactions] = [:]
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
        /// The conversation is known to be in `Account.spoken`.
        fileprivate var hasSpoken = false

        init(role: Role, joinSeq: Seq, read: UInt64) { (self.role, self.joinSeq, self.read) = (role, joinSeq, read) }
    }

    /// Why somebody may not write.
    package struct Mute: Sendable, Equatable {
        /// The seq of the event.
        package let seq: Seq
        /// Nil is until UNMUTE.
        package let until: Timestamp?
        package init(seq: Seq, until: Timestamp?) { (self.seq, self.until) = (seq, until) }
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

    /// The other side of a 1:1; nil elsewhere.
    package func peer(of account: AccountNumber) -> AccountNumber? {
        guard case .direct(let a, let b, _) = title else { return nil }
        return a == account ? b : a
    }

    /// The folded key of `#name`; nil for a 1:1.
    package var namedKey: String? { if case .named(let name) = title { name.key } else { nil } }

    package var memberCount: Int { order.count }
    package var lastSeq: Seq { nextSeq - 1 }

    /// What is known of a member, nil of anybody else.
    package func member(_ account: AccountNumber) -> Member? { members[account] }

    package func role(of account: AccountNumber) -> Role? {
        members[account]?.role ?? (isLobby ? .member : nil)
    }

    /// Whether `account` may say something here: what `Access.message(.create)` says, without looking the account up.
    func mayWrite(_ account: AccountNumber) -> Bool {
        guard let role = role(of: account), role != .reader else { return false }
        return muted.isEmpty || muted[account] == nil
    }

    /// The first seq that `account`, a member, may see.
    package func firstVisible(to account: AccountNumber) -> Seq {
        isPrivate && !isDirect ? members[account]?.joinSeq ?? nextSeq : 1
    }

    /// Whether `seq` is a message that `account`, a member, may see.
    package func isMessage(_ seq: Seq, visibleTo account: AccountNumber) -> Bool {
        seq >= firstVisible(to: account) && isMessage(seq)
    }

    /// Whether `seq` is a message that is kept.
    package func isMessage(_ seq: Seq) -> Bool { seq >= firstSeq && messages.isMessage(seq) }

    /// The seq of the event that made `account` a member.
    package func joinSeq(of account: AccountNumber) -> Seq { isLobby ? 1 : members[account]?.joinSeq ?? 1 }

    /// Moves on by one event, whatever its kind.
    func note(_ event: Event, activity: UInt64) {
        if case .message = event.kind { return noteMessage(event.seq, event.time, activity: activity) }
        note(event.seq, event.time, isMessage: false, activity)
        lastKind = event.kind.name
    }

    /// Moves on by a message.
    @inline(__always)
    func noteMessage(_ seq: Seq, _ time: Timestamp, activity: UInt64) {
        note(seq, time, isMessage: true, activity)
        lastKind = "msg"
    }

    @inline(__always)
    private func note(_ seq: Seq, _ time: Timestamp, isMessage: Bool, _ activity: UInt64) {
        messages.append(isMessage: isMessage)
        // In a recovery lines may come from later moments than the conversation.
        if seq < firstSeq { messagesGone = messages.count }
        nextSeq = seq + 1
        lastTime = time
        self.activity = activity
    }

    /// Takes over what a snapshot says of its members.
    func restore(_ members: [ConversationSnapshot.Member]) {
        for member in members {
            if !isLobby { order.append(member.account) }
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

    func dismissAll() { (members, order) = ([:], []) }

    /// In the lobby, where everybody is, only those with another role than `member` are written down.
    func setRole(_ role: Role, of account: AccountNumber) {
        guard isLobby else {
            members[account]?.role = role
            return
        }
        members[account] = role == .member ? nil : Member(role: role, joinSeq: 1, read: 0)
    }

    /// The lobby's members with a role of their own, in the order of their numbers.
    package var lobbyRoles: [AccountNumber] { isLobby ? members.keys.sorted() : [] }

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

    /// A member said something: what is before it counts as read.
    /// - Returns: whether it may be its first message here.
    func noteMessage(by account: AccountNumber) -> Bool {
        guard let index = members.index(forKey: account) else { return false }
        members.values[index].read = messages.count
        if members.values[index].hasSpoken { return false }
        members.values[index].hasSpoken = true
        return true
    }

    /// Moves a read marker forward to `count` messages; never back.
    func markRead(by account: AccountNumber, count: UInt64) {
        guard let read = members[account]?.read, read < count else { return }
        members[account]?.read = count
    }

    /// Messages `account` has not read and could; the lobby's markers stand with the accounts.
    func unread(by account: Account) -> UInt64 {
        let read = isLobby ? account.lobbyRead : members[account.number]?.read ?? messages.count
        return messages.count - min(max(read, messagesGone), messages.count)
    }

    /// Everybody who is written down with it, members first.
    package var everybodyNamed: [AccountNumber] {
        order + lobbyRoles + invited.keys.sorted() + banned.keys.sorted() + muted.keys.sorted()
    }

    /// Who follows an owner that leaves: the eldest op, else the eldest member, else the eldest reader.
    func successor(of owner: AccountNumber) -> AccountNumber? {
        for role in [Role.op, .member, .reader] {
            if let next = order.first(where: { $0 != owner && members[$0]?.role == role }) { return next }
        }
        return nil
    }
}
