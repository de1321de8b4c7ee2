import Bytes
import ChatCore
import ChatModel
import ChatTesting
import Persistence
import Testing

@Suite("Ledger records") struct LedgerTests {
    private func payload(_ entry: LedgerEntry) -> [UInt8] {
        var out = ByteBuffer()
        JournalPayload.encode(entry, into: &out)
        return Array(out.readable)
    }

    private func readBack(_ payload: [UInt8]) throws -> LedgerEntry? {
        let decoded = try payload.withUnsafeBytes { bytes in try JournalPayload.decode(bytes, State(limits: Limits())) }
        if case .ledger(let entry) = decoded { return entry }
        return nil
    }

    /// Everything that is dumped of a value: equal dumps are equal values.
    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    private static let hash = TokenHash(a: 1, b: .max, c: 0x0123_4567_89AB_CDEF, d: 0)

    private static func account(
        _ number: UInt32 = 1,
        display: String = "Ada",
        phone: String? = nil,
        email: String? = nil,
        password: PasswordRecord? = nil,
        session: TokenHash? = nil
    ) -> LedgerEntry {
        .account(
            AccountRecord(
                number: AccountNumber(number),
                handle: "ada",
                display: display,
                phone: phone,
                email: email,
                password: password,
                isGuest: number % 2 == 0,
                created: Timestamp(milliseconds: 1_764_500_000_123),
                session: session,
                lobbyRead: UInt64(number) * 4_000_000_000
            )
        )
    }

    private static func token(expires: Timestamp?) -> TokenRecord {
        TokenRecord(
            hash: hash,
            label: "bot",
            scope: [.read, .manage],
            created: Timestamp(milliseconds: 1_764_500_000_123),
            expires: expires
        )
    }

    @Test(
        arguments: [
            .log(id: "0abc"), .log(id: ""), .nonceKey(Array(0...15)), .nonceKey(Array(224...255)),
            .start(interval: true),
            .start(interval: false), .stop,
            .session(AccountNumber(7), Session(hash: hash, created: Timestamp(milliseconds: 1_764_500_000_123))),
            .session(AccountNumber(7), Session(hash: hash, created: nil)),
            .endSession(AccountNumber(.max - 1), hash),
            .endSessions(AccountNumber(1)), .expire(AccountNumber(9)), account(), account(1, session: hash),
            account(
                2,
                phone: "+44 (0)",
                email: "ada@example.test",
                password: PasswordRecord(n: .max, r: 8, p: 1, salt: [0, 255], hash: [1]),
                session: hash
            ), account(3, password: PasswordRecord(n: 0, r: 0, p: 0, salt: [], hash: [])),
            .setting(key: "limits.text", value: "10"), .setting(key: "limits.text", value: nil),
            .setting(key: "k", value: "a \"b\" \n"), .disabled(AccountNumber(5), true),
            .disabled(AccountNumber(5), false),
            .reset(AccountNumber(5), PasswordRecord(n: 1024, r: 8, p: 1, salt: [1, 2], hash: [3, 4])),
            .spendCode(AccountNumber(.max - 1)),
            .password(AccountNumber(1), PasswordRecord(n: 32768, r: 8, p: 3, salt: [0], hash: [255])),
            .token(AccountNumber(1), token(expires: nil)),
            .token(AccountNumber(1), token(expires: Timestamp(milliseconds: 1_999_999_999_999))),
            .endToken(AccountNumber(1), hash), .email(AccountNumber(2), "ada@example.test"),
            .profile(AccountNumber(1), Profile(display: "a \"b\"", phone: nil, bio: nil, avatar: nil)),
            .profile(AccountNumber(1), Profile(display: "A", phone: "+49", bio: "\n", avatar: BlobID(high: 1, low: 2))),
            .verified(AccountNumber(2), true), .verified(AccountNumber(2), false),
            .block(AccountNumber(2), AccountNumber(3), true), .block(AccountNumber(2), AccountNumber(3), false),
            .marker(AccountNumber(2), ConversationNumber(.max), count: .max), .erasing(AccountNumber(2)),
            .erased(AccountNumber(2)), .invite(hash, Invite(uses: .max, expires: Timestamp(milliseconds: 1000))),
            .spendInvite(hash), .metricsToken(hash), .addressBan("2001:db8::/32", true),
            .addressBan("192.0.2.1", false),
            .retain(ConversationNumber(1), Retention()), .retain(ConversationNumber(1), Retention(max: 1, age: 2)),
            .retain(ConversationNumber(.max), Retention(max: .max, age: .max)), .retainByDefault(Retention()),
            .retainByDefault(Retention(max: 1000)), .retainByDefault(Retention(age: 86_400)),
            .trim(ConversationNumber(1), first: 2), .trim(ConversationNumber(.max), first: .max),
        ] as [LedgerEntry]
    )
    func `are read as they were written`(entry: LedgerEntry) throws {
        let found = try #require(try readBack(payload(entry)))
        #expect(dumped(found) == dumped(entry))
    }

