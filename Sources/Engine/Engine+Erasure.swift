import ChatCore
import ChatModel

/// An account on its way out: the conversations whose lines still have its words.
struct Erasure {
    let account: AccountNumber
    let names: [String]
    /// What is left to do, the next one last.
    var conversations: [ConversationNumber]
    /// Where to go on in that.
    var seq: Seq = 1
    /// Collections in which it has items, the next one last.
    var collections: [CollectionNumber] = []
    /// Who hears when nothing is left.
    var waiters: [Waiter] = []

    enum Waiter {
        case client(Request)
        case `operator`(UInt64)
    }
}

/// UNREGISTER and `ADMIN USER delete`: erasing goes in steps, so that no turn is long, and goes on after a restart.
extension Engine {
    /// Nobody signs in to the account any more from here on; the answer comes when nothing shows its words.
    func unregister(_ account: AccountNumber, _ request: Request) throws(Refusal) -> Reply? {
        try beginErasure(of: account, waiter: .client(request))
        return nil
    }

    func beginErasure(of account: AccountNumber, waiter: Erasure.Waiter) throws(Refusal) {
        try checkWritable()
        guard content.state.isRecorded(account) else { return forgetGuest(account, waiter) }
        noteLeaving(account)
        commit(content.state.decideErasing(account, now: now))
        var own: ConnectionKey?
        if case .client(let request) = waiter { own = request.connection }
        if let own { detach(own) }
        endConnections(of: account, reason: "this account is gone")
        enqueueErasure(of: account, waiters: [waiter])
    }

    /// A guest that nothing is written down of leaves nothing behind.
    private func forgetGuest(_ account: AccountNumber, _ waiter: Erasure.Waiter) {
        if case .client(let request) = waiter { detach(request.connection) }
        endConnections(of: account, reason: "this account is gone")
        idleGuests.removeAll { $0 == account }
        let handle = content.state.handleText(account)
        content.state.removeUnrecordedGuest(account)
        tell(waiter, isGone: handle)
    }

    /// After a start, or when the state was read again: goes on with what was begun.
    func resumeErasures() {
        erasures = []
        for account in content.state.erasing { enqueueErasure(of: account, waiters: []) }
    }

    private func enqueueErasure(of number: AccountNumber, waiters: [Erasure.Waiter]) {
        guard let account = content.state.account(number) else { return }
        let left = account.spoken.filter { content.state.exists($0) }
        var erasure = Erasure(
            account: number,
            names: account.names,
            conversations: left.reversed(),
            waiters: waiters
        )
        erasure.collections = account.itemCollections.reversed()
        erasures.append(erasure)
    }

    /// One step; nothing while nothing can be written.
    func stepErasures() {
        guard readOnlyReason == nil, let erasure = erasures.first else { return }
        if let collection = erasure.collections.last { return stepItems(erasure, in: collection) }
        guard let conversation = erasure.conversations.last else { return finishErasure() }
        let (next, changed) = content.eraseLines(
            of: erasure.names,
            in: conversation,
            from: erasure.seq,
            budget: erasureStepSize
        )
        replaceChunks(changed, in: conversation)
        if let next {
            erasures[0].seq = next
            return
        }
        (erasures[0].seq, _) = (1, erasures[0].conversations.removeLast())
        if let event = content.state.decideErase(erasure.account, in: conversation, now: now) {
            commit(.event(event), together: false)
        }
    }

    private func stepItems(_ erasure: Erasure, in collection: CollectionNumber) {
        let next = eraseItems(of: erasure.account, in: collection, from: erasure.seq, budget: erasureStepSize)
        erasures[0].seq = next ?? 1
        if next == nil { erasures[0].collections.removeLast() }
    }

    private func finishErasure() {
        let erasure = erasures.removeFirst()
        commit(.ledger(.erased(erasure.account)), together: false)
        for waiter in erasure.waiters { tell(waiter, isGone: erasure.names.first ?? "") }
    }

    private func tell(_ waiter: Erasure.Waiter, isGone handle: String) {
        switch waiter {
        case .client(let request): if isOpen(request.connection) { send(.signedOut, to: request) }
        case .operator(let id): answer(id, .done([.word("user", handle)]))
        }
    }

    /// The journal has failed: what goes on later is not waited for.
    func giveErasuresUp(_ reason: String) {
        let refusal = Refusal(.internal, "begun, and gone on with once the server writes again: \(reason)")
        for waiter in erasures.flatMap(\.waiters) {
            switch waiter {
            case .client(let request): if isOpen(request.connection) { send(.refused(refusal), to: request) }
            case .operator(let id): answer(id, .refused(refusal))
            }
        }
        resumeErasures()
    }
}
