import Bytes
import ChatModel
import Engine
import SystemIO
import Transport
import Wire

/// The line protocol on one loop: lines become requests for the engine, mail becomes lines. Parser, renderer and
/// sessions; it knows no state. Confined to its loop.
package final class LineFrontEnd: ConnectionHandler {
    let loop: Int
    let settings: LineSettings
    let parser: CommandParser
    let cursors = CursorTable()
    private(set) var sessions = ContiguousArray<LineSession?>()
    /// The same, for looks at a session that count no reference (`withSession`).
    private var bareSessions = ContiguousArray<Unmanaged<LineSession>?>()
    /// Requests of this turn, and the bytes of their texts.
    var requests = ContiguousArray<Request>()
    var arena = ByteBuffer()
    /// Writes times into replies.
    var times = TimeWriter()
    private var spareBatches: [RequestBatch] = []
    /// Mail for the engine, in order; the host takes it every turn.
    package var outgoing = ContiguousArray<EngineMail>()
    /// Whether too much waits for the disk: no line is taken meanwhile.
    let isThrottled: @Sendable () -> Bool
    /// Takes file work for the blob writer.
    package var uploads: @Sendable (UploadJob) -> Void = { _ in }
    /// Takes mail that is for the blob port of this loop.
    package var blobMail: (LoopMail) -> Void = { _ in }
    /// Takes what is for the loop itself: a prefix of addresses that may not connect, or may again.
    package var addressBans: (String, Bool) -> Void = { _, _ in }
    /// Sessions that got a reply and have not had their turn to send since.
    private var awaitingTurn = 0
    /// Where lines for one record are gathered; a single line may be longer than a record.
    /// `HI`, without its time.
    var greeting: [KeyValue]
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: 3 * 65536, alignment: 4096)
    /// Seconds in which a peer that did not sign in, or is banned, may take what is left for it.
    private static let lastWordSeconds: UInt64 = 3
    /// Connections that are flushed before the loop polls again.
    private static let slice = 32

    /// - Parameter isThrottled: whether too much waits for the disk: no line is taken meanwhile.
    package init(
        loop: Int,
        settings: LineSettings,
        parser: CommandParser,
        isThrottled: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.loop, self.settings, self.parser, self.isThrottled) = (loop, settings, parser, isThrottled)
        greeting = settings.greeting(settings.logID)
    }

    deinit { scratch.deallocate() }

    package var plainTextAnswer: StaticString {
        "BYE NEED-TLS - this port speaks TLS; try: openssl s_client -quiet -connect HOST:PORT\n"
    }

    package var bannedAnswer: StaticString { "BYE DENIED - connections from your address are refused\n" }

    // MARK: Connections

    package func opened(_ connection: Connection) {
        let isOperator = connection.listener == settings.operatorListener
        let uid = isOperator ? connection.peerUID : nil
        if isOperator, !(uid.map(settings.isOperator) ?? false) { return connection.abort() }
        let key = ConnectionKey(loop: loop, slot: connection.slot, generation: connection.generation)
        let session = LineSession(key: key, connection: connection)
        connection.context = session
        keep(session, at: connection.slot)
        connection.deadline = signInDeadline(connection)
        outgoing.append(.opened(key, source: connection.peerAddress))
        if let uid { becomeOperator(session, uid) }
        let time = KeyValue.time("time", Timestamp(milliseconds: Clock.milliseconds))
        session.say { ReplyRenderer.greeting(fields: greeting + [time], into: &$0) }
        cursors.markReady(connection.slot)
    }

    package func closed(_ connection: Connection) {
        guard let session = session(of: connection) else { return }
        hasTurn(session)
        cursors.removeOwner(connection.slot)
        keep(nil, at: connection.slot)
        if session.upload?.phase == .receiving { uploads(.abandon(session.key)) }
        submitBatch()
        outgoing.append(.closed(session.key))
    }

    package func writable(_ connection: Connection) { cursors.markReady(connection.slot) }

    package func expired(_ connection: Connection) {
        guard let session = session(of: connection) else { return }
        if session.isOverdue { return connection.abort() }
        if session.isSignedIn { return uploadStalled(session) }
        sendAway(session, .needAuth, "no sign-in for \(settings.signInSeconds) seconds")
    }

    package func turnedAway(_ connection: Connection) {
        guard let session = session(of: connection) else { return }
        // A half-sent file is not worth a word.
        if connection.isBlocked || session.upload != nil { return connection.abort() }
        sendAway(session, .denied, "connections from your address are refused")
    }

    /// Ends a connection with a last word, for which there is little time: who does not read does not stay for it.
    private func sendAway(_ session: LineSession, _ code: Code, _ text: String) {
        session.isOverdue = true
        session.end(.bye(code, text))
        session.connection.deadline = session.connection.loop.seconds + Self.lastWordSeconds
        cursors.markReady(session.connection.slot)
    }

    /// In whole seconds, so up to one late and never early.
    func signInDeadline(_ connection: Connection) -> UInt64 { connection.loop.seconds + settings.signInSeconds + 1 }

    func session(of connection: Connection) -> LineSession? {
        guard let session = connection.context as? LineSession else { return nil }
        return session
    }

    func session(_ key: ConnectionKey) -> LineSession? {
        let slot = Int(key.slot)
        guard slot < sessions.count, let session = sessions[slot], session.key == key else { return nil }
        return session
    }

    private func keep(_ session: LineSession?, at slot: Int) {
        while sessions.count <= slot {
            sessions.append(nil)
            bareSessions.append(nil)
        }
        sessions[slot] = session
        bareSessions[slot] = session.map(Unmanaged.passUnretained)
    }

    /// Runs `body` on the session in `slot`, if there is one, without counting a reference.
    ///
    /// Nor need one be counted: `sessions` keeps the session until `closed`, which the loop calls when it buries
    /// connections, never inside a turn of its driver, and only turns of the driver come here.
    @inline(__always)
    func withSession(at slot: Int, _ body: (LineSession) -> Void) {
        guard slot < bareSessions.count, let bare = bareSessions[slot] else { return }
        bare._withUnsafeGuaranteedRef(body)
    }

    // MARK: Turns

    /// Hands the requests of this turn over to `outgoing`.
    package func submitBatch() {
        if requests.isEmpty { return }
        let batch = spareBatches.popLast() ?? RequestBatch()
        swap(&batch.requests, &requests)
        swap(&batch.arena, &arena)
        outgoing.append(.requests(batch))
    }

    func recycle(_ used: RequestBatch) {
        used.clear()
        if spareBatches.count < 4 { spareBatches.append(used) }
    }

    /// Sends what waits on a few connections; true when more wait.
    package func flushSlice() -> Bool {
        for _ in 0..<Self.slice {
            guard let owner = cursors.nextReady() else { return false }
            withSession(at: owner) { flush($0) }
        }
        return cursors.readyCount > 0
    }

    /// Whether replies of the last mail still wait for their turn.
    package var hasReplies: Bool { awaitingTurn > 0 }

    func awaitsTurn(_ session: LineSession) {
        if session.awaitsTurn { return }
        session.awaitsTurn = true
        awaitingTurn += 1
    }

    func hasTurn(_ session: LineSession) {
        guard session.awaitsTurn else { return }
        session.awaitsTurn = false
        awaitingTurn -= 1
    }

    /// Takes no further line; every connection ends with `BYE SHUTDOWN` once it has its answers.
    package func shutDown() {
        for case let session? in sessions {
            cancelUpload(session, Self.stopped)
            session.end(.bye(.shutdown, "the server is stopping; come back in a moment"))
            cursors.markReady(session.connection.slot)
        }
    }

    package var isEmpty: Bool { sessions.allSatisfy { $0 == nil } }
}