    @Test(arguments: [
        "", " ", "\"", "\\", "\\\"", "a b", "a=b", " guest=yes", "x\" guest=yes created=1", "\n", "\r\n", "\u{1}", "\t",
        "\u{1F}\u{7F}\u{85}", "\u{2028}\u{2029}", "\u{202E}abc\u{2066}", "👩‍👩‍👧", "e\u{301}", "\u{301}", "\\u0041", "李小龍",
        "\u{FFFF}\u{10FFFF}", " - ", "n=5", String(repeating: "\"\\\n", count: 300),
    ])
    func `hold any text but NUL, which no name may have, in one line`(text: String) throws {
        let entry = Self.account(display: text, phone: text, email: text)
        let bytes = payload(entry)
        #expect(!bytes.contains(0x0A) && !bytes.contains(0x0D) && !bytes.contains(0))
        guard case .account(let found) = try readBack(bytes) else {
            Issue.record("an account")
            return
        }
        for value in [found.display, found.phone, found.email] {
            #expect(value.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(arguments: [UInt64(1), 2]) func `hold random text`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let most: UInt32 = Bool.random(using: &random) ? 0x7F : 0x10FFFF
                if let scalar = Unicode.Scalar(UInt32.random(in: 1...most, using: &random)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            guard case .account(let found) = try readBack(payload(Self.account(display: text, phone: text))) else {
                Issue.record("an account")
                return
            }
            #expect(Array(found.display.utf8) == Array(text.utf8))
            #expect(found.phone.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(arguments: [
        "", "L", "L ", "E", "E ", "X log id=1", "l log id=1", "Llog id=1", "L nothing", "L items n=1", "L log",
        "L log ID=1",
        "L nonce-key key=abc", "L nonce-key key=zz", "L session account=0 hash=00", "L session account=1", "L session",
        "L session account=4294967296 hash=" + hash.hex, "L session account=-1 hash=" + hash.hex,
        "L session account=1 hash=" + hash.hex + "0", "L end-sessions account=x", "L expire account=0",
        "L account n=1", "L account n=1 name=a display=\"x\"", "L account n=1 name=a display=\"x created=1",
        "L account n=1 name=a display=\"x\" created=yesterday guest=no",
        "L account n=0 name=a display=\"x\" created=1970-01-01T00:00:00.000Z guest=no",
        "L account n=1 name=a display=\"x\" password=md5:1:2:3:aa:bb created=1970-01-01T00:00:00.000Z guest=no",
        "L account n=1 name=a display=\"x\" password=scrypt:1:2:3:aa created=1970-01-01T00:00:00.000Z guest=no",
        "L account n=1 name=a display=\"x\" session=12 created=1970-01-01T00:00:00.000Z guest=no",
        "L retain conversation=2 age=0", "L retain conversation=2 age=-5", "L retain max=5", "L retain-default max=x",
        "L trim conversation=2", "L trim first=3", "L trim conversation=0 first=3", "L trim conversation=2 first=-3",
        "L account n=1 name=a display=\"x\" lobby-read=-1 created=1970-01-01T00:00:00.000Z guest=no",
    ])
    func `that this version does not write are faults`(text: String) {
        #expect(throws: RecordFault.self) { try readBack(Array(text.utf8)) }
    }
}

@Suite("Event records") struct EventRecordTests {
    let world = World()

