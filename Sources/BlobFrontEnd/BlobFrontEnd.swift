import Bytes
import ChatModel
import Engine
import Transport

/// The blob port on one loop: HTTP/1.1, strictly, for whoever may read a blob (protocol.md, Files). It asks the engine for
/// the right and a worker for the bytes; it knows no state and opens no file. Confined to its loop.
package final class BlobFrontEnd: ConnectionHandler {
    /// Seconds from accept, and from a later request's first byte, to the end of its head.
    private static let headSeconds: UInt64 = 30
    /// Seconds a connection may be kept without a request.
    private static let idleSeconds: UInt64 = 60
    /// Milliseconds in which a peer must take something of an answer.
    private static let stallMilliseconds = 120_000

    let loop: Int
    /// SHA-256 of a token.
    let tokenHash: @Sendable (UnsafeRawBufferPointer) -> TokenHash
    /// Takes work for the blob reader.
    let read: @Sendable (BlobRead) -> Void
    private var sessions: ContiguousArray<HTTPSession?> = []
    /// Mail for the engine, in order; the host takes it every turn.
    package var outgoing = ContiguousArray<EngineMail>()

    package init(
        loop: Int,
        tokenHash: @escaping @Sendable (UnsafeRawBufferPointer) -> TokenHash,
        read: @escaping @Sendable (BlobRead) -> Void
    ) {
        (self.loop, self.tokenHash, self.read) = (loop, tokenHash, read)
    }

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
        if connection.slot < sessions.count { sessions[connection.slot] = nil }
    }

    package func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let session = connection.context as? HTTPSession else { return bytes.count }
        guard case .head = session.state else {
            connection.pause()
            return 0
        }
        if !session.scanner.hasBegun { connection.deadline = connection.loop.seconds + Self.headSeconds }
        switch session.scanner.scan(bytes) {
        case .more: return 0
        case .refused(let status):
            refuse(session, status, closes: true, hasBody: !bytes.starts(with: "HEAD ".utf8))
            return bytes.count
        case .whole(let start, let end):
            connection.pause()
            connection.deadline = nil
            session.scanner = HTTPHeadScanner()
            serve(session, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            return session.closes ? bytes.count : end
        }
    }

    package func inputEnded(_ connection: Connection, _ rest: UnsafeRawBufferPointer) {
        guard let session = connection.context as? HTTPSession else { return }
        if session.scanner.hasBegun { return refuse(session, .badRequest, closes: true) }
        connection.finish()
    }

    package func writable(_ connection: Connection) {
        guard let session = connection.context as? HTTPSession else { return }
        switch session.state {
        case .sending(let download): pump(session, download)
        case .draining: done(session)
        case .head, .asking: break
        }
    }

    package func expired(_ connection: Connection) {
        guard let session = connection.context as? HTTPSession, case .head = session.state else { return }
        if session.scanner.hasBegun { refuse(session, .requestTimeout, closes: true) } else { connection.finish() }
    }

    func session(_ key: ConnectionKey) -> HTTPSession? {
        let slot = Int(key.slot)
        guard slot < sessions.count, let session = sessions[slot], session.key == key else { return nil }
        return session
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
        session.state = .head
        connection.deadline = connection.loop.seconds + Self.idleSeconds
        connection.resume()
    }
}
