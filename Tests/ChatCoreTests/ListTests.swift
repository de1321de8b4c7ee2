import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Lists") struct ListTests {
    let world = World()

    private func list(_ prefix: String? = nil, after: String? = nil, _ limit: Int = 200) -> ([String], String) {
        let reply = world.state.decideList(prefix: prefix, Page(after: after, limit: limit))
        return (reply.values("conv"), reply.values("more").joined())
    }

    /// All pages of a list, one after the other.
    private func pages(_ prefix: String?, _ limit: Int) -> [String] {
        var (all, after): ([String], String?) = ([], nil)
        for _ in 0..<1000 {
            let (found, more) = list(prefix, after: after, limit)
            all += found
            if more == "no" { return all }
            after = found.last
        }
        Issue.record("the list has no end")
        return all
    }

    @Test func `LIST shows public conversations, in the order of their folded names`() throws {
        let ada = try world.signUp("ada")
        for name in ["Zebra", "apple", "Mango", "Äpfel"] { try world.create(name, by: ada) }
        try world.create("den", by: ada, isPrivate: true)
        #expect(list().0 == ["#apple", "#lobby", "#Mango", "#Zebra", "#Äpfel"])
    }

    @Test func `LIST pages without loss or doubles, for every limit`() throws {
        let ada = try world.signUp("ada")
        world.state.limits.conversationsOwned = 100
        for number in 0..<30 { try world.create("room\(number)", by: ada) }
        let whole = list("room").0
        #expect(whole.count == 30)
        for limit in [1, 2, 7, 29, 30, 31] { #expect(pages("room", limit) == whole) }
        #expect(list("room", 30).1 == "no")
        #expect(list("room", 29).1 == "yes")
    }

    @Test func `LIST takes the prefix with or without #, without regard to case`() throws {
        let ada = try world.signUp("ada")
        for name in ["Garden", "gate", "hill"] { try world.create(name, by: ada) }
        for prefix in ["ga", "GA", "#ga", "#Ga"] { #expect(list(prefix).0 == ["#Garden", "#gate"]) }
        #expect(list("garden1").0 == [])
        #expect(list("ga", after: "#GARDEN").0 == ["#gate"])
        #expect(list("ga", after: "a").0 == ["#Garden", "#gate"])
        #expect(list("ga", after: "z").0 == [])
    }

    @Test func `LIST finds by letters what a mark follows`() throws {
        let ada = try world.signUp("ada")
        for name in ["कमल", "काम", "किताब", "खेल"] { try world.create(name, by: ada) }
        #expect(list("क").0 == ["#कमल", "#काम", "#किताब"])
        for name in ["xa", "x\u{301}b", "x中"] { try world.create(name, by: ada) }
        #expect(list("x").0 == ["#xa", "#x\u{301}b", "#x中"])
    }

    @Test func `LIST drops the title and the count of no public conversation`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("garden", by: ada, title: "Roses")
        try world.join("garden", bob)
        let line = world.state.decideList(prefix: "garden", Page(after: nil, limit: 1)).lines[0]
        #expect(line == "ROW conv conv=#garden members=2 title=\"Roses\"")
    }

    @Test func `MEMBERS are in the order of joining, with their roles, in pages`() throws {
        let ada = try world.signUp("ada")
        try world.create("garden", by: ada)
        for name in ["zoe", "bob", "cyd"] { try world.join("garden", try world.signUp(name)) }
        func members(_ after: String?, _ limit: Int) throws -> ChatModel.Reply {
            try world.state.decideMembers(.named("garden"), Page(after: after, limit: limit), by: ada)
        }
        #expect(try members(nil, 10).values("user") == ["ada", "zoe", "bob", "cyd"])
        #expect(try members(nil, 10).values("role") == ["owner", "member", "member", "member"])
        #expect(try members(nil, 2).values("user") == ["ada", "zoe"])
        #expect(try members(nil, 2).values("more") == ["yes"])
        #expect(try members("ZOE", 2).values("user") == ["bob", "cyd"])
        #expect(try members("zoe", 2).values("more") == ["no"])
    }

    @Test func `MEMBERS of the lobby are all accounts, guests once they did something`() throws {
        let ada = try world.signUp("ada")
        let guest = try world.guest(word: 5)
        try world.signUp("bob")
        func lobby(_ after: String?, _ limit: Int) throws -> [String] {
            try world.state.decideMembers(.named("lobby"), Page(after: after, limit: limit), by: ada).values("user")
        }
        #expect(try lobby(nil, 10) == ["ada", "bob"])
        try world.send("lobby", guest)
        #expect(try lobby(nil, 10) == ["ada", world.state.handleText(guest), "bob"])
        #expect(try lobby("ada", 1) == [world.state.handleText(guest)])
    }

    @Test func `MEMBERS of a public conversation are public, of a private one for its members`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("garden", by: ada)
        try world.create("den", by: ada, isPrivate: true)
        func ask(_ name: String) throws {
            _ = try world.state.decideMembers(.named(name), Page(after: nil, limit: 1), by: bob)
        }
        #expect(try refused { try ask("garden") } == "taken")
        #expect(try refused { try ask("den") } == "NOT-FOUND")
    }

    @Test func `CONVS are by newest activity of any kind, then the invitations`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let (one, two) = (try world.create("one", by: ada), try world.create("two", by: ada))
        #expect(world.state.overview(of: ada).map(\.number) == [two, one, .lobby])
        try world.send("lobby", bob)
        try world.join("one", bob)
        #expect(world.state.overview(of: ada).map(\.number) == [one, .lobby, two])
        let den = try world.create("den", by: bob, isPrivate: true)
        try world.invite("ada", to: "den", by: bob)
        #expect(world.state.overview(of: ada).map(\.number) == [one, .lobby, two, den])
        #expect(world.state.overview(of: ada).map(\.role) == [.owner, .member, .owner, nil])
    }
}