    private func decode(_ text: String) throws -> JournalPayload.Decoded {
        try Array(text.utf8).withUnsafeBytes { try JournalPayload.decode($0, world.state) }
    }

    @Test(arguments: [
        "E 1 2 1 - EV frob conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada id=1",
        "E 1 2 1 - EV edit conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada id=2",
        "E 1 2 1 - EV delete conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 1 2 1 - EV react conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada id=0 emoji=x",
        "E 1 2 1 - EV eject conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada user=nobody1",
        "E 1 2 1 - EV topic conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 1 2 1 - EV rename conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada user=ada",
        "E 1 2 1 - EV msg conv=#lobby seq=3 ts=2025-01-01T00:00:00.000Z by=ada text=\"x\"",
        "E 1 2 1 - EV msg conv=#lobby seq=2 by=ada text=\"x\"", "E 1 2 1 - EV msg", "E 1 2 1 -", "E 1 2 1", "E 1 2",
        "E 1",
        "E x 2 1 - EV join conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 4294967296 2 1 - EV join conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 1 18446744073709551616 1 - EV join conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 1 2 4294967296 - EV join conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 1 2 1 123 EV msg conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada text=\"x\"",
        "E 1 2 1 zzzzzzzzzzzzzzzz EV msg conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada text=\"x\"",
        "E 1 2 1 +000000000000001 EV msg conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada text=\"x\"",
        "E 1 2 1 - EV invite conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 1 2 1 - EV invite conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada user=nobody1",
        "E 1 2 1 - EV grant conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada user=ada role=king",
        "E 2 1 1 - EV create seq=1 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 2 1 1 - EV create conv=garden seq=1 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 2 1 1 - EV create conv=@ada seq=1 ts=2025-01-01T00:00:00.000Z by=ada",
        "E 2 1 1 - EV create conv=@ada,nobody1 seq=1 ts=2025-01-01T00:00:00.000Z by=ada",
    ])
    func `that this version does not write are faults`(text: String) throws {
        try world.signUp("ada")
        #expect(throws: RecordFault.self) { _ = try decode(text) }
    }

    @Test func `random bytes, and sound records with random damage, are faults or records, never traps`() throws {
        try world.signUp("ada")
        let sound = [
            "E 1 2 1 0123456789abcdef EV msg conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=ada text=\"a \\u000a b\"",
            "E 2 1 1 - EV create conv=#garden seq=1 ts=2025-01-01T00:00:00.000Z by=ada private=yes title=\"T \\\"x\\\"\"",
            "E 1 2 1 - EV grant conv=#lobby seq=2 ts=2025-01-01T00:00:00.000Z by=server user=ada role=op",
            "L account n=5 name=ada display=\"Ada\" email=a@b.c password=scrypt:1:2:3:aa:bb guest=no "
                + "created=2025-01-01T00:00:00.000Z session=" + String(repeating: "0", count: 64) + " lobby-read=0",
        ].map { Array($0.utf8) }
        var random = SeededRandom(seed: 7)
        var (faults, records) = (0, 0)
        for round in 0..<50_000 {
            var bytes: [UInt8]
            if round % 4 == 0 {
                bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                bytes = sound[round % sound.count]
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let at = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: at)
                    case 2: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: at)
                    default: bytes.removeSubrange(min(at, bytes.count - 1)..<bytes.count)
                    }
                    if bytes.isEmpty { break }
                }
            }
            do {
                _ = try bytes.withUnsafeBytes { try JournalPayload.decode($0, world.state) }
                records += 1
            } catch { faults += 1 }
        }
        #expect(faults > 10_000 && records > 1_000, "\(faults) faults, \(records) records")
    }
}
