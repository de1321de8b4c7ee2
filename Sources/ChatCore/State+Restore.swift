import ChatModel

/// Building the state from a snapshot whose shards were written at different moments: each object says from which global
/// sequence on it wants changes (`validFrom`), and the journal is then applied from the oldest of these moments on.
extension State {
    package func restore(linkKey: [UInt8]) { self.linkKey = linkKey }

    package func restore(logID: String, nonceKey: [UInt8], isUncleanInterval: Bool, settings: [String: String] = [:]) {
        (self.logID, self.nonceKey, self.isUncleanInterval) = (logID, nonceKey, isUncleanInterval)
        self.settings = settings
    }

    package func restore(invites: [TokenHash: Invite], metricsToken: TokenHash?, bannedAddresses: [String]) {
        (self.invites, self.bannedAddresses) = (invites, bannedAddresses)
        self.metricsToken = metricsToken
    }

    package func restore(retentionDefaults: Retention) { self.retentionDefaults = retentionDefaults }

    /// Puts an account in its place; false when the place is taken or there is no such number.
    package func restore(_ slot: AccountSlot, validFrom: UInt64) -> Bool {
        switch slot {
        case .expired(let number, let handle):
            guard makeRoom(for: number) else { return false }
            expiredHandles[number] = handle
            claim(Handle(trusted: handle), for: number)
        case .account(let snapshot):
            let number = snapshot.record.number
            guard makeRoom(for: number) else { return false }
            let account = Account(snapshot.record, isRecorded: true)
            account.restore(snapshot)
            account.conversations = snapshot.conversations
            account.invitations = snapshot.invitations
            for entry in snapshot.nonces { account.nonces.note(entry.hash, entry.sent, now: monotonic, limits: limits) }
            account.validFrom = validFrom
            accountSlots[Int(number.raw) - 1] = account
            claim(account.handle, for: number)
            if let email = account.email { emails[email.key] = number }
            for alias in account.aliases { claim(Handle(trusted: alias), for: number) }
            if !account.isGuest, !account.isErasing { directory.append(account) }
            for hash in account.sessions.map(\.hash) + account.tokens.map(\.hash) { sessionOwners[hash] = number }
            restore(snapshot.uploads, of: account)
        }
        return true
    }

    private func makeRoom(for number: AccountNumber) -> Bool {
        let index = Int(number.raw) - 1
        guard index >= 0 else { return false }
        while accountSlots.count <= index { accountSlots.append(nil) }
        return accountSlots[index] == nil && expiredHandles[number] == nil
    }

    /// Appends a conversation; false when its number is not the next one.
    package func restore(_ snapshot: ConversationSnapshot, validFrom: UInt64) -> Bool {
        guard snapshot.number == nextConversation, (2...Self.largestSeq).contains(snapshot.nextSeq),
            (1...snapshot.nextSeq).contains(snapshot.firstSeq)
        else { return false }
        let conversation = Conversation(
            number: snapshot.number,
            title: snapshot.title,
            topic: snapshot.topic,
            isPrivate: snapshot.isPrivate
        )
        conversation.isDropped = snapshot.isDropped
        (conversation.nextSeq, conversation.lastTime) = (snapshot.nextSeq, snapshot.lastTime)
        (conversation.lastKind, conversation.activity) = (snapshot.lastKind, snapshot.activity)
        conversation.restore(snapshot.members)
        for invitation in snapshot.invited { conversation.invited[invitation.account] = invitation.seq }
        for ban in snapshot.banned { conversation.banned[ban.account] = ban.seq }
        for muted in snapshot.muted { conversation.muted[muted.account] = muted.mute }
        (conversation.retention, conversation.firstSeq) = (snapshot.retention, snapshot.firstSeq)
        conversation.validFrom = validFrom
        conversations.append(conversation)
        switch snapshot.title {
        case .named(let name):
            claim(name, for: snapshot.number)
            if !snapshot.isPrivate, !snapshot.isDropped { publicKeys.append(name.key) }
        case .direct(let a, let b, _): directs[Pair(a, b)] = snapshot.number
        }
        return true
    }

    /// No conversation comes that far; what files claim beyond it is not believed.
    package static let largestSeq: Seq = 1 << 62

    /// The lines of a conversation begin here: nothing is known of the events before.
    package func restoreMessages(of number: ConversationNumber, startingAt first: Seq) {
        let conversation = self.conversation(number)
        if first > 1 { conversation.messages = MessageIndex(startingAt: min(first, conversation.nextSeq)) }
    }

