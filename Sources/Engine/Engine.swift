import Bytes
import ChatCore
import ChatModel
import Persistence
import Storage
import Wire

/// The single writer: decides every request against the state, writes what follows to the journal, and addresses mail to
/// the loops. A step object: mail, time and random numbers in; journal records, mail and password jobs out. It knows no
/// thread, socket or file.
///
/// Every mail to a loop carries the journal position it was decided at and is held until the journal is durable to there,
/// so that nothing undurable is ever spoken (protocol.md, Durability). Confined to whoever calls it.
package final class Engine {
    var content: Content
    var loops: ContiguousArray<LoopSide>
    /// Open connections of each account.
    var connectionsOf: [AccountNumber: [ConnectionKey]] = [:]
    var now = Timestamp(milliseconds: 0)
    /// What lasts is measured by this: the wall clock may be set.
    private(set) var monotonic = MonotonicTime(milliseconds: 0)
    let randomness: any Randomness
    let passwordCost: PasswordCost
    /// Slows failed sign-ins down; nil when `limits.rate` is off.
    var backOff: SignInBackOff?

    /// Records of this turn, for the journal.
    package var journalBatch = ByteBuffer()
    /// The last record decided, and the last one on disk.
    package internal(set) var appended: UInt64
    package internal(set) var durable: UInt64
    /// What new records state as their durable mark; behind `durable` under `interval`.
    var synced: UInt64
    /// Conversations with lines that no mail has told of yet.
    var dirty = ContiguousArray<ConversationNumber>()
    /// Collections with changes that no mail has told of yet.
    var dirtyCollections = ContiguousArray<CollectionNumber>()
    /// ITEMS that take more than one turn, the longest waiting first.
    var itemScans: [ItemScan] = []
    /// Work for password workers, to be taken by the host.
    package var passwordJobs: [PasswordJob] = []
    var passwordWaits: [UInt64: PasswordWait] = [:]
    var nextJob: UInt64 = 1
    /// Work for search workers, to be taken by the host; at most `searchWorkerCount` are under way.
    package var searchJobs: [SearchJob] = []
    var searches = SearchQueue()
    /// Where found lines are looked at once more.
    var searchScratch = MessageFilter.Scratch()
    /// Where the blob port is, as clients reach it: scheme, host and port of `url=`.
    package var blobsURL = ""
    /// Stored files whose fate was decided, to be taken by the host.
    package var settledBlobs: [SettledBlob] = []
    /// Files that come to the blob port, each by its connection.
    var portUploads: [ConnectionKey: PortReservation] = [:]
    /// Uploads in pieces.
    var partials = PartialTable()
    /// Those whose files are to be removed, to be taken by the host.
    package var settledPartials: [BlobID] = []
    /// Writes times into lines.
    var times = TimeWriter()
    /// Messages that were sent since the start.
    var messagesSent: UInt64 = 0
    /// When the last snapshot was on disk; before the first of this run, when the engine was started.
    var snapshotTaken = MonotonicTime(milliseconds: 0)
    /// Files whose last upload has ended for good, to be removed by the host behind those.
    package var removableBlobs: [ContentHash] = []
    /// Signs links: HMAC-SHA256 of a text under a key.
    package var signLink: @Sendable (_ text: [UInt8], _ key: [UInt8]) -> LinkSignature
    /// Accounts on their way out, the first is being worked on.
    var erasures: [Erasure] = []
    /// Bytes of lines that are looked at in one step of that.
    package var erasureStepSize = 128 * 1024
    /// Markers that were moved and not written down.
    var dirtyMarkers: Set<DirtyMarker> = []
    var news = News()
    /// Connections whose token runs out by itself.
    var expiringTokens: [ConnectionKey: Timestamp] = [:]
    /// Files of uploads that have ended.
    var blobRemovals = BlobRemovals()
    /// Connections of backups: no file is removed meanwhile.
    var fileHolders: Set<ConnectionKey> = []
    /// Guests that did nothing and have no connection, the longest gone first.
    var idleGuests: [AccountNumber] = []
    /// Why nothing is written any more, once the journal has failed.
    package internal(set) var readOnlyReason: String?
    /// The host is to open the journal again, and to answer by `.journalResumed`.
    package var mustResume = false
    /// How often that was done.
    var journalRun = 0
    /// As `start` was told.
    var isInterval = false
    /// Those who asked for it; nobody asks a second time meanwhile.
    var resumeWaits: [UInt64] = []
    /// The journal has failed and could not be read again: what is in memory may not be shown.
    package internal(set) var isBlind = false
    /// The process holds more memory than it may (`limits.memory`).
    var isMemoryFull = false
    let memoryLimit: UInt64
    /// Where the search for idle guests goes on, and when it begins again.
    var expiryCursor: AccountNumber?
    var nextExpiry = MonotonicTime(milliseconds: 0)
    /// Commands of the operator, to be taken by the host.
    var operatorJobs: [OperatorJob] = []
    /// Those that are not answered yet.
    var operatorWaits: [UInt64: Request] = [:]
    /// CLIENTS under way: the rows that wait for what their loops know.
    var censuses: [UInt64: Census] = [:]
    /// Settings were read again and have not been asked for.
    package var mustRefreshSettings = false
    /// The snapshot under way, and what is known of the last one.
    var snapshots: SnapshotProgress
    /// Lines that go.
    var retainer = Retainer(AgeClock(newest: nil, wall: Timestamp(milliseconds: 0), monotonic: .init(milliseconds: 0)))
    /// Work for the snapshot's writer, to be taken by the host in order.
    package var snapshotWork: [SnapshotWork] = []

    package init(
        _ content: Content,
        loopCount: Int,
        randomness: any Randomness,
        passwordCost: PasswordCost,
        backOff: SignInBackOff?,
        memoryLimit: UInt64 = .max,
        signLink: @escaping @Sendable (_ text: [UInt8], _ key: [UInt8]) -> LinkSignature
    ) {
        self.signLink = signLink
        self.content = content
        snapshots = SnapshotProgress(content.snapshot)
        loops = ContiguousArray(repeating: LoopSide(), count: loopCount)
        self.randomness = randomness
        self.passwordCost = passwordCost
        (self.backOff, self.memoryLimit) = (backOff, memoryLimit)
        (appended, durable, synced) = (content.globalSequence, content.globalSequence, content.globalSequence)
    }

    /// Says what time it is, to people and for measuring; called once a turn, before mail.
    package func beginTurn(now: Timestamp, monotonic: MonotonicTime) {
        (self.now, self.monotonic) = (now, monotonic)
        (content.state.monotonic, content.state.wall) = (monotonic, now)
    }

    /// Whether there is something to do that no mail will come for: the host then posts `.goOn`.
    package var wantsTurn: Bool {
        !news.due.isEmpty || !itemScans.isEmpty
            || (!erasures.isEmpty || retainer.hasWork || content.state.hasOrphans) && readOnlyReason == nil
    }

    /// Whether there is work for others than loops and journal.
    package var hasJobs: Bool {
        !(passwordJobs.isEmpty && searchJobs.isEmpty && settledBlobs.isEmpty && settledPartials.isEmpty
            && removableBlobs.isEmpty)
    }

    package func handle(_ mail: EngineMail) {
        switch mail {
        case .opened(let key, let source): opened(key, source: source)
        case .closed(let key): closed(key)
        case .requests(let batch): decide(batch)
        case .hashed(let result): passwordHashed(result)
        case .searched(let result): searched(result)
        case .durable(let position, let onDisk):
            if readOnlyReason != nil { return }
            (durable, synced) = (max(durable, position), max(synced, onDisk))
        case .journalFailed(let reason, let recovered): journalFailed(reason, recovered)
        case .journalResumed(let outcome): journalResumed(outcome)
        case .tick(let residentBytes): tick(residentBytes: residentBytes)
        case .goOn:
            stepErasures()
            stepRetention()
            stepItemScans()
            stepNews()
        case .operatorOpened(let key, let uid): if isOpen(key) { change(key) { $0.operatorUID = uid } }
        case .census(let id, let loads): counted(id, loads)
        case .settingsChanged: mustRefreshSettings = true
        case .snapshot(let waiter): requestSnapshot(waiter)
        case .snapshotRoom: stepSnapshot()
        case .snapshotEnded(let outcome): snapshotEnded(outcome)
        case .snapshotHeld(let waiter): backupMayBegin(waiter)
        case .blobStored(let upload): blobStored(upload)
        case .blobAsked(let key, let question): blobAsked(question, by: key)
        case .uploadEnded(let key): portUploads[key] = nil
        case .partialFailed(let id): partials.remove(id)
        case .partialWhole(let whole): partialWhole(whole)
        }
    }

    /// Tells subscribers of what was said in this turn and releases what is durable.
    package func endTurn() {
        publishDirty()
        publishDirtyCollections()
        endOrphans()
        removeBlobs()
        forgetPartials()
        for loop in loops.indices { loops[loop].release(through: durable) }
    }

    /// Takes the mail that may go to a loop now.
    package func takeMail(for loop: Int, into mail: inout ContiguousArray<LoopMail>) {
        swap(&loops[loop].ready, &mail)
    }

    /// Whether everything decided has been told.
    package var isQuiet: Bool {
        durable >= appended && passwordWaits.isEmpty && searches.isEmpty && itemScans.isEmpty
            && loops.allSatisfy { $0.held.isEmpty && $0.ready.isEmpty }
    }

    private func decide(_ batch: RequestBatch) {
        let loop = batch.requests.first.map { Int($0.connection.loop) } ?? 0
        var requests = ContiguousArray<Request>()
        swap(&requests, &batch.requests)
        let state = content.state
        for index in requests.indices {
            // Moved out, as a copy would count references.
            let request = exchange(&requests[index], with: .spent)
            decide(request, batch, state)
        }
        swap(&requests, &batch.requests)
        loops[loop].ready.append(.recycle(batch))
    }

    private func decide(_ request: Request, _ batch: RequestBatch, _ state: State) {
        guard isOpen(request.connection) else { return }
        do throws(Refusal) {
            if case .send(let message) = request.command { return try send(message, request, batch, state) }
            if let reply = try answer(request, batch) { send(reply, to: request) }
        } catch {
            send(.refused(error), to: request)
        }
    }

    /// The reply to a request; nil when it comes later.
    private func answer(_ request: Request, _ batch: RequestBatch) throws(Refusal) -> Reply? {
        let key = request.connection
        if isBlind { try checkNeedsNoState(request.command) }
        switch request.command {
        case .search(let search):
            try checkScope(request.command, key)
            return try self.search(search, request)
        case .own(let reply): return .own(reply)
        case .bye: return .bye
        case .signUp(let signUp): return try self.signUp(signUp, request)
        case .signIn(let signIn): return try self.signIn(signIn, request)
        case .signOut(let all):
            try checkScope(request.command, key)
            return try signOut(key, all: all)
        case .limits: return limits(key)
        case .admin(let admin): return try administer(admin, request)
        case .account(let command):
            try checkScope(request.command, key)
            return try answer(command, request)
        case .edit(let edit):
            try checkScope(request.command, key)
            return try self.edit(edit, by: try account(of: key), batch)
        case .putItem(let put):
            try checkScope(request.command, key)
            return try putItem(put, by: try account(of: key), batch)
        case .items(let query):
            try checkScope(request.command, key)
            return try items(query, request)
        default:
            try checkScope(request.command, key)
            return try answer(request.command, from: key, account: try account(of: key))
        }
    }

    /// - Throws: `Refusal` DENIED for what the token that the connection signed in with is not for.
    func checkScope(_ command: Command, _ key: ConnectionKey) throws(Refusal) {
        guard let scope = loops[Int(key.loop)].connections[Int(key.slot)].scope else { return }
        if !scope.isSuperset(of: command.scope) { throw .denied("this token is not for that") }
    }

    private func answer(
        _ command: Command,
        from key: ConnectionKey,
        account: AccountNumber
    ) throws(Refusal) -> Reply {
        let state = content.state
        switch command {
        case .whoAmI: return whoAmI(account)
        case .moderate(let moderation):
            return try commit { () throws(Refusal) in try state.decideModeration(moderation, by: account, now: now) }
        case .setTopic(let target, let title):
            return try commit { () throws(Refusal) in try state.decideTopic(target, title, by: account, now: now) }
        case .drop(let target):
            return try commit { () throws(Refusal) in try state.decideDrop(target, by: account, now: now) }
        case .delete(let target, let message): return try delete(target, message, by: account)
        case .react(let target, let reaction): return try react(target, reaction, by: account)
        case .seen(let target, let seq): return try seen(target, seq, by: account, from: key)
        case .typing(let target): return try typing(target, by: account)
        case .away(let text): return try away(text, by: account)
        case .who(let target, let page): return try who(target, page, by: account)
        case .create(let create):
            return try commit { () throws(Refusal) in try state.decideCreate(create, by: account, now: now) }
        case .join(let target):
            return try commit { () throws(Refusal) in try state.decideJoin(target, by: account, now: now) }
        case .leave(let target):
            return try commit { () throws(Refusal) in try state.decideLeave(target, by: account, now: now) }
        case .invite(let target, let user):
            return try commit { () throws(Refusal) in
                try state.decideInvite(target, user: user, by: account, now: now)
            }
        case .conversations(let page): return conversations(of: account, page)
        case .list(let prefix, let page): return state.decideList(prefix: prefix, page)
        case .members(let target, let page): return try state.decideMembers(target, page, by: account)
        case .history(let history): return try self.history(history, account)
        case .subscribe(let subscribe): return try self.subscribe(subscribe, key, account)
        case .subscribeAll(let since): return try subscribeAll(since: since, key, account)
        case .unsubscribe(let target): return try unsubscribe(target, key, account)
        case .unsubscribeAll: return unsubscribeAll(key)
        case .subscriptions: return subscriptions(key)
        case .putBlob(let put): return try beginUpload(put, from: key, by: account)
        case .blob(let id, let links): return try describe(id, links, for: account)
        case .blobs(let page): return try state.decideBlobs(of: account, page)
        case .deleteBlob(let id): return try deleteBlob(id, by: account)
        case .item(let target, let id): return try item(target, id, by: account)
        case .deleteItem(let delete): return try deleteItem(delete, by: account)
        case .subscribeItems(let target, let since): return try subscribeItems(target, since: since, key, account)
        case .unsubscribeItems(let target): return try unsubscribeItems(target, key, account)
        case .own, .limits, .bye, .signUp, .signIn, .signOut, .send, .search, .admin, .edit, .account,
            .putItem, .items:
            return .refused(Refusal(.internal, "this request took a wrong way"))
        }
    }
}

extension Engine {
    /// Appends a record; the caller has checked that writing is possible.
    @inline(__always)
    func append(together: Bool, payload: (inout ByteBuffer) -> Void) {
        appended += 1
        content.state.position = appended
        JournalRecord.append(
            to: &journalBatch,
            globalSequence: appended,
            durable: synced,
            together: together,
            payload: payload
        )
    }

    /// Appends a record that holds a server line, which ends without LF there.
    /// - Returns: the line, in `journalBatch`: good until that changes.
    @inline(__always)
    func append(
        together: Bool,
        header: (inout ByteBuffer) -> Void,
        line: (inout ByteBuffer) -> Void
    ) -> UnsafeRawBufferPointer {
        var range = 0..<0
        append(together: together) { out in
            header(&out)
            let start = out.count
            line(&out)
            out.removeLast(1)
            range = start..<out.count
        }
        return UnsafeRawBufferPointer(rebasing: journalBatch.readable[range])
    }
}
