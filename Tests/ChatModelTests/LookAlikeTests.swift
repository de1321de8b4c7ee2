import ChatModel
import ChatTesting
import Testing

@Suite("Names that cannot be told apart")
struct LookAlikeTests {
    @Test(arguments: ["ada\u{fe0f}", "ada\u{fe0e}", "a\u{fe00}da", "\u{674e}\u{e0100}\u{5c0f}\u{9f99}", "1\u{fe0f}23"])
    func `a variation selector that shows nothing is refused`(name: String) throws {
        #expect(try refused { _ = try Handle(checking: name) } == "BAD-ARG name")
        #expect(try refused { _ = try ConversationName(checking: name) } == "BAD-ARG conv")
    }

    @Test func `an emoji is the same name with and without its selector`() throws {
        let (plain, drawn) = (
            try ConversationName(checking: "\u{2764}"), try ConversationName(checking: "\u{2764}\u{fe0f}")
        )
        #expect(plain.key == drawn.key)
        #expect(Array(drawn.text.utf8) == Array("\u{2764}\u{fe0f}".utf8))
    }

    @Test(arguments: ["guest-\u{1f3fb}x", "guest-\u{301}x", "GUEST-x"])
    func `nobody takes a guest's name, whatever follows the hyphen`(name: String) throws {
        #expect(try refused { _ = try Handle(checking: name) } == "EXISTS name")
    }

    @Test func `a blank Braille cell is no letter`() throws {
        #expect(try refused { _ = try Handle(checking: "\u{2800}\u{2800}\u{2800}") } == "BAD-ARG name")
    }
}
