import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Titles and display names") struct VisibleTitleTests {
    @Test(arguments: ["\u{200b}", " \u{feff} ", "\u{3164}\u{115f}", "\u{2800}", "\u{ad}", "\u{fe0f}"])
    func `must show something`(title: String) throws {
        let world = World()
        let ada = try world.signUp("ada")
        #expect(try refused { try world.create("den", by: ada, title: title) } == "BAD-ARG title")
    }

    @Test(arguments: ["x\u{200b}", "\u{1f468}\u{200d}\u{1f469}", "\u{2764}\u{fe0f}", "\u{645}\u{200c}\u{627}"])
    func `may have invisible signs among others`(title: String) throws {
        let world = World()
        let ada = try world.signUp("ada")
        try world.create("den", by: ada, title: title)
        #expect(world.state.conversation(ConversationNumber(2)).topic == title)
    }
}
