import Bytes
import ChatModel
import Testing
import Wire

@Suite("Verbs of items") struct ItemVerbTests {
    private func made(_ line: String) -> (put: PutItem, json: String)? {
        let parsing = Parsing()
        guard case .command(_, .putItem(let put)) = parsing.parse(line) else { return nil }
        return (put, String(decoding: parsing.arena.readable[put.json.range], as: UTF8.self))
    }

    private func filter(_ text: String) -> ItemFilter? {
        guard case .items(let query)? = command("ITEMS where=\(text) items/tea") else { return nil }
        return query.filter
    }

    @Test func `an object is written anew: compact, in its order, numbers and texts as they were`() throws {
        let line =
            #"PUT-ITEM id=a.B_-9 rev=7 items/Tea  { "name" : "T\u0065a \"x\"" ,"price":2.50,"hot":true, "n":-1E+9}"#
        let (put, json) = try #require(made(line))
        #expect(json == #"{"name":"Tea \"x\"","price":2.50,"hot":true,"n":-1E+9}"#)
        #expect(put.id == "a.B_-9" && put.rev == 7)
        #expect(put.target == CollectionTarget(conversation: nil, name: "Tea", key: "tea"))
        #expect(put.fields.map(\.name) == ["name", "price", "hot", "n"])
        #expect(put.fields.map(\.value) == [.string(isDate: false), .double, .bool, .double])
    }

    @Test func `what could drive a terminal leaves escaped`() throws {
        let (_, json) = try #require(made("PUT-ITEM items/t {\"a\":\"x\u{202E}y\\n\\u001b\u{85}🍵متة\"}"))
        #expect(json == #"{"a":"x\u202ey\u000a\u001b\u0085🍵متة"}"#)
    }

    @Test func `a time is a string that may be a date`() throws {
        let (put, _) = try #require(made(#"PUT-ITEM items/t {"at":"2026-01-31T12:00:00Z","no":"2026-01-31"}"#))
        #expect(put.fields.map(\.value) == [.string(isDate: true), .string(isDate: false)])
    }

