import ChatModel
import ChatTesting
import Testing

@Suite("E-mail addresses") struct EmailTests {
    private func address(_ given: String) throws -> String {
        try refused { _ = try EmailAddress(checking: given) }
    }

    @Test(arguments: [
        "ada@example.test", "a@b.c", "Ada.Lovelace+chat@mail.example.test", "жанна@почта.рф", "o'hara@b.cd",
        "a@b.c-d.e",
    ])
    func `are local part, @ and a domain with a dot`(given: String) throws {
        #expect(try address(given) == "taken")
    }

    @Test(arguments: [
        "", "ada", "@", "@b.c", "ada@", "ada@b", "ada@.b", "ada@b.", "ada@b..c", "ada@@b.c", "a@b@c.d", "a b@c.d",
        "a@b c.d",
        "a=b@c.d", "a@b.c\u{0}", "a\u{200B}@b.c", "a\u{202E}@b.c", "a@b\n.c", "\"a\"@b.c", "a,b@c.d", "a\u{A0}@b.c",
        "a＠b.c", "a@b。c", "a@\u{301}x@b.c", "a@b.\u{301}c.", "a@b\u{301}", "ada@b.\u{301}",
    ])
    func `anything else names its field`(given: String) throws {
        #expect(try address(given) == "BAD-ARG email")
    }

    @Test func `have at most 254 bytes`() throws {
        #expect(try address(String(repeating: "a", count: 254 - 4) + "@b.c") == "taken")
        #expect(try address(String(repeating: "a", count: 255 - 4) + "@b.c") == "BAD-ARG email")
    }

    @Test func `are one without regard to case`() throws {
        #expect(try EmailAddress(checking: "ADA@B.C").key == EmailAddress(checking: "ada@b.c").key)
        #expect(try EmailAddress(checking: "ADA@B.C").text == "ADA@B.C")
    }
}

@Suite("What is secret") struct SecretTests {
    @Test func `does not show in descriptions or reflections`() {
        let secret = Secret(Array("correct horse".utf8))
        let signIn = SignIn.password(who: "ada", secret)
        var dumped = ""
        dump(signIn, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\(signIn)", String(reflecting: signIn), dumped] {
            #expect(!text.contains("99") && !text.contains("horse"), "\(text)")
        }
    }

    @Test func `a token's hash is 64 hexadecimal digits, and read back from nothing else`() throws {
        let hash = TokenHash(a: 1, b: .max, c: 0, d: 0x0123_4567_89AB_CDEF)
        #expect(hash.hex == "0000000000000001ffffffffffffffff00000000000000000123456789abcdef")
        #expect(TokenHash(hex: hash.hex) == hash)
        for bad in ["", String(hash.hex.dropLast()), hash.hex + "0", String(hash.hex.dropLast()) + "g"] {
            #expect(TokenHash(hex: bad) == nil)
        }
        #expect(TokenHash(hex: "+" + hash.hex.dropFirst()) == nil)
    }
}
