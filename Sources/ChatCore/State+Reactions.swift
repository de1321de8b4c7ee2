import ChatModel

extension State {
    func noteReaction(_ reaction: Reaction, _ account: AccountNumber, _ conversation: Conversation) {
        var reactions = conversation.reactions.removeValue(forKey: reaction.message) ?? MessageReactions()
        reactions.note(reaction, by: account)
        if !reactions.isEmpty { conversation.reactions[reaction.message] = reactions }
        change(account) { $0.noteSpoken(in: conversation.number) }
    }

    /// Forgets what stands under messages; the lines then say it again, in order (`restoreReaction`).
    package func forgetReactions() {
        for conversation in conversations { conversation.reactions = [:] }
    }

    /// Forgets what stands under messages that are gone. O(seqs or messages with reactions, whichever are fewer).
    package func forgetReactions(in number: ConversationNumber, to seqs: Range<Seq>) {
        let conversation = self.conversation(number)
        if seqs.count <= conversation.reactions.count {
            for seq in seqs { conversation.reactions[seq] = nil }
        } else {
            conversation.reactions = conversation.reactions.filter { !seqs.contains($0.key) }
        }
    }

    /// Notes a reaction, or that a message and what stood under it is gone, from a line; only in recovery.
    package func restoreReaction(_ kind: EventKind, by account: AccountNumber, in number: ConversationNumber) {
        let conversation = self.conversation(number)
        switch kind {
        case .react(let reaction):
            var reactions = conversation.reactions.removeValue(forKey: reaction.message) ?? MessageReactions()
            reactions.note(reaction, by: account)
            if !reactions.isEmpty { conversation.reactions[reaction.message] = reactions }
        case .delete(let message): conversation.reactions[message] = nil
        default: break
        }
    }
}

extension Conversation {
    /// Takes back what an account has put under messages here. O(messages with reactions).
    func forgetReactions(of account: AccountNumber) {
        for (message, var entry) in reactions {
            entry.forget(account)
            reactions[message] = entry.isEmpty ? nil : entry
        }
    }
}
