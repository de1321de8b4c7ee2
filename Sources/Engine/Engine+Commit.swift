import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

extension Engine {
    /// Decides, writes down and applies a change, and says what it answers.
    /// - Throws: `Refusal` of the decision, or that nothing is written any more.
    func commit(_ decide: () throws(Refusal) -> Decision) throws(Refusal) -> Reply {
        let decision = try decide()
        if !decision.changes.isEmpty { try checkWritable() }
        commit(decision.changes)
        return decision.reply
    }

    /// - Throws: `Refusal` INTERNAL while read-only, BUSY while memory is full.
    func checkWritable() throws(Refusal) {
        if let readOnlyReason {
            throw Refusal(.internal, "the server is read-only: \(readOnlyReason)")
        }
        if isMemoryFull {
            throw Refusal(.busy, retry: .seconds(60), "the server's memory is full; reading goes on")
        }
    }

    /// Writes down and applies `changes`, kept or lost together, each with what follows from it before the next.
    func commit(_ changes: [Change]) {
        let changes = changes.flatMap { [$0] + content.state.linksEnded(by: $0) }
        for (index, change) in changes.enumerated() {
            commit(change, together: index + 1 < changes.count)
        }
    }

    func commit(_ change: Change, together: Bool) {
        switch change {
        case .event(let event): commit(event, arena: UnsafeRawBufferPointer(start: nil, count: 0), together: together)
        case .ledger(let entry):
            let ended = content.state.contents(endedBy: entry)
            append(together: together) { JournalPayload.encode(entry, into: &$0) }
            content.state.apply(entry)
            for content in ended { blobRemovals.add(content, at: appended) }
        case .item(let event): commit(event, arena: UnsafeRawBufferPointer(start: nil, count: 0), together: together)
        }
    }

    /// The way of an event: rendered once, to the journal; the same bytes to the timeline; then the state moves.
    func commit(_ event: Event, arena: UnsafeRawBufferPointer, together: Bool) {
        let names = names(of: event)
        var nonce: UInt64?
        if case .message(let message) = event.kind { nonce = message.nonce }
        let line = append(together: together) {
            JournalPayload.encodeHeader(of: event, nonce: nonce, into: &$0)
        } line: {
            EventRenderer.render(event, names: names, arena: arena, into: &$0)
        }
        let ending = endings(of: event)
        content.state.apply(event)
        content.append(line, to: event.conversation)
        markDirty(event.conversation)
        if case .message = event.kind {
            messagesSent += 1
            return
        }
        replaceChunks(content.revise(event, line), in: event.conversation)
        follow(event)
        for account in ending.accounts { tell(account, event.conversation, state: ending.state, by: event.by) }
    }

    /// Whose list of conversations loses one by an event that is about to be applied, and the word for it. Whoever is put
    /// out and did not know of it learns nothing.
    private func endings(of event: Event) -> (accounts: [AccountNumber], state: String) {
        switch event.kind {
        case .eject(let user, _), .ban(let user, _):
            let conversation = content.state.conversation(event.conversation)
            let knows = conversation.member(user) != nil || conversation.invited[user] != nil
            return (knows ? [user] : [], "left")
        case .drop:
            let conversation = content.state.conversation(event.conversation)
            return (conversation.order + conversation.invited.keys.sorted(), "dropped")
        default: return ([], "")
        }
    }

    /// Mails chunks that have taken the place of others.
    func replaceChunks(_ ordinals: ContiguousArray<Int32>, in number: ConversationNumber) {
        if ordinals.isEmpty { return }
        let index = Int(number.raw) - 1
        for loop in loops.indices where loops[loop].cursorCount(number) > 0 {
            for ordinal in ordinals {
                loops[loop].held.append(
                    .replace(number, ordinal: ordinal, content.timelines[index].piece(ordinal)),
                    at: appended
                )
            }
        }
    }

    /// The way of a message of text alone: as of every event, but each object is looked up once, and nothing follows.
    func commit(
        _ message: TextMessage,
        to conversation: Conversation,
        by author: Account,
        arena: UnsafeRawBufferPointer
    ) {
        let line = append(together: false) {
            JournalPayload.encodeHeader(
                conversation: message.conversation,
                seq: message.seq,
                by: message.by,
                nonce: message.nonce,
                into: &$0
            )
        } line: {
            EventRenderer.render(
                message,
                conversation: conversation.name,
                by: author.handle.text,
                arena: arena,
                times: &times,
                into: &$0
            )
        }
        content.state.apply(message, to: conversation, by: author)
        content.append(line, to: message.conversation)
        markDirty(message.conversation)
        messagesSent += 1
    }

