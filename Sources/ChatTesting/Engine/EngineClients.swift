import Bytes
import ChatModel
import Engine
import Wire

/// The loops' side of an engine, turned by hand: connections that say lines, and what each of them would be sent. What the
/// engine mails goes into real cursor tables, so that a client hears exactly the lines it would hear over a socket.
package final class EngineClients {
    /// What a connection was sent and nobody has looked at yet.
    package struct Client {
        package var replies: [String] = []
        package var events: [String] = []
        package var notices: [String] = []
        /// Why the server ended its session.
        package var ended: String?
    }

    package let tables: [CursorTable]
    private var clients: [ConnectionKey: Client] = [:]
    private var slots: [Int]
    private var generation: UInt32 = 0
    private let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)

    package init(loops: Int) {
        tables = (0..<loops).map { _ in CursorTable() }
        slots = Array(repeating: 0, count: loops)
    }

    deinit { room.deallocate() }

    /// A new connection; the engine is told by the caller.
    package func connect(loop: Int) -> ConnectionKey {
        generation += 1
        let key = ConnectionKey(loop: loop, slot: slots[loop], generation: generation)
        slots[loop] += 1
        clients[key] = Client()
        return key
    }

    /// The connection has gone; the engine is told by the caller.
    package func disconnect(_ key: ConnectionKey) {
        tables[Int(key.loop)].removeOwner(Int(key.slot))
        clients[key] = nil
    }

    package subscript(_ key: ConnectionKey) -> Client? { clients[key] }

    /// What is there, which is gone from here afterwards.
    package func take(_ key: ConnectionKey, _ what: WritableKeyPath<Client, [String]>) -> [String] {
        defer { clients[key]?[keyPath: what] = [] }
        return clients[key]?[keyPath: what] ?? []
    }

    package func deliver(_ mail: LoopMail, _ loop: Int) {
        let table = tables[loop]
        switch mail {
        case .reply(let key, let tag, let reply):
            var out = ByteBuffer()
            ReplyRenderer.render(reply, tag: tag, into: &out)
            clients[key]?.replies += Self.lines(out.readable)
        case .open(let number, let lines): table.open(number, lines)
        case .extend(let number, let ordinal, let piece): table.extend(number, ordinal: ordinal, piece)
        case .replace(let number, let ordinal, let piece): table.replace(number, ordinal: ordinal, piece)
        case .trim(let number, let lines): table.trim(number, lines)
        case .cut(let number, let cut, let piece, let missed): table.cut(number, cut, piece, missed: missed)
        case .renumber(let number, let kept): table.renumber(number, kept)
        case .skipDeletions(let key, let number):
            if clients[key] != nil { table.skipDeletions(Int(key.slot), number) }
        case .close(let number): table.close(number)
        case .subscribe(let key, let number, let place):
            if clients[key] != nil { table.subscribe(Int(key.slot), number, at: place) }
        case .tellGone(let key, let number, let first):
            if clients[key] != nil { table.tellGone(Int(key.slot), number, first: first) }
        case .unsubscribe(let key, let number):
            if clients[key] != nil { table.unsubscribe(Int(key.slot), number) }
        case .end(let key, let number):
            if clients[key] != nil { table.end(Int(key.slot), number) }
        case .notice(let key, let notice):
            var out = ByteBuffer()
            ReplyRenderer.notice(kind: notice.kind, fields: notice.fields, into: &out)
            clients[key]?.notices += Self.lines(out.readable)
        case .endSession(let key, let reason): clients[key]?.ended = reason
        case .roomAgain, .shutDown, .recycle, .announce, .greeting, .hangUp, .ban, .census, .uploadTaken, .blobAnswered,
            .blobBytes, .partial:
            break
        }
    }

    /// Every connection takes all that it is behind.
    package func gather() {
        for key in clients.keys.sorted(by: { ($0.loop, $0.slot) < ($1.loop, $1.slot) }) { gather(key) }
    }

    private func gather(_ key: ConnectionKey) {
        let table = tables[Int(key.loop)]
        while table.isBehind(Int(key.slot)) {
            let count = table.gather(Int(key.slot), into: room, used: 0)
            if count == 0 { break }
            clients[key]?.events += Self.lines(UnsafeRawBufferPointer(start: room, count: count))
        }
    }

    /// A line as the front end hands it to the engine.
    package static func batch(_ key: ConnectionKey, _ line: String) -> RequestBatch {
        let batch = RequestBatch()
        let parser = CommandParser(
            hashers: Hashers(
                nonce: { $0.reduce(17) { $0 &* 31 &+ UInt64($1) } },
                token: { SeededRandomness.hash(of: String(decoding: $0, as: UTF8.self)) }
            )
        )
        let isOperators = line.hasPrefix("ADMIN ")
        let parsed = Array(line.utf8).withUnsafeBytes {
            isOperators ? parser.parseOperator($0, arena: &batch.arena) : parser.parse($0, arena: &batch.arena)
        }
        switch parsed {
        case .command(let tag, let command):
            batch.requests.append(Request(connection: key, tag: tag, command: command))
        case .refused(let tag, let refusal), .refusedUpload(let tag, let refusal, _):
            batch.requests.append(Request(connection: key, tag: tag, command: .own(.refused(refusal))))
        case .ask, .empty: preconditionFailure("these requests are whole")
        }
        return batch
    }

    private static func lines(_ bytes: UnsafeRawBufferPointer) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n" as Character).map(String.init)
    }
}
