import ChatModel
import Testing
import Wire

@Suite("PUT-BLOB and BLOB, their lines") struct UploadLineTests {
    private func put(_ line: String) -> PutBlob? {
        if case .putBlob(let put) = command(line) { put } else { nil }
    }

    /// Of a refused line: how many bytes follow, nil when it is not an upload or that is unknown.
    private func refusedSize(_ line: [UInt8]) -> UInt64?? {
        if case .refusedUpload(_, _, let size) = Parsing().parse(line) { .some(size) } else { nil }
    }

    @Test func `size, type, name, conversation and digest are taken`() throws {
        let hex = String(repeating: "0A", count: 32)
        let full = try #require(put("put-blob size=7 type=Image/PNG name=\"a b\" conv=#Room sha256=\(hex)"))
        #expect((full.size, full.type, full.name) == (7, "image/png", "a b"))
        #expect(full.target == .named("room") && full.hash?.hex == hex.lowercased())
        let bare = try #require(put("PUT-BLOB size=0 type=a/b"))
        #expect(bare.size == 0 && bare.name == "file" && bare.target == nil && bare.hash == nil)
    }

    @Test(arguments: [
        ("PUT-BLOB type=a/b", "BAD-ARG size"), ("PUT-BLOB size=5", "BAD-ARG type"),
        ("PUT-BLOB size=5 type=", "BAD-ARG type"),
        ("PUT-BLOB size=5 type=nonsense", "BAD-ARG type"), ("PUT-BLOB size=5 type=a/b/c", "BAD-ARG type"),
        ("PUT-BLOB size=5 type=\"a/b; c=d\"", "BAD-ARG type"), ("PUT-BLOB size=5 type=a/b name=\"\"", "BAD-ARG name"),
        ("PUT-BLOB size=5 type=a/b sha256=0", "BAD-ARG sha256"), ("PUT-BLOB size=5 type=a/b conv=x", "BAD-ARG conv"),
        ("PUT-BLOB size=5 type=a/b conv=\"#a b\"", "BAD-ARG conv"), ("PUT-BLOB size=5 type=a/b rest", "BAD-ARG"),
        ("PUT-BLOB size=5 type=a/b size=5", "BAD-ARG size"), ("PUT-BLOB size=05 type=a/b", "BAD-ARG size"),
        ("PUT-BLOB size=5 type=a/b frob=1", "BAD-ARG frob"), ("BLOB", "BAD-ARG blob"), ("BLOB b_x", "NOT-FOUND"),
        ("BLOB link=0s b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB link=1 b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB link= b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB link=31d b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB link=2592001s b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB link=999999999d b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB link=-1s b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG link"),
        ("BLOB links=yes b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG links"),
        ("BLOB link=1h links=no b_AAAAAAAAAAAAAAAAAAAAAA", "BAD-ARG links"),
        ("BLOB link=1h b_EAAAAAAAAAAAAAAAAAAAAA", "NOT-FOUND"), ("DEL-BLOB", "BAD-ARG blob"),
        ("DEL-BLOB b_x", "NOT-FOUND"),
        ("DEL-BLOB b_AAAAAAAAAAAAAAAAAAAAAA x", "BAD-ARG"), ("BLOBS limit=201", "BAD-ARG limit"),
        ("BLOBS x", "BAD-ARG"),
    ])
    func `what is wrong is named`(line: String, expected: String) { #expect(refusal(line) == expected) }

    @Test(arguments: [("1s", Int64(1)), ("1h", 3600), ("30d", 2_592_000), ("2592000s", 2_592_000)])
    func `a link is for a second to 30 days`(text: String, seconds: Int64) {
        guard case .blob(let id, let links)? = command("BLOB link=\(text) b_AAAAAAAAAAAAAAAAAAAAAA") else {
            Issue.record("no BLOB")
            return
        }
        #expect(id == BlobID(high: 0, low: 0) && links == .make(seconds: seconds))
    }

    @Test func `a name has at most 255 bytes`() {
        let fitting = String(repeating: "é", count: 127)
        #expect(put("PUT-BLOB size=1 type=a/b name=\(fitting)x")?.name == fitting + "x")
        #expect(refusal("PUT-BLOB size=1 type=a/b name=\(fitting)xx") == "TOO-LONG name")
    }

    @Test(
        arguments: [
            ("PUT-BLOB size=5 type=nonsense", 5), ("@t  put-blob frob=1 size=77", 77),
            ("PUT-BLOB name=\"x size=1\" size=9 q=", 9),
            ("PUT-BLOB size=18446744073709551615", UInt64.max), ("PUT-BLOB size=3 a\tb", 3),
            ("PUT-BLOB size=\"4\" type=", nil),
            ("PUT-BLOB type=a/b", nil), ("PUT-BLOB size=-1 type=a/b", nil), ("PUT-BLOB size=5 size=5 type=a/b", nil),
            ("PUT-BLOB name=\"x size=5", nil), ("PUT-BLOB size= type=a/b", nil), ("PUT-BLOB", nil),
            ("PUT-BLOB x size=5", nil),
        ] as [(String, UInt64?)]
    )
    func `of a wrong line it is known how many bytes follow, or that it is not known`(line: String, size: UInt64?) {
        #expect(refusedSize(Array(line.utf8)) == .some(size), "\(line)")
    }

    @Test func `a wrong byte in the line does not hide the size, other verbs have none`() {
        #expect(refusedSize(Array("PUT-BLOB size=5 name=".utf8) + [0xFF]) == .some(5))
        for line in ["PUT-BLOBS size=5", "SEND size=5 #x y", "XPUT-BLOB size=5"] {
            #expect(refusedSize(Array(line.utf8)) == nil)
        }
        let parser = Parsing().parser
        for (line, isUpload) in [
            ("@1 PUT-BLOB siz", true), ("PUT-BLOB", true), ("SEND #x PUT-BLOB", false), ("", false),
        ] {
            #expect(Array(line.utf8).withUnsafeBytes { parser.isUpload(beginning: $0) } == isUpload)
        }
    }

    @Test func `an id has one spelling and is read back whole`() {
        for value in [(UInt64(0), UInt64(0)), (.max, .max), (0x0123_4567_89AB_CDEF, 1), (1 << 63, 0)] {
            let id = BlobID(high: value.0, low: value.1)
            #expect(id.text.utf8.count == 24 && BlobID(id.text.utf8) == id)
            #expect(BlobID(id.text.uppercased().utf8) != id && BlobID(id.text.dropLast().utf8) == nil)
        }
        #expect(BlobID("b_EAAAAAAAAAAAAAAAAAAAAA".utf8) == nil, "more than 128 bits")
    }

    @Test(arguments: [
        ("cat.png", "cat.png"), ("汉 字.png", "%E6%B1%89%20%E5%AD%97.png"),
        ("a\"\r\nSet-Cookie: s=1", "a%22Set-Cookie%3A%20s%3D1"),
        ("..\\..\\x", ".._.._x"), ("..", "file"), (" . ", "file"), ("/", "_"), ("\u{202E}gnp.exe", "gnp.exe"),
        ("\"", "%22"),
        ("\u{85}\u{2028}", "file"), ("a;b'c*d", "a%3Bb%27c%2Ad"),
    ])
    func `in URLs and headers a name is nothing but a name`(name: String, shown: String) {
        #expect(BlobName.percentEncoded(name) == shown)
    }
}