    private func names(of event: Event) -> EventNames {
        let state = content.state
        var conversation = ""
        var user: String?
        switch event.kind {
        case .create(.named(let name, _, _)): conversation = "#" + name
        case .create(.direct(let a, let b)): conversation = state.directName(a, b)
        case .invite(let number), .grant(let number, _), .eject(let number, _), .ban(let number, _),
            .unban(let number), .mute(let number, _), .unmute(let number), .erase(let number):
            user = state.handleText(number)
        case .rename(_, let from, _): user = from
        default: break
        }
        if conversation.isEmpty { conversation = state.name(of: event.conversation) }
        return EventNames(conversation: conversation, by: state.handleText(event.by), user: user)
    }

    /// What an event means for connections: notices, cursors that end, conversations that `SUB all=yes` follows.
    private func follow(_ event: Event) {
        let number = event.conversation
        switch event.kind {
        case .create(.named):
            if event.by != .server { appeared(number, to: event.by, state: "created", since: event.seq) }
        case .create(.direct(let a, let b)):
            for account in [a, b] { appeared(number, to: account, state: "created", since: event.seq) }
        case .join: appeared(number, to: event.by, state: "joined", since: event.seq)
        case .leave:
            endCursors(of: event.by, in: number)
            tell(event.by, number, state: "left")
        case .invite(let user): tell(user, number, state: "invited", by: event.by)
        case .eject(let user, _), .ban(let user, _):
            endCursors(of: user, in: number)
        case .topic: tellEverybody(number, state: "retitled", by: event.by)
        case .drop:
            endAllCursors(in: number)
        case .grant, .unban, .mute, .unmute, .edit, .delete, .react, .rename, .erase, .message, .lost: break
        }
    }

    /// `EV conv` to every member. O(members); in the lobby, O(accounts that are connected).
    func tellEverybody(_ number: ConversationNumber, state: String, by: AccountNumber) {
        let conversation = content.state.conversation(number)
        let members = conversation.isLobby ? connectionsOf.keys.sorted() : conversation.order
        for member in members { tell(member, number, state: state, by: by) }
    }

    private func appeared(_ number: ConversationNumber, to account: AccountNumber, state: String, since seq: Seq) {
        tell(account, number, state: state)
        for key in connectionsOf[account, default: []] { follow(number, key, account, from: seq) }
    }

    /// `EV conv` to every connection of an account: its list has changed.
    func tell(
        _ account: AccountNumber,
        _ number: ConversationNumber,
        state: String,
        by: AccountNumber? = nil
    ) {
        var fields: [KeyValue] = [.word("conv", content.state.name(of: number)), .word("state", state)]
        if let by { fields.append(.word("by", content.state.handleText(by))) }
        let notice = Notice(key: .conversation(number), kind: "conv", fields: fields)
        for key in connectionsOf[account, default: []] { hold(.notice(key, notice), for: key) }
    }
}

extension Engine {
    func markDirty(_ number: ConversationNumber) {
        if dirty.last != number { dirty.append(number) }
    }

    /// Tells every loop with a cursor in a dirty conversation how far its lines go now.
    func publishDirty() {
        for number in dirty { trimExcess(of: number, newChunks: publish(number)) }
        dirty.removeAll(keepingCapacity: true)
    }

    /// Tells of new lines in one conversation: the chunk that grew and all that began since.
    /// - Returns: how many chunks these are.
    @discardableResult
    func publish(_ number: ConversationNumber) -> Int {
        let index = Int(number.raw) - 1
        if content.timelines[index].pieces.isEmpty { return 0 }
        let last = content.timelines[index].end.ordinal
        let published = max(content.timelines[index].publishedOrdinal, content.timelines[index].firstOrdinal)
        let first = min(published, last)
        for loop in loops.indices where loops[loop].cursorCount(number) > 0 {
            for ordinal in first...last {
                let piece = content.timelines[index].piece(ordinal)
                loops[loop].held.append(.extend(number, ordinal: ordinal, piece), at: appended)
            }
        }
        content.timelines[index].publishedOrdinal = last
        return Int(last - first) + 1
    }

    /// Sends mail once everything decided so far is durable.
    func hold(_ mail: consuming LoopMail, for key: ConnectionKey) {
        loops[Int(key.loop)].held.append(mail, at: appended)
    }

    func send(_ reply: consuming Reply, to request: Request) {
        hold(.reply(request.connection, request.tag, reply), for: request.connection)
    }
}
