import ChatClient
import Testing
import Wire

@Suite("What notify tells")
struct NotifyPlanTests {
    private func message(_ conv: String, _ seq: Int, by: String = "bob", _ more: String = #"text="hi""#) throws
        -> ServerLine
    {
        try #require(ServerLine("EV msg conv=\(conv) seq=\(seq) ts=2026-01-05T12:03:04.567Z by=\(by) \(more)"))
    }

    private func told(_ plan: inout NotifyPlan) -> [UInt64] {
        var all: [UInt64] = []
        while let next = plan.next() { all.append(next.number("seq") ?? 0) }
        return all
    }

    @Test func `Only messages of others that still stand are told, in their order`() throws {
        var plan = NotifyPlan(muted: [])
        plan.take(try message("#a", 1), user: "ada")
        plan.take(try message("#a", 2, by: "Ada"), user: "ada")
        plan.take(try message("#a", 3, "deleted=4"), user: "ada")
        for kind in ["edit", "delete", "join", "react", "presence", "typing"] {
            plan.take(try #require(ServerLine("EV \(kind) conv=#a seq=5 by=bob id=1")), user: "ada")
        }
        plan.take(try message("#b", 1, "blob=b_1"), user: "ada")
        #expect(told(&plan) == [1, 1])
        #expect(plan.isEmpty && plan.takeNotes().isEmpty)
    }

    @Test func `Nothing is told of a muted conversation, whichever of its names was given`() throws {
        var plan = NotifyPlan(muted: ["#Noise", "@bob", "@ada,eve"])
        for conv in ["#noise", "@ada,bob", "@ada,eve"] { plan.take(try message(conv, 1), user: "ada") }
        plan.take(try message("@ada,gus", 2, by: "gus"), user: "ada")
        #expect(told(&plan) == [2])
    }

    @Test func `A hundred wait, then the oldest are dropped, with a word at the first and a count at the next`() throws
    {
        var plan = NotifyPlan(muted: [])
        for seq in 1...103 { plan.take(try message("#a", seq), user: "ada") }
        #expect(plan.takeNotes() == ["100 messages wait for the command; the oldest are dropped"])
        #expect(told(&plan) == (4...103).map { UInt64($0) })
        #expect(plan.takeNotes() == ["3 messages were dropped"])
        for seq in 1...101 { plan.take(try message("#a", seq), user: "ada") }
        _ = plan.next()
        #expect(plan.takeNotes().last == "1 message was dropped")
    }

    @Test func `The environment tells the message, without what would end a C string, and never too much`() throws {
        let long = String(repeating: "مم", count: 40_000)
        let plain = NotifyPlan.environment(of: try message("#a", 7, #"text="a\u0000b c=d""#))
        let expected = [
            "FCC_CONV=#a", "FCC_BY=bob", "FCC_TEXT=ab c=d", "FCC_SEQ=7", "FCC_TS=2026-01-05T12:03:04.567Z",
        ]
        #expect(plain.map { "\($0.key)=\($0.value)" } == expected)
        let big = NotifyPlan.environment(of: try message("#a", 7, "text=\"\(long)\""))
        #expect(big[2].value.utf8.count == 65_536)
        let picture = NotifyPlan.environment(of: try message("#a", 7, "blob=b_1"))
        #expect(picture[2].key == "FCC_TEXT" && picture[2].value.isEmpty)
    }

    @Test func `The command stands behind the dashes, whatever it looks like`() throws {
        let words = ["notify", "#a", "@bob", "--mute", "#x", "--mute=@eve", "--", "curl", "--all", "--", "x"]
        let notify = Invocation.Command.notify(
            conversations: ["#a", "@bob"],
            muted: ["#x", "@eve"],
            command: ["curl", "--all", "--", "x"]
        )
        #expect(try Invocation(words).command == notify)
        let all = Invocation.Command.notify(conversations: [], muted: [], command: ["x"])
        #expect(try Invocation(["notify", "--all", "--", "x"]).command == all)
        #expect(try Invocation(["notify", "--", "x"]).command == all)
    }

    @Test(arguments: [
        ["notify"], ["notify", "#a"], ["notify", "#a", "x"], ["notify", "--"], ["notify", "--all", "#a", "--", "x"],
        ["notify", "a", "--", "x"], ["notify", "--mute", "a", "--", "x"], ["--", "notify", "x"],
        ["notify", "--last", "3", "--", "x"], ["tail", "--mute", "#a", "#b"],
    ])
    func `Wrong usage is refused with words`(_ words: [String]) {
        #expect(throws: UsageFault.self) { try Invocation(words) }
    }
}
