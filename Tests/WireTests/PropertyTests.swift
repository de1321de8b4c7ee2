import Bytes
import ChatModel
import Testing
import Wire

@Suite("Whatever the bytes")
struct PropertyTests {
    private static let valid = [
        "@1 SEND nonce=a reply=3 geo=1.5,-2 kind=x-a #lobby hi there", #"@b SEND text="a\n\u00e9\ud83d\udc4d" @bob"#,
        "AUTH ada Secret123", "AUTH token=abc", #"SIGNUP name=ada display="Ada L." ada@example.test secret pass"#,
        "HISTORY before=2026-11-30T08:36:33Z limit=20 #x", "SUB all=yes since=2026-11-30T08:36:33.123Z",
        "SUB last=5 @a,b",
        "CREATE private=yes title=\"A room\" #Raum-é", "LIST after=#a limit=3 #b", "HELP SEND",
        "  @t-_9   PING   مرحبا\r",
        "REPLY #x 41 text=\"y\"", "INVITE #room bo1", "UNSUB all=yes", "MEMBERS after=x #x",
    ]
    /// Bytes that mean something to the grammar, and some that do not.
    private static let alphabet: [UInt8] =
        Array("@#=\" \\\"u0dD8,:-.azAZ09\t\r".utf8) + [0, 0x1B, 0x7F, 0x80, 0xC2, 0xE2, 0xED, 0xF4, 0xFF]

    private static func line(_ random: inout Seeded) -> [UInt8] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1:
            return (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
        default: break
        }
        var bytes = Array(valid[Int.random(in: 0..<valid.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 1..<5, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(byte, at: at)
            case 1 where at < bytes.count: bytes[at] = byte
            case 2 where at < bytes.count: bytes.remove(at: at)
            default: bytes.removeSubrange(at...)
            }
        }
        return bytes
    }

    /// A text of scalars from all over Unicode, many of them dangerous.
    private static func text(_ random: inout Seeded, most: Int = 40) -> String {
        var text = String.UnicodeScalarView()
        let ranges: [ClosedRange<UInt32>] = [
            0...0x20, 0x20...0x7E, 0x20...0x7E, 0x7F...0xA0, 0x600...0x620, 0x2000...0x2070, 0x4E00...0x4E10,
            0x1F44D...0x1F450,
            0...0x10FFFF,
        ]
        for _ in 0..<Int.random(in: 0...most, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    /// The first scalar of `out` that no server line may hold, but for the LF at each line's end.
    private static func danger(in out: String) -> Unicode.Scalar? {
        let scalars = out.unicodeScalars
        if scalars.last != "\n" { return scalars.last ?? "?" }
        return scalars.dropLast().first { Characters.isEscaped($0.value) }
    }

    @Test
    func `a hundred thousand random and broken lines trap nothing, and what is refused is refused in one clean line`() {
        var random = Seeded(0xC0FFEE)
        let parsing = Parsing()
        var counts = [0, 0, 0, 0]
        for _ in 0..<100_000 {
            let line = Self.line(&random)
            switch parsing.parse(line) {
            case .empty: counts[0] += 1
            case .command(_, let command):
                counts[1] += 1
                if case .send(let send) = command, let text = send.text {
                    let size = parsing.arena.count
                    #expect(text.range.upperBound <= size)
                }
            case .ask: counts[2] += 1
            case .refused(let tag, let refusal), .refusedUpload(let tag, let refusal, _):
                counts[3] += 1
                let out = rendered { ReplyRenderer.render(.refused(refusal), tag: tag, into: &$0) }
                if let danger = Self.danger(in: out) { Issue.record("\(danger.value) in the answer to \(line)") }
                if refusal.code != .badArg, refusal.code != .badLine, refusal.code != .badVerb,
                    refusal.code != .notFound
                {
                    Issue.record("\(refusal.code) for \(line)")
                }
            }
            if parsing.arena.count > 1 << 20 { parsing.arena.clear() }
        }
        #expect(counts.allSatisfy { $0 > 100 })
    }

    @Test func `UTF-8 is judged as the standard library judges it`() {
        var random = Seeded(7)
        for _ in 0..<100_000 {
            let bytes = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x20...0x7E, using: &random) : UInt8.random(in: 0x80...0xFF, using: &random)
            }
            let sound = String(validating: bytes, as: UTF8.self) != nil
            #expect(bytes.withUnsafeBytes { Characters.areAllowed(in: $0) } == sound, "\(bytes)")
        }
        for first in UInt8(0xC0)...0xF7 {
            for second in UInt8(0x70)...0xC8 {
                let bytes = [first, second, 0x80, 0xBF].prefix(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4).map { $0 }
                let sound = String(validating: bytes, as: UTF8.self) != nil
                #expect(bytes.withUnsafeBytes { Characters.areAllowed(in: $0) } == sound, "\(bytes)")
            }
        }
    }

