import ChatModel

/// What a SEND comes to.
package enum SendDecision {
    /// The nonce was used before: the message that stands.
    case repeated(NonceMemory.Sent)
    /// A message of text alone, and where it belongs.
    case text(TextMessage, in: Conversation)
    /// Any other in a conversation that is there.
    case message(Event)
    /// The first message of a 1:1: `create`, then `msg`.
    case opening(create: Event, message: Event)
}

extension State {
    /// Decides SEND (protocol.md, SEND): first the right to see, then the nonce, then everything else. Allocates
    /// nothing when the message is taken.
    package func decideSend(_ send: Send, by account: AccountNumber, now: Timestamp) throws(Refusal) -> SendDecision {
        let found = try findAsMember(send.target, account)
        if let nonce = send.nonce, let sent = find(nonce: nonce, of: account) {
            guard case .conversation(sent.conversation) = found else {
                throw Refusal(.conflict, field: "nonce", "this nonce was used in another conversation")
            }
            return .repeated(sent)
        }
        try checkText(send)
        if case .conversation(let number) = found, let text = send.textAlone {
            let conversation = conversations[Int(number.raw) - 1]
            try checkMayWrite(in: conversation, account, send.reply)
            let message = TextMessage(
                conversation: number,
                seq: conversation.nextSeq,
                time: max(now, conversation.lastTime),
                by: account,
                text: text,
                reply: send.reply,
                nonce: send.nonce
            )
            return .text(message, in: conversation)
        }
        let blob = try send.blob.map { id throws(Refusal) in try findBlob(id, account, field: "blob") }
        let message = Message(
            text: send.text,
            kind: send.kind ?? (send.geo == nil ? blob?.messageKind : "location"),
            geo: send.geo,
            reply: send.reply,
            nonce: send.nonce,
            blob: blob
        )
        switch found {
        case .unopened(let other):
            if send.reply != nil { throw Refusal(.notFound, field: "reply", "there is no such message") }
            guard let opener = self.account(account) else { throw .needAuth }
            try checkMayWriteTo(other, account)
            try checkJoined(opener)
            return opening(with: other, by: account, message, now)
        case .conversation(let number):
            let conversation = conversation(number)
            try checkMayWrite(in: conversation, account, send.reply)
            return .message(
                Event(
                    conversation: number,
                    seq: conversation.nextSeq,
                    time: max(now, conversation.lastTime),
                    by: account,
                    kind: .message(message)
                )
            )
        }
    }

    /// Nonces noted before this are past their time. The wall clock has no say: it may have been set. What a recovery
    /// brought counts from its end on.
    package var oldestNonce: MonotonicTime {
        let moment = monotonic.adding(milliseconds: -limits.nonceMilliseconds)
        return recoveredAt >= moment ? MonotonicTime(milliseconds: 0) : moment
    }

    func find(nonce: UInt64, of number: AccountNumber) -> NonceMemory.Sent? {
        let index = Int(number.raw) - 1
        guard accountSlots.indices.contains(index) else { return nil }
        return accountSlots[index]?.nonces.find(nonce, since: oldestNonce)
    }

    private func checkText(_ send: Send) throws(Refusal) {
        guard send.text != nil else {
            if send.geo == nil, send.blob == nil { throw .badArg("text", "a message needs a text, blob= or geo=") }
            return
        }
        try checkText(scalarCount: send.scalarCount, isBlank: send.isBlank)
    }

    private func checkMayWrite(
        in conversation: Conversation,
        _ account: AccountNumber,
        _ reply: Seq?
    ) throws(Refusal) {
        guard conversation.mayWrite(account) else { throw .denied("you may read here, not write") }
        if conversation.isDirect { try checkMayWriteTo(conversation.peer(of: account), account) }
        if let reply {
            guard conversation.isMessage(reply, visibleTo: account) else {
                let mayHaveBeen = reply > 0 && reply >= conversation.firstVisible(to: account)
                if mayHaveBeen, reply < conversation.firstSeq { throw Self.gone("reply", conversation) }
                throw Refusal(.notFound, field: "reply", "there is no such message")
            }
        }
    }

    /// Whether `other` still is there and has not blocked `account`.
    private func checkMayWriteTo(_ other: AccountNumber?, _ account: AccountNumber) throws(Refusal) {
        guard let other = other.flatMap({ self.account($0) }), !other.isErasing else {
            throw .denied("nobody is there any more")
        }
        if !other.blocked.isEmpty, other.hasBlocked(account) { throw .denied("this user takes no messages from you") }
    }

    private func opening(
        with other: AccountNumber,
        by account: AccountNumber,
        _ message: Message,
        _ now: Timestamp
    ) -> SendDecision {
        let number = nextConversation
        let sorted = handleText(account).utf8.lexicographicallyPrecedes(handleText(other).utf8)
        let creation = sorted ? Creation.direct(account, other) : .direct(other, account)
        return .opening(
            create: Event(conversation: number, seq: 1, time: now, by: account, kind: .create(creation)),
            message: Event(conversation: number, seq: 2, time: now, by: account, kind: .message(message))
        )
    }

    /// What must be written in front of the first thing `account` leaves behind: a guest's own record, else nothing.
    package func changesBefore(actionOf account: AccountNumber) -> [Change] { recordingGuest(account) }

    package func isRecorded(_ number: AccountNumber) -> Bool {
        let index = Int(number.raw) - 1
        return accountSlots.indices.contains(index) && accountSlots[index]?.isRecorded == true
    }
}
