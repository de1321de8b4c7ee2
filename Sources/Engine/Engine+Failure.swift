import Bytes
import ChatCore
import ChatModel

extension Engine {
    /// The journal has failed: what was not durable is forgotten, state and lines are those of the disk, and from now on
    /// reads are served and writes are refused. Whoever waits for an undurable answer gets an ERR.
    func journalFailed(_ reason: String, _ recovered: Recovered?) {
        if readOnlyReason != nil { return }
        readOnlyReason = reason
        isBlind = recovered == nil
        if let recovered { durable = max(durable, recovered.content.globalSequence) }
        var dropped: [ContiguousArray<LoopMail>] = []
        for loop in loops.indices {
            loops[loop].release(through: durable)
            dropped.append(loops[loop].held.drain())
        }
        journalBatch.clear()
        dirty.removeAll()
        dirtyCollections.removeAll()
        if let recovered { use(recovered) }
        content.globalSequence = durable
        // Nothing is appended any more: no answer waits for the journal.
        appended = durable
        giveSnapshotUp(reason)
        for loop in loops.indices { undo(dropped[loop], on: loop, reason) }
        giveErasuresUp(reason)
        (dirtyMarkers, blobRemovals) = ([], BlobRemovals())
        partials.undo(above: durable)
        forgetUndurable()
        for loop in loops.indices { reopenLists(of: dropped[loop], on: loop) }
    }

    /// - Throws: `Refusal` INTERNAL for what is answered from the state.
    func checkNeedsNoState(_ command: Command) throws(Refusal) {
        switch command {
        case .own, .bye, .admin: return
        default: throw Refusal(.internal, "the journal failed and cannot be read: \(readOnlyReason ?? "")")
        }
    }

    /// Answers what was not durable with an ERR, and makes connection and loop agree again: a subscription or sign-in
    /// whose mail was dropped has not happened.
    private func undo(_ dropped: ContiguousArray<LoopMail>, on loop: Int, _ reason: String) {
        for mail in dropped {
            switch mail {
            case .reply(let key, let tag, let reply):
                let refusal = Refusal(.internal, "not written to disk, so not done: \(reason)")
                loops[loop].ready.append(.reply(key, tag, .refused(refusal)))
                guard isOpen(key) else { continue }
                switch reply {
                case .signedIn: leave(key)
                case .signedOut:
                    loops[loop].ready.append(.endSession(key, reason: "the server could not write it down"))
                default: continue
                }
            case .subscribe(let key, let number, _), .unsubscribe(let key, let number), .end(let key, let number):
                loops[loop].ready.append(.unsubscribe(key, number))
                if isOpen(key) { forget(number, key) }
            case .endSession: loops[loop].ready.append(mail)
            case .blobAnswered(let key, _): loops[loop].ready.append(.blobAnswered(key, .readOnly))
            default: continue
            }
        }
    }

    private func forget(_ number: ConversationNumber, _ key: ConnectionKey) {
        change(key) { connection in
            connection.subscriptions.remove(number)
            if let collection = CollectionNumber(log: number) { connection.collections.remove(collection) }
        }
    }

    /// The connection speaks for nobody any more; unlike `detach`, without mail.
    private func leave(_ key: ConnectionKey) {
        let connection = self.connection(key)
        if let account = connection.account { connectionsOf[account]?.removeAll { $0 == key } }
        change(key) {
            $0 = EngineConnection(generation: connection.generation, isOpen: true, source: connection.source)
            $0.openedAt = connection.openedAt
        }
    }

    /// Connections keep what is still true of them: their account, if the disk knows it, and their subscriptions.
    func forgetUndurable() {
        for loop in loops.indices {
            for slot in loops[loop].connections.indices where loops[loop].connections[slot].isOpen {
                let connection = loops[loop].connections[slot]
                let key = ConnectionKey(loop: loop, slot: slot, generation: connection.generation)
                guard let account = connection.account else { continue }
                if content.state.account(account) == nil {
                    leave(key)
                    connectionsOf[account] = nil
                    loops[loop].ready.append(.endSession(key, reason: "the server could not write it down"))
                    continue
                }
                let kept = connection.subscriptions.filter { content.state.exists($0) }
                loops[loop].connections[slot].subscriptions = kept
                loops[loop].connections[slot].collections = connection.collections.filter { content.state.exists($0) }
            }
        }
    }

    /// Counts a loop's cursors anew and gives it the lines as the disk has them.
    func reopenLists(of dropped: ContiguousArray<LoopMail>, on loop: Int) {
        var counts = ContiguousArray<Int32>(repeating: 0, count: content.timelines.count)
        for connection in loops[loop].connections {
            for number in connection.subscriptions { counts[Int(number.raw) - 1] += 1 }
        }
        loops[loop].cursors = counts
        reopenItemLists(on: loop)
        for index in counts.indices where counts[index] > 0 && !isBlind {
            let timeline = content.timelines[index]
            let number = ConversationNumber(UInt32(clamping: index + 1))
            loops[loop].ready.append(.open(number, published(number)))
            content.timelines[index].publishedOrdinal = timeline.end.ordinal
        }
        for mail in dropped {
            guard let number = mail.subscribedConversation, loops[loop].cursorCount(number) == 0 else { continue }
            loops[loop].ready.append(.close(number))
        }
    }
}

extension Engine {
    /// The same for collections.
    private func reopenItemLists(on loop: Int) {
        var counts = ContiguousArray<Int32>(repeating: 0, count: content.state.collectionCount)
        for connection in loops[loop].connections {
            for number in connection.collections { counts[Int(number.raw) - 1] += 1 }
        }
        loops[loop].collectionCursors = counts
        for index in counts.indices where counts[index] > 0 && !isBlind {
            let number = CollectionNumber(UInt32(clamping: index + 1))
            let at = content.itemLogIndex(number)
            loops[loop].ready.append(.open(number.log, published(number)))
            content.itemLogs[at].publishedOrdinal = content.itemLogs[at].end.ordinal
        }
    }
}

extension LoopMail {
    /// The conversation whose cursors this mail changes.
    fileprivate var subscribedConversation: ConversationNumber? {
        switch self {
        case .subscribe(_, let number, _), .unsubscribe(_, let number), .end(_, let number), .close(let number): number
        default: nil
        }
    }
}
