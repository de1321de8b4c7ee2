import Bytes
import ChatModel

/// SEND and REPLY.
extension CommandParser {
    func message(_ request: inout Request, _ arena: inout ByteBuffer) throws(Refusal) -> Send {
        if !request.hasOptions, request.verb == .send {
            let target = try request.conversation()
            return Self.send(request.words.rest().map { Self.copy($0, &arena) }, to: target, arena)
        }
        let blob = try Self.blobOption(request)
        let nonce = try nonce(request)
        let geo = try Self.geo(request)
        let kind = try Self.kind(request)
        var reply = try request.number(.reply, in: 1...Seq.max)
        let target = try request.conversation()
        if request.verb == .reply { reply = try request.number(argument: "id", in: 1...Seq.max) }
        let text = try Self.text(&request, &arena)
        return Self.send(text, to: target, arena, nonce: nonce, reply: reply, geo: geo, kind: kind, blob: blob)
    }

    private static func send(
        _ text: ArenaRange?,
        to target: ConversationTarget,
        _ arena: borrowing ByteBuffer,
        nonce: UInt64? = nil,
        reply: Seq? = nil,
        geo: Location? = nil,
        kind: String? = nil,
        blob: BlobID? = nil
    ) -> Send {
        var (scalarCount, isBlank) = (0, true)
        if let text {
            let bytes = UnsafeRawBufferPointer(rebasing: arena.readable[text.range])
            (scalarCount, isBlank) = (Characters.scalarCount(bytes), Characters.areBlank(bytes))
        }
        return Send(
            target: target,
            text: text,
            scalarCount: scalarCount,
            isBlank: isBlank,
            nonce: nonce,
            reply: reply,
            geo: geo,
            kind: kind,
            blob: blob
        )
    }

    private static func copy(_ text: UnsafeRawBufferPointer, _ arena: inout ByteBuffer) -> ArenaRange {
        OptionValue(raw: text, hasEscapes: false).copy(into: &arena)
    }

    /// `text=` or the rest, appended to the arena; nil when there is neither.
    static func text(_ request: inout Request, _ arena: inout ByteBuffer) throws(Refusal) -> ArenaRange? {
        let rest = request.words.rest()
        if let option = request[.text] {
            if rest != nil { throw .badArg("text", "text= or text behind the arguments, not both") }
            return option.copy(into: &arena)
        }
        return rest.map { copy($0, &arena) }
    }

    private func nonce(_ request: Request) throws(Refusal) -> UInt64? {
        guard let value = request[.nonce] else { return nil }
        guard let hash = value.withBytes({ (1...64).contains($0.count) ? hashers.nonce($0) : nil }) else {
            throw .badArg("nonce", "1 to 64 bytes")
        }
        return hash
    }

    private static func geo(_ request: Request) throws(Refusal) -> Location? {
        guard let value = request[.geo] else { return nil }
        guard let location = value.withBytes({ Location(parsing: $0) }) else {
            throw .badArg("geo", "lat,lon in decimal degrees, -90 to 90 and -180 to 180, at most 12 decimals")
        }
        return location
    }

    private static func kind(_ request: Request) throws(Refusal) -> String? {
        guard let value = request[.kind] else { return nil }
        guard value.withBytes(isKind) else { throw .badArg("kind", "x- and 1 to 32 of a-z 0-9 -") }
        return value.string
    }

    private static func isKind(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard (3...34).contains(bytes.count), bytes[0] == 0x78, bytes[1] == 0x2D else { return false }
        return bytes.dropFirst(2).allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x2D: true
            default: false
            }
        }
    }
}