    @Test func `White_Space is Unicode's own`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if Characters.isWhiteSpace(value) != scalar.properties.isWhitespace { Issue.record("U+\(value)") }
        }
    }

    @Test func `any text comes back from its string, and no string holds what is always escaped`() {
        var random = Seeded(42)
        for _ in 0..<20_000 {
            let text = Self.text(&random)
            let shown = rendered { JSONString.append(string: text, into: &$0) }
            if shown.unicodeScalars.contains(where: { Characters.isEscaped($0.value) }) { Issue.record("\(shown)") }
            let inside = Array(shown.utf8.dropFirst().dropLast())
            let back = inside.withUnsafeBytes { JSONString.decoded($0) }
            // U+0000 alone leaves as an escape that is not taken in.
            if text.unicodeScalars.contains("\0") {
                #expect(back == nil)
            } else {
                #expect(back?.utf8.elementsEqual(text.utf8) == true)
            }
        }
    }

    @Test func `any message reads back as it was written, from one line`() {
        var random = Seeded(2026)
        for _ in 0..<20_000 {
            let text = Self.text(&random).replacing("\0", with: "0")
            let kind: String? = Bool.random(using: &random) ? "x-\(random.next() % 1000)" : nil
            let reply: Seq? = Bool.random(using: &random) ? random.next() : nil
            let time = Timestamp(milliseconds: Int64(random.next() % 4_000_000_000_000))
            let seq = random.next()
            let message = Message(
                text: ArenaRange(offset: 0, count: text.utf8.count),
                kind: kind,
                geo: nil,
                reply: reply,
                nonce: nil
            )
            let event = Event(
                conversation: .lobby,
                seq: seq,
                time: time,
                by: AccountNumber(1),
                kind: .message(message)
            )
            let line = rendered { out in
                Array(text.utf8).withUnsafeBytes {
                    EventRenderer.render(
                        event,
                        names: EventNames(conversation: "#lobby", by: "ada"),
                        arena: $0,
                        into: &out
                    )
                }
            }
            if let danger = Self.danger(in: line) { Issue.record("\(danger.value) in \(line)") }
            Array(line.utf8).withUnsafeBytes { bytes in
                let back = EventParser.parse(bytes)
                #expect(back?.kind == .msg && back?.seq == seq && back?.time == time)
                #expect(back?.field("kind") == kind && back?.field("reply") == reply.map { "\($0)" })
                #expect(back?.field("text")?.utf8.elementsEqual(text.utf8) == true)
            }
        }
    }

    @Test func `no reply and no notice holds a control, whatever its values are`() {
        var random = Seeded(99)
        for _ in 0..<5_000 {
            let (a, b) = (Self.text(&random), Self.text(&random))
            let lines = rendered { out in
                let fields = [KeyValue.word("a", a), .text("b", b)]
                ReplyRenderer.render(.done(rows: [Row("conv", fields)], fields), tag: .none, into: &out)
                ReplyRenderer.render(.signedIn(user: a, token: b, unread: 1, isNew: false), tag: .none, into: &out)
                ReplyRenderer.render(
                    .event(conversation: a, seq: 1, time: Timestamp(milliseconds: 0), isRepeat: false),
                    tag: .none,
                    into: &out
                )
                ReplyRenderer.render(.own(.pong(a)), tag: .none, into: &out)
                ReplyRenderer.render(.refused(Refusal(.denied, field: a, b)), tag: .none, into: &out)
                ReplyRenderer.ask(tag: .none, what: "password", text: a, into: &out)
                ReplyRenderer.bye(.busy, text: b, into: &out)
                ReplyRenderer.greeting(fields: fields, into: &out)
                ReplyRenderer.notice(kind: "conv", fields: fields, into: &out)
            }
            let parts = lines.unicodeScalars.split(separator: "\n")
            #expect(parts.count == 10)
            for part in parts where part.contains(where: { Characters.isEscaped($0.value) }) {
                Issue.record("\(part)")
            }
        }
    }

    @Test func `random bytes trap the reader of events no more than a broken line does`() {
        var random = Seeded(5)
        let base = Array("EV msg conv=#lobby seq=42 ts=2026-11-30T08:36:33.123Z by=ada text=\"a\\u000ab\"\n".utf8)
        var read = 0
        for _ in 0..<50_000 {
            var bytes = base
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[at] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.remove(at: at)
                }
            }
            bytes.withUnsafeBytes { line in
                guard let event = EventParser.parse(line) else { return }
                read += 1
                _ = (event.field("text"), event.by, event.field("nothing"))
            }
        }
        #expect(read > 1000)
    }
}
