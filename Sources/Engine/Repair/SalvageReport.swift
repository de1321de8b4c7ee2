import ChatModel

/// What a repair could not keep, and what it made up for.
package struct SalvageReport: Sendable {
    /// A sound record that means nothing without one that is gone.
    package struct Aside: Equatable, Sendable {
        package let globalSequence: UInt64
        /// The event's place, when it is one.
        package var conversation: ConversationNumber?
        package var seq: Seq?
        package let reason: String
    }

    /// Something that is known only from what refers to it.
    package enum Rebuilt: Equatable, Sendable {
        /// The handle is known; address, password and display name are not.
        case account(AccountNumber)
        /// Not even the handle is known: it has a made-up one and may not sign in.
        case unknownAccount(AccountNumber)
        /// The name is known, not its title nor whether it was public: it is private.
        case conversation(ConversationNumber)
        /// What a snapshot said of it is lost; its lines have told all but how far everybody had read and what was to be kept.
        case fromLines(ConversationNumber)
        /// What ADMIN RETAIN said of it is lost: all of it is kept.
        case retention(ConversationNumber)
        /// Not even the name is known: it is as if dropped.
        case unknownConversation(ConversationNumber)
        /// The conversation's owner is not known; this member is it now.
        case owner(ConversationNumber, AccountNumber)
    }

    /// Seqs that are lost, ascending, by conversation.
    package internal(set) var lost: [ConversationNumber: [ClosedRange<Seq>]] = [:]
    package internal(set) var asides: [Aside] = []
    package internal(set) var rebuilt: [Rebuilt] = []

    package init() {}

    mutating func note(lost seq: Seq, in conversation: ConversationNumber) {
        var ranges = lost[conversation] ?? []
        if let last = ranges.last, last.upperBound + 1 == seq {
            ranges[ranges.count - 1] = last.lowerBound...seq
        } else {
            ranges.append(seq...seq)
        }
        lost[conversation] = ranges
    }
}