    @Test(arguments: [
        (#"{oops"#, "json"), ("5", "json"), ("[]", "json"), (#""x""#, "json"), ("{", "json"), (#"{"a":1"#, "json"),
        (#"{"a":1,}"#, "json"), (#"{"a" 1}"#, "a"), (#"{"a":}"#, "a"), (#"{"a":null}"#, "a"), (#"{"a":[1]}"#, "a"),
        (#"{"a":{"b":1}}"#, "a"), (#"{"a":01}"#, "a"), (#"{"a":1.}"#, "a"), (#"{"a":+1}"#, "a"), (#"{"a":1e}"#, "a"),
        (#"{"a":1}x"#, "json"), (#"{"a":1}{}"#, "json"), (#"{"a":"\ud800"}"#, "a"), (#"{"a":"\u0000"}"#, "a"),
        (#"{"a":"\x"}"#, "a"), (#"{"a":"x}"#, "a"), (#"{"a":1,"a":2}"#, "a"), (#"{"":1}"#, "json"),
        (#"{"a b":1}"#, "json"), (#"{"a=":1}"#, "json"), (#"{"a\"":1}"#, "json"), (#"{"price":tru}"#, "price"),
        ("{\"a\":\"x\ty\"}", "a"), (#"{a:1}"#, "json"), (#"{'a':1}"#, "json"),
    ])
    func `what is no flat object names what is wrong`(json: String, field: String) {
        #expect(refusal("PUT-ITEM items/tea \(json)") == "BAD-ARG \(field)")
    }

    @Test func `deep and long objects are refused without harm`() {
        let deep = String(repeating: "{\"a\":", count: 3000) + "1" + String(repeating: "}", count: 3000)
        #expect(refusal("PUT-ITEM items/tea \(deep)") == "BAD-ARG a")
        let many = "{" + (0..<257).map { "\"f\($0)\":1" }.joined(separator: ",") + "}"
        #expect(refusal("PUT-ITEM items/tea \(many)") == "BAD-ARG json")
        let long = String(repeating: "\u{200E}", count: 11_000)
        #expect(refusal("PUT-ITEM items/tea {\"a\":\"\(long)\"}") == "TOO-LONG json")
    }

    @Test(arguments: ["tea", "items/", "/tea", "#/x", "item/tea", "@ada/x", "items"])
    func `a collection is items or a conversation, a slash and a name`(name: String) {
        #expect(refusal("ITEMS \(name)") == "BAD-ARG coll")
    }

    @Test func `ids, revs and what is missing`() {
        #expect(refusal("PUT-ITEM id=ä items/tea {}") == "BAD-ARG id")
        #expect(refusal("PUT-ITEM id=\(String(repeating: "x", count: 65)) items/tea {}") == "BAD-ARG id")
        #expect(refusal("PUT-ITEM rev=1 items/tea {}") == "BAD-ARG rev")
        #expect(refusal("PUT-ITEM id=a rev=01 items/tea {}") == "BAD-ARG rev")
        #expect(refusal("PUT-ITEM items/tea") == "BAD-ARG json")
        #expect(refusal("ITEM items/tea") == "BAD-ARG id")
        #expect(refusal("ITEM items/tea ä") == "NOT-FOUND")
        #expect(refusal("ITEMS limit=201 items/tea") == "BAD-ARG limit")
        #expect(refusal("SUB last=5 items/tea") == "BAD-ARG last")
        #expect(refusal("DEL-ITEM items/tea a b") == "BAD-ARG")
    }

    @Test(arguments: [
        (#""price>2""#, true), (#""price>2.5""#, false), (#""price>=2.50""#, true), (#""price = 25e-1""#, true),
        (#""price!=2.5""#, false), (#""name=Tea""#, true), (#""name=\"Tea\"""#, true), (#""name<Ua and name>T""#, true),
        (#""hot=true and price<3""#, true), (#""hot!=true""#, false), (#""hot=\"true\"""#, false),
        (#""missing!=1""#, false), (#""n>9007199254740992""#, true), (#""n>9007199254740993""#, false),
        (#""at<2026-02-01T00:00:00Z""#, true), (#""at=2026-01-31T12:00:00.000Z""#, true),
        (#""at>\"2026-01-31T12:00:00Z\"""#, false), (#""name=2""#, false), (#""price=\"2.5\"""#, false),
        (#""text=\"a \\\"b\\\"\"""#, true),
    ])
    func `a filter holds by value`(filter: String, expected: Bool) throws {
        let json =
            #"{"name":"Tea","price":2.5,"hot":true,"n":9007199254740993,"at":"2026-01-31T12:00:00Z","text":"a \"b\""}"#
        let found = try #require(self.filter(filter), "\(filter)")
        #expect(Array(json.utf8).withUnsafeBytes { found.matches($0) } == expected)
    }

    @Test(arguments: [
        #""""#, #""price""#, #""price>""#, #"">2""#, #""price>2 or a=1""#, #""price>2 and""#, #""hot<true""#,
        #""price=>2""#, #""price>\"x""#, #""a=1 and a=1 and a=1 and a=1 and a=1 and a=1 and a=1 and a=1 and a=1""#,
        #""price==2""#,
    ])
    func `a filter that is none says so`(filter: String) {
        #expect(refusal("ITEMS where=\(filter) items/tea") == "BAD-ARG where")
    }

    @Test func `eight terms are a filter`() {
        #expect(filter(#""a=1 and a=1 and a=1 and a=1 and a=1 and a=1 and a=1 and a=1""#)?.terms.count == 8)
    }

    @Test func `a line reads back as it was written, and others are none`() throws {
        let event = ItemEvent(
            collection: CollectionNumber(1),
            seq: 17,
            time: Timestamp(milliseconds: 1_764_500_000_000),
            by: AccountNumber(5),
            id: "mate",
            operation: .put(json: ArenaRange(offset: 0, count: 22))
        )
        let json = Array(#"{"a":" op=del seq=9 "}"#.utf8)
        let text = json.withUnsafeBytes { arena in
            rendered { ItemRenderer.render(event, collection: "#room/todo", by: "ada", arena: arena, into: &$0) }
        }
        #expect(
            text.hasPrefix(
                "EV item coll=#room/todo seq=17 ts=2025-11-30T10:53:20.000Z by=ada op=put id=mate rev=17 json={"
            )
        )
        let line = Array(text.utf8.dropLast())
        try line.withUnsafeBytes { bytes in
            let read = try #require(ItemLine(bytes))
            #expect(
                read.seq == 17 && !read.isDeletion && read.json.elementsEqual(json)
                    && read.id.elementsEqual("mate".utf8)
            )
            #expect(ItemLine.seq(of: bytes) == 17 && !ItemLine.isDeletion(bytes))
        }
        for cut in [1, 20, 60, 90] {
            Array(line.dropLast(cut)).withUnsafeBytes { #expect(ItemLine($0) == nil) }
        }
    }
}
