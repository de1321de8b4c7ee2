import ChatTesting
import Foundation
import Testing

extension FccTests {
    @Suite("Conversations and their people, at a real server")
    struct ConversationCommandTests {
        private let fcc: Fcc
        private let daemon: RunningDaemon
        private let (ada, bob): (TestClient, TestClient)
        private let room: String

        /// `ada` is the default profile, `bob` another one.
        init() throws {
            fcc = try Fcc()
            daemon = try SharedDaemon.with(loops: 2)
            ada = try daemon.user(SharedDaemon.name("ada"))
            bob = try daemon.user(SharedDaemon.name("bob"))
            room = "#" + SharedDaemon.name("room")
            try fcc.signIn(ada, at: daemon)
            try fcc.signIn(bob, at: daemon, profile: "bob")
        }

        private func next(_ kind: String, _ pairs: [String: String]) throws {
            #expect(try ada.event(kind, pairs) != nil, "\(kind) \(pairs)")
        }

        @Test func `One is made, entered and left, and its members and title are seen`() throws {
            try fcc.succeed("create", "--private", "--title", "A quiet room", room)
            try ada.ok("SUB \(room)")
            #expect(try fcc.run("--profile", "bob", "join", room).code == 1)
            try fcc.succeed("invite", room, "@" + bob.user)
            let joined = try Fcc.objects(try fcc.succeed("--profile", "bob", "--json", "join", room))
            #expect(joined.first?["conv"] as? String == room && joined.first?["seq"] as? Int == 3)
            try fcc.succeed("grant", "op", room, bob.user)
            #expect(try fcc.succeed("members", room) == "\(ada.user)  owner\n\(bob.user)  op\n")
            try fcc.succeed("--profile", "bob", "topic", room, "tea at five")
            try next("topic", ["by": bob.user, "title": "tea at five"])
            let here = try Fcc.objects(try fcc.succeed("who", room, "--json"))
            #expect(here.map { $0["user"] as? String } == [ada.user, bob.user])
            #expect(here.allSatisfy { $0["kind"] as? String == "who" && $0["state"] as? String == "online" })
            try fcc.succeed("--profile", "bob", "leave", room)
            try next("leave", ["by": bob.user])
            try fcc.succeed("drop", room)
            try next("drop", ["by": ada.user])
        }

        @Test func `Members are muted, put out and kept out`() throws {
            try fcc.succeed("create", room)
            try ada.ok("SUB \(room)")
            #expect(try fcc.succeed("list", String(room.dropFirst())).hasPrefix(room))
            try fcc.succeed("--profile", "bob", "join", room)
            try fcc.succeed("mute", "--for", "10m", room, bob.user)
            let mute = try #require(try ada.event("mute", ["user": bob.user]))
            #expect(mute["until"] != nil)
            let refused = try fcc.run("--profile", "bob", "send", room, "hi")
            #expect(refused.code == 1 && refused.err.hasPrefix("fcc: DENIED"), "\(refused.err)")
            try fcc.succeed("unmute", room, bob.user)
            try fcc.succeed("--profile", "bob", "send", room, "hi")
            try fcc.succeed("eject", room, bob.user, "be  nice")
            try next("eject", ["user": bob.user, "reason": "be  nice"])
            try fcc.succeed("ban", room, bob.user)
            #expect(try fcc.run("--profile", "bob", "join", room).code == 1)
            try fcc.succeed("unban", room, bob.user)
            try fcc.succeed("--profile", "bob", "join", room)
        }

        @Test func `What is so already is said, and refusals name their code`() throws {
            try fcc.succeed("create", room)
            let again = try fcc.run("join", room)
            #expect(again.code == 0 && again.out.isEmpty && again.err.contains("already"), "\(again.err)")
            let taken = try fcc.run("create", room)
            #expect(taken.code == 1 && taken.err.hasPrefix("fcc: EXISTS: "), "\(taken.err)")
            #expect(try fcc.run("--json", "create", room).out.isEmpty)
        }

        @Test func `Messages are rewritten, taken back, answered with an emoji and marked as read`() throws {
            try ada.ok("CREATE \(room)")
            try bob.ok("JOIN \(room)")
            try bob.ok("SUB \(room)")
            let (first, second) = (try ada.ok("SEND \(room) frist").seq, try ada.ok("SEND \(room) oops").seq)
            try fcc.succeed("edit", room, "\(first)", "first")
            #expect(try bob.event("edit", ["id": "\(first)", "text": "first"]) != nil)
            try fcc.succeed("delete", room, "\(second)")
            #expect(try bob.event("delete", ["id": "\(second)"]) != nil)
            try fcc.succeed("--profile", "bob", "react", room, "\(first)", "👍")
            #expect(try bob.event("react", ["id": "\(first)", "emoji": "👍"]) != nil)
            try fcc.succeed("--profile", "bob", "react", "--off", room, "\(first)", "👍")
            #expect(try bob.event("react", ["off": "yes"]) != nil)
            let seen = try Fcc.objects(try fcc.succeed("--profile", "bob", "--json", "seen", room, "\(second)"))
            #expect(seen.first?["unread"] as? Int == 0)
            #expect(try fcc.run("--profile", "bob", "edit", room, "\(first)", "x").code == 1)
        }
    }
}
