import ChatModel

/// A conversation as a snapshot holds it. Which of its events are messages follows from its lines.
package struct ConversationSnapshot: Sendable {
    package struct Member: Sendable {
        package let account: AccountNumber
        package let role: Role
        package let joinSeq: Seq
        package let read: UInt64
        package init(account: AccountNumber, role: Role, joinSeq: Seq, read: UInt64) {
            (self.account, self.role, self.joinSeq, self.read) = (account, role, joinSeq, read)
        }
    }

    package let number: ConversationNumber
    package var title: Conversation.Name
    package var topic: String?
    package var isPrivate = false
    package var isDropped = false
    package var nextSeq: Seq = 1
    package var lastTime = Timestamp(milliseconds: 0)
    package var lastKind = "create"
    package var activity: UInt64 = 0
    /// Eldest first.
    package var members: [Member] = []
    package var invited: [(account: AccountNumber, seq: Seq)] = []
    package var retention = Retention()
    /// What stands below is gone.
    package var firstSeq: Seq = 1
    /// Messages there ever were, below `nextSeq`; nil in files of versions that kept all.
    package var messages: UInt64?
    package var banned: [(account: AccountNumber, seq: Seq)] = []
    package var muted: [(account: AccountNumber, mute: Conversation.Mute)] = []

    package init(number: ConversationNumber, title: Conversation.Name) { (self.number, self.title) = (number, title) }
}
