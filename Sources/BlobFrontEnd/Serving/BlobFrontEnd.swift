import Bytes
import ChatModel
import Engine
import SystemIO
import Transport

/// The blob port on one loop: HTTP/1.1, strictly, for whoever may read a blob or make one (protocol.md, The blob port). It asks
/// the engine for the right and workers for the disk; it knows no state. Confined to its loop.
package final class BlobFrontEnd: ConnectionHandler {
    /// Seconds from accept, and from a later request's first byte, to the end of its head.
    private static let headSeconds: UInt64 = 30
    /// Seconds a connection may be kept without a request.
    private static let idleSeconds: UInt64 = 60
    /// Seconds in which refused content must have come, to be dropped.
    private static let dropSeconds: UInt64 = 30
    /// Milliseconds in which a peer must take something of an answer.
    private static let stallMilliseconds = 120_000

    let loop: Int
    let works: Works
    let files: any BlobFiles
    private var sessions: ContiguousArray<HTTPSession?> = []
    /// Mail for the engine, in order; the host takes it every turn.
    package var outgoing = ContiguousArray<EngineMail>()
    /// Those that have something to send and a socket that takes it, in turn.
    var ready = ContiguousArray<HTTPSession>()
    private var clock = HTTPClock()
    /// Where bytes of files are read, and in front of them an answer's head: one for the loop.
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: headRoom + fileRoom, alignment: 4096)
    static let headRoom = 4096
    static let fileRoom = 65_536

    package init(loop: Int, works: Works, files: any BlobFiles) {
        (self.loop, self.works, self.files) = (loop, works, files)
    }

    deinit { room.deallocate() }

    package var plainTextAnswer: StaticString {
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\nX-Content-Type-Options: nosniff\r\n\r\n"
    }

    /// Whether no answer is under way.
    package var isIdle: Bool {
        sessions.allSatisfy { session in
            guard let session, !session.connection.isClosing else { return true }
            if case .head = session.state { return true }
            return false
        }
    }

    // MARK: Connections

    package func opened(_ connection: Connection) {
        let key = ConnectionKey(loop: loop, slot: connection.slot, generation: connection.generation)
        let session = HTTPSession(key: key, connection: connection)
        connection.context = session
        while sessions.count <= connection.slot { sessions.append(nil) }
        sessions[connection.slot] = session
        connection.stallMilliseconds = Self.stallMilliseconds
        connection.deadline = connection.loop.seconds + Self.headSeconds
    }

    package func closed(_ connection: Connection) {
        guard let session = connection.context as? HTTPSession else { return }
        abandon(session)
        // It may still stand in `ready`, where nobody may look at its connection any more.
        session.state = .draining
        if connection.slot < sessions.count { sessions[connection.slot] = nil }
    }

    package func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let session = connection.context as? HTTPSession else { return bytes.count }
        var at = 0
        while !connection.isClosing {
            let goesOn =
                switch session.state {
                case .head: readHead(session, bytes, &at)
                case .receiving(let intake): take(session, intake, bytes, &at)
                case .dropping: drop(session, bytes, &at)
                case .asking, .working, .storing, .sending, .draining: false
                }
            if !goesOn { break }
        }
        if connection.isClosing { return bytes.count }
        switch session.state {
        case .asking, .working, .storing, .sending, .draining: connection.pause()
        case .head, .receiving, .dropping: break
        }
        return at
    }

    /// Reads a request's head; true when what stands behind it may be read at once.
    private func readHead(_ session: HTTPSession, _ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Bool {
        let connection = session.connection
        if !session.reader.hasBegun { connection.deadline = connection.loop.seconds + Self.headSeconds }
        let start = at
        switch session.reader.next(bytes, &at) {
        case .refused(let refused):
            session.isHead = bytes[start...].starts(with: "HEAD ".utf8)
            (session.isTus, session.closes) = (refused.isTus, refused.closes)
            refuse(session, Refusal(refused.status), status: refused.status) { head in
                if let allow = refused.allow { head.add("Allow", allow) }
            }
            return at > start
        case .request(let request):
            connection.deadline = nil
            (session.closes, session.isHead, session.isTus) = (request.closes, request.isHead, request.place.isTus)
            session.expectsContinue = request.expectsContinue
            begin(session, request)
            return true
        case .more, .content, .contentEnd, .broken: return false
        }
    }

    /// Throws content away that nobody wants; true behind its end.
    private func drop(_ session: HTTPSession, _ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Bool {
        switch session.reader.next(bytes, &at) {
        case .content(let range):
            session.reader.take(range.count)
            at = range.upperBound
            return true
        case .contentEnd:
            awaitRequest(session)
            return true
        case .broken:
            session.connection.finish()
            return false
        case .more, .request, .refused: return false
        }
    }

    package func inputEnded(_ connection: Connection, _ rest: UnsafeRawBufferPointer) {
        guard let session = connection.context as? HTTPSession else { return }
        switch session.state {
        case .receiving:
            abandon(session)
            refuseAndClose(session, .badRequest)
        case .head where session.reader.hasBegun: refuseAndClose(session, .badRequest)
        default: connection.finish()
        }
    }

    package func writable(_ connection: Connection) {
        guard let session = connection.context as? HTTPSession else { return }
        switch session.state {
        case .sending: markReady(session)
        case .draining: done(session)
        case .head, .asking, .working, .receiving, .storing, .dropping: break
        }
    }

    package func expired(_ connection: Connection) {
        guard let session = connection.context as? HTTPSession else { return }
        switch session.state {
        case .head:
            if session.reader.hasBegun { refuseAndClose(session, .requestTimeout) } else { connection.finish() }
        case .receiving(let intake): lookAtProgress(session, intake)
        case .dropping: connection.finish()
        case .asking, .working, .storing, .sending, .draining: break
        }
    }

    func session(_ key: ConnectionKey) -> HTTPSession? {
        let slot = Int(key.slot)
        guard slot < sessions.count, let session = sessions[slot], session.key == key else { return nil }
        return session
    }

    func markReady(_ session: HTTPSession) {
        if session.isReady { return }
        session.isReady = true
        ready.append(session)
    }

    /// The head of an answer to what was asked on this connection.
    func response(_ session: HTTPSession, _ status: HTTPStatus) -> HTTPResponse {
        session.decideWhetherToClose()
        let date = clock.date(milliseconds: Clock.milliseconds)
        return HTTPResponse(status, date: date, closes: session.closes, isTus: session.isTus)
    }

    /// The answer is written: the next request may come, or the connection ends.
    func done(_ session: HTTPSession) {
        let connection = session.connection
        if connection.isClosing { return }
        guard !connection.isBlocked else {
            session.state = .draining
            return
        }
        if session.closes { return connection.finish() }
        if session.reader.isInContent {
            session.state = .dropping
            connection.deadline = connection.loop.seconds + Self.dropSeconds
        } else {
            awaitRequest(session)
        }
        connection.resume()
    }

    private func awaitRequest(_ session: HTTPSession) {
        session.forgetRequest()
        session.connection.deadline = session.connection.loop.seconds + Self.idleSeconds
    }
}
