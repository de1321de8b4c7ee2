import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Unread counts") struct UnreadTests {
    let world = World()

    @Test func `begin with sign-up in the lobby`() throws {
        let ada = try world.signUp("ada")
        try world.send("lobby", ada)
        let bob = try world.signUp("bob")
        #expect(world.state.unread(of: bob) == 0)
        try world.send("lobby", ada)
        #expect(world.state.unread(of: bob) == 1)
        #expect(world.state.unread(of: ada) == 0, "own messages are never unread")
    }

    @Test func `begin with the latest joining elsewhere, and count messages only`() throws {
        let (ada, bob, cyd) = (try world.signUp("ada"), try world.signUp("bob"), try world.signUp("cyd"))
        let number = try world.create("garden", by: ada)
        try world.send("garden", ada)
        try world.join("garden", bob)
        #expect(world.state.unread(in: number, by: bob) == 0)
        try world.send("garden", ada)
        try world.join("garden", cyd)
        #expect(world.state.unread(in: number, by: bob) == 1)
        try world.leave("garden", bob)
        try world.send("garden", ada)
        try world.join("garden", bob)
        #expect(world.state.unread(in: number, by: bob) == 0)
    }

    @Test func `sending moves one's own marker to the end`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.join("garden", bob)
        for _ in 0..<3 { try world.send("garden", ada) }
        for _ in 0..<2 { try world.send("lobby", ada) }
        #expect(world.state.unread(of: bob) == 5)
        try world.send("garden", bob)
        #expect((world.state.unread(in: number, by: bob), world.state.unread(of: bob)) == (0, 2))
        try world.send("lobby", bob)
        #expect(world.state.unread(of: bob) == 0)
        #expect(world.state.unread(of: ada) == 2)
    }

    @Test func `of a guest count from its arrival`() throws {
        let ada = try world.signUp("ada")
        try world.send("lobby", ada)
        let guest = try world.guest(word: 3)
        #expect(world.state.unread(of: guest) == 0)
        try world.send("lobby", ada)
        #expect(world.state.unread(of: guest) == 1)
    }
}
