import ChatModel

extension State {
    /// Moves the state by one change. Total: what does not fit the state changes nothing.
    package func apply(_ change: Change) {
        switch change {
        case .event(let event): apply(event)
        case .ledger(let entry): apply(entry)
        case .item(let event): apply(event)
        }
    }

    /// Moves the state by one event. O(1) but for `leave` (O(members)), `drop` (O(members and blobs)) and `create` (O(public names), a memory move).
    package func apply(_ event: Event) {
        if case .create(let creation) = event.kind { create(event, creation) }
        let index = Int(event.conversation.raw) - 1
        guard index < conversations.count, event.seq == conversations[index].nextSeq else {
            return applyBesideConversation(event, index)
        }
        activity = max(activity + 1, position)
        marks.note(conversation: index, at: position)
        let conversation = conversations[index]
        conversation.note(event, activity: activity)
        switch event.kind {
        case .message(let message): note(message, event, conversation)
        case .create(let creation): admitFounders(event, creation, index)
        case .join: admit(event.by, .member, event.seq, index)
        case .leave: dismiss(event.by, index)
        case .eject(let user, _): dismiss(user, index)
        case .ban(let user, _):
            conversation.banned[user] = event.seq
            forgetInvitation(of: user, conversation)
            dismiss(user, index)
        case .unban(let user): conversation.banned[user] = nil
        case .mute(let user, let until): mute(user, until, event, conversation)
        case .unmute(let user): unmute(user, conversation)
        case .invite(let user):
            conversations[index].invited[user] = event.seq
            change(user) { $0.invitations.append(event.conversation) }
        case .grant(let user, let role): grant(user, role, index)
        case .topic(let title): conversation.topic = title
        case .react(let reaction): noteReaction(reaction, event.by, conversation)
        case .delete(let message): conversation.reactions[message] = nil
        case .erase(let user): conversation.forgetReactions(of: user)
        case .drop: drop(index)
        case .edit: conversation.lastEdit = event.seq
        case .rename, .lost: break
        }
    }

    /// Moves the state by a message that was just decided, as by its event.
    /// - Parameters:
    ///   - conversation: the one it belongs to, whose next seq it has.
    ///   - author: the account that sent it.
    package func apply(_ message: TextMessage, to conversation: Conversation, by author: Account) {
        precondition(message.seq == conversation.nextSeq, "a message is applied in the turn that decided it")
        activity = max(activity + 1, position)
        marks.note(conversation: Int(message.conversation.raw) - 1, at: position)
        conversation.noteMessage(message.seq, message.time, activity: activity)
        let mayBeFirst = conversation.noteMessage(by: message.by)
        if conversation.isLobby || message.nonce != nil || mayBeFirst {
            let sent = NonceMemory.Sent(conversation: message.conversation, seq: message.seq, time: message.time)
            note(sent, nonce: message.nonce, of: author, in: conversation, mayBeFirst: mayBeFirst)
        }
        retain(conversation)
    }

    private func note(_ message: Message, _ event: Event, _ conversation: Conversation) {
        let mayBeFirst = conversation.noteMessage(by: event.by)
        if conversation.isLobby || message.nonce != nil || mayBeFirst, let author = account(event.by) {
            let sent = NonceMemory.Sent(conversation: event.conversation, seq: event.seq, time: event.time)
            note(sent, nonce: message.nonce, of: author, in: conversation, mayBeFirst: mayBeFirst)
        }
        if let blob = message.blob {
            noteSending(of: blob.id)
            noteReference(to: blob.id, event.conversation, event.seq)
        }
        retain(conversation)
    }

    /// What an account keeps of a message it sent.
    private func note(
        _ sent: NonceMemory.Sent,
        nonce: UInt64?,
        of account: Account,
        in conversation: Conversation,
        mayBeFirst: Bool
    ) {
        guard account.validFrom <= position else { return }
        let isFirst = (mayBeFirst || conversation.isLobby) && account.noteSpoken(in: conversation.number)
        if conversation.isLobby { account.lobbyRead = conversation.messages.count }
        guard isFirst || conversation.isLobby || nonce != nil else { return }
        marks.note(account: account.number, at: position)
        if let nonce { account.nonces.note(nonce, sent, now: monotonic, limits: limits) }
    }

