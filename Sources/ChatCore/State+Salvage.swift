import ChatModel

/// What a repair does to the state where records are gone. Nothing else calls it.
extension State {
    /// Makes an account a member that acted as one though no event of its joining is left.
    ///
    /// - Parameter seq: the latest lost event before it acted: at that one, if not before, it was a member.
    package func admitByEvidence(
        _ number: AccountNumber,
        to conversation: ConversationNumber,
        as role: Role,
        since seq: Seq
    ) {
        self.conversation(conversation).admit(number, as: role, at: seq)
        marks.note(conversation: Int(conversation.raw) - 1, at: position)
        change(number) { account in
            account.invitations.removeAll { $0 == conversation }
            if !account.conversations.contains(conversation) { account.conversations.append(conversation) }
        }
    }

    /// Gives a member at least the role that what it did needs.
    package func raise(_ number: AccountNumber, to role: Role, in conversation: ConversationNumber) {
        guard let present = self.conversation(conversation).member(number)?.role, present < role else { return }
        self.conversation(conversation).setRole(role, of: number)
    }

    /// Gives a conversation without an owner one, by the rule for an owner that leaves (protocol.md, LEAVE).
    /// - Returns: the new owner; nil when there is one already, or nobody.
    package func succeedMissingOwner(of number: ConversationNumber) -> AccountNumber? {
        let conversation = self.conversation(number)
        guard !conversation.isLobby, !conversation.isDirect, !conversation.isDropped,
            !conversation.order.contains(where: { conversation.role(of: $0) == .owner }),
            let heir = conversation.successor(of: .server)
        else { return nil }
        conversation.setRole(.owner, of: heir)
        return heir
    }

    /// A conversation that has only begun goes on at `seq`: what stood before was not kept.
    package func passTo(_ seq: Seq, in number: ConversationNumber) {
        guard exists(number), conversation(number).nextSeq <= seq, seq <= Self.largestSeq else { return }
        let conversation = self.conversation(number)
        conversation.nextSeq = seq
        conversation.messages = MessageIndex(startingAt: seq)
        conversation.restoreFirst(seq)
    }

    /// Says that events of a conversation that are there already are not to be applied again.
    package func markRestored(_ number: ConversationNumber, validFrom: UInt64) {
        guard exists(number) else { return }
        conversation(number).validFrom = validFrom
    }

    /// Nobody has read more messages than are left.
    package func clampReadMarkers() {
        for conversation in conversations { conversation.clampReadMarkers() }
        let count = exists(.lobby) ? conversation(.lobby).messages.count : 0
        for account in accountSlots {
            guard let account, account.lobbyRead > count else { continue }
            account.lobbyRead = count
        }
    }

    /// Takes the read markers of a conversation over that was put together from its lines.
    package func adoptReadMarkers(of snapshot: ConversationSnapshot) {
        guard exists(snapshot.number) else { return }
        conversation(snapshot.number).adoptReadMarkers(snapshot.members)
    }

    /// Shuts an account that is only a number: nobody may sign in to it.
    package func disableUnknown(_ number: AccountNumber) { change(number) { $0.isDisabled = true } }
}