    /// All lines of a conversation are there.
    /// - Parameters:
    ///   - first: what stands below was gone when they were written.
    ///   - total: how many messages the conversation knows of; nil when it does not say.
    package func endRestoring(of number: ConversationNumber, first: Seq, total: UInt64?) {
        let conversation = self.conversation(number)
        if first > 1 { conversation.messages.anchor(count: total ?? conversation.messages.count) }
        conversation.restoreFirst(first)
    }

    /// Notes events of a conversation in the order of their lines, up to the last that the conversation knows of.
    package func restoreMessages(of number: ConversationNumber, count: Int, isMessage: (Int) -> Bool) {
        let conversation = self.conversation(number)
        for index in 0..<count where conversation.messages.lastSeq + 1 < conversation.nextSeq {
            conversation.messages.append(isMessage: isMessage(index))
        }
    }

    /// Puts in order what was appended; before the journal is applied.
    package func finishRestoring() {
        publicKeys.sort()
        directory.sort()
    }

    /// The end of every recovery: what an account and a conversation say of each other is made to agree, where they were
    /// written down at different moments, and numbers that were never written down are free again. O(accounts and all
    /// their conversations).
    package func finishRecovery() {
        var owned: [AccountNumber: Int] = [:]
        for conversation in conversations {
            for member in conversation.order where conversation.role(of: member) == .owner {
                owned[member, default: 0] += 1
            }
        }
        unusedNumbers.removeAll()
        for index in accountSlots.indices.reversed() {
            let number = AccountNumber(UInt32(clamping: index + 1))
            guard let account = accountSlots[index] else {
                if expiredHandles[number] == nil { unusedNumbers.append(number) }
                continue
            }
            account.ownedCount = owned[number] ?? 0
            account.conversations.removeAll { !exists($0) || conversation($0).member(number) == nil }
            account.invitations.removeAll { !exists($0) || conversation($0).invited[number] == nil }
        }
        activity = max(activity, position)
        countItems()
    }

    /// Whether a snapshot has given the conversation of this event with the event in it.
    package func isAhead(of event: Event) -> Bool {
        guard exists(event.conversation) else { return false }
        let conversation = self.conversation(event.conversation)
        return position < conversation.validFrom && event.seq < conversation.nextSeq
    }

    /// What an event means beside its conversation, which already has it: for the accounts that do not. Only in recovery.
    func applyBesideConversation(_ event: Event, _ index: Int) {
        guard index >= 0, index < conversations.count, isAhead(of: event) else { return }
        // Its lines may be older than itself.
        marks.note(conversation: index, at: position)
        let conversation = conversations[index]
        if conversation.messages.lastSeq + 1 == event.seq {
            var isMessage = false
            if case .message = event.kind { isMessage = true }
            conversation.messages.append(isMessage: isMessage)
        }
        switch event.kind {
        case .message(let message):
            noteSender(event, message, conversation)
            if let blob = message.blob { noteSending(of: blob.id) }
        case .create(.direct(let a, let b)):
            for number in [a, b] { note(number, isIn: conversation.number) }
        case .create(.named):
            if event.by != .server { note(event.by, isIn: conversation.number) }
        case .join: note(event.by, isIn: conversation.number)
        case .leave: change(event.by) { $0.conversations.removeAll { $0 == conversation.number } }
        case .eject(let user, _): change(user) { $0.conversations.removeAll { $0 == conversation.number } }
        case .ban(let user, _):
            change(user) {
                $0.conversations.removeAll { $0 == conversation.number }
                $0.invitations.removeAll { $0 == conversation.number }
            }
        case .react: change(event.by) { $0.noteSpoken(in: conversation.number) }
        case .invite(let user): change(user) { $0.invitations.append(conversation.number) }
        case .drop: dropCollections(of: conversation.number)
        case .grant, .lost, .unban, .mute, .unmute, .topic, .edit, .delete, .rename, .erase: break
        }
    }

    private func noteSender(_ event: Event, _ message: Message, _ conversation: Conversation) {
        change(event.by) { account in
            account.noteSpoken(in: conversation.number)
            if conversation.isLobby { account.lobbyRead = conversation.messageCount(through: event.seq) }
            guard let nonce = message.nonce else { return }
            let sent = NonceMemory.Sent(conversation: event.conversation, seq: event.seq, time: event.time)
            account.nonces.note(nonce, sent, now: monotonic, limits: limits)
        }
    }

    private func note(_ number: AccountNumber, isIn conversation: ConversationNumber) {
        change(number) { account in
            account.invitations.removeAll { $0 == conversation }
            if !account.conversations.contains(conversation) { account.conversations.append(conversation) }
        }
    }
}