    private func create(_ event: Event, _ creation: Creation) {
        guard event.conversation == nextConversation else { return }
        let conversation: Conversation
        switch creation {
        case .named(let text, let isPrivate, let topic):
            let name = ConversationName(trusted: text)
            claim(name, for: event.conversation)
            if !isPrivate { publicKeys.insert(name.key, at: publicKeys.lowerBound(of: name.key)) }
            conversation = Conversation(
                number: event.conversation,
                title: .named(name),
                topic: topic,
                isPrivate: isPrivate
            )
        case .direct(let a, let b):
            directs[Pair(a, b)] = event.conversation
            conversation = Conversation(
                number: event.conversation,
                title: .direct(a, b, text: directName(a, b)),
                topic: nil,
                isPrivate: true
            )
        }
        conversations.append(conversation)
    }

    private func admitFounders(_ event: Event, _ creation: Creation, _ index: Int) {
        switch creation {
        case .direct(let a, let b):
            admit(a, .member, event.seq, index)
            admit(b, .member, event.seq, index)
        case .named:
            if event.by == .server { return }
            admit(event.by, .owner, event.seq, index)
            change(event.by) { $0.ownedCount += 1 }
        }
    }

    private func admit(_ number: AccountNumber, _ role: Role, _ seq: Seq, _ index: Int) {
        conversations[index].admit(number, as: role, at: seq)
        let conversation = conversations[index].number
        change(number) { account in
            account.invitations.removeAll { $0 == conversation }
            if !account.conversations.contains(conversation) { account.conversations.append(conversation) }
        }
    }

    private func dismiss(_ number: AccountNumber, _ index: Int) {
        guard conversations[index].member(number) != nil else { return }
        let wasOwner = conversations[index].role(of: number) == .owner
        let conversation = conversations[index].number
        conversations[index].dismiss(number)
        change(number) { account in
            account.conversations.removeAll { $0 == conversation }
            if wasOwner { account.ownedCount -= 1 }
        }
    }

    private func grant(_ number: AccountNumber, _ role: Role, _ index: Int) {
        let before = conversations[index].role(of: number)
        conversations[index].setRole(role, of: number)
        let owned = (role == .owner ? 1 : 0) - (before == .owner ? 1 : 0)
        change(number) { $0.ownedCount += owned }
    }

    /// O(members and blobs). What was said goes, too: nobody may read it any more.
    private func drop(_ index: Int) {
        conversations[index].isDropped = true
        if conversations[index].trim(below: conversations[index].lastSeq) { noteTrim(of: conversations[index]) }
        noteOver(in: conversations[index])
        let number = conversations[index].number
        dropCollections(of: number)
        for member in conversations[index].order {
            let isOwner = conversations[index].role(of: member) == .owner
            change(member) { account in
                account.conversations.removeAll { $0 == number }
                if isOwner { account.ownedCount -= 1 }
            }
        }
        conversations[index].dismissAll()
        for user in conversations[index].invited.keys.sorted() {
            change(user) { $0.invitations.removeAll { $0 == number } }
        }
        conversations[index].invited = [:]
        if case .named(let name) = conversations[index].title {
            let at = publicKeys.lowerBound(of: name.key)
            if at < publicKeys.count, publicKeys[at] == name.key { publicKeys.remove(at: at) }
        }
    }

    private func forgetInvitation(of number: AccountNumber, _ conversation: Conversation) {
        guard conversation.invited.removeValue(forKey: number) != nil else { return }
        change(number) { $0.invitations.removeAll { $0 == conversation.number } }
    }

    /// Changes an account, unless a snapshot has given it with this change in it.
    func change(_ number: AccountNumber, _ body: (Account) -> Void) {
        guard let account = account(number), account.validFrom <= position else { return }
        body(account)
        if account.isRecorded { marks.note(account: number, at: position) }
    }
}

extension EventKind {
    /// The word on the wire.
    package var name: String {
        switch self {
        case .message: "msg"
        case .create: "create"
        case .join: "join"
        case .leave: "leave"
        case .invite: "invite"
        case .eject: "eject"
        case .ban: "ban"
        case .unban: "unban"
        case .mute: "mute"
        case .unmute: "unmute"
        case .grant: "grant"
        case .topic: "topic"
        case .edit: "edit"
        case .delete: "delete"
        case .react: "react"
        case .rename: "rename"
        case .erase: "erase"
        case .drop: "drop"
        case .lost: "lost"
        }
    }
}
