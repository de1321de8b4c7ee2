import ChatTesting
import Foundation
import Testing

/// B24: whatever an outsider asks about a private conversation, it is answered as if there were none.
@Suite("An outsider and a private conversation")
struct OutsiderTests {
    private struct Stage {
        let scene: Scene
        let (owner, member): (TestClient, TestClient)
        let room: String
        /// A message that is there.
        let seq: Int

        init(_ loops: Int) throws {
            scene = try Scene(loops)
            (owner, member) = (try scene.user("own"), try scene.user("mem"))
            room = try scene.room(of: owner, isPrivate: true, member)
            seq = try owner.ok("SEND \(room) the secret word is xylophone").seq
            try member.ok("EMOTE \(room) \(seq) 👍")
        }
    }

    /// `%c` is the conversation, `%s` a seq, `%u` oneself.
    static let requests = [
        "HISTORY before=999999 limit=50 %c", "HISTORY %c", "HISTORY after=2020-01-01T00:00:00Z %c", "SUB since=0 %c",
        "SUB %c", "SUB last=5 %c", "UNSUB %c", "SEND nonce=a %c x", "SEND reply=%s %c x", "REPLY %c %s x", "SEEN %c %s",
        "SEEN %c 0", "EDIT %c %s x", "DELETE %c %s", "EMOTE %c %s 👍", "INVITE %c %u", "MEMBERS %c", "WHO %c", "JOIN %c",
        "LEAVE %c", "TOPIC %c x", "EJECT %c %u", "BAN %c %u", "UNBAN %c %u", "MUTE %c %u", "UNMUTE %c %u",
        "GRANT role=op %c %u", "DROP %c", "TYPING %c", "SEARCH %c xylophone", "PUT-BLOB size=0 type=text/plain conv=%c",
    ]

    private func text(_ request: String, _ name: String, _ seq: Int, _ who: TestClient) -> String {
        request.replacing("%c", with: name).replacing("%s", with: "\(seq)").replacing("%u", with: who.user)
    }

    /// What came, without the tag and without the name that was asked for.
    private func form(_ line: ReceivedLine, without name: String) -> String {
        line.raw.split(separator: " ").filter { !$0.hasPrefix("@") }.joined(separator: " ").replacing(name, with: "#")
    }

    private enum Kind: CaseIterable { case stranger, guest, ejected, banned }

    private func outsider(_ kind: Kind, _ stage: Stage) throws -> TestClient {
        switch kind {
        case .stranger: return try stage.scene.user("cy")
        case .guest: return try stage.scene.guest()
        case .ejected, .banned:
            let client = try stage.scene.user("cy")
            try stage.owner.ok("INVITE \(stage.room) \(client.user)")
            try client.ok("JOIN \(stage.room)")
            try stage.owner.ok("\(kind == .banned ? "BAN" : "EJECT") \(stage.room) \(client.user)")
            return client
        }
    }

    @Test(arguments: requests, [1, 2])
    func `gets the same NOT-FOUND as for one that does not exist, whoever it is`(request: String, loops: Int) throws {
        let stage = try Stage(loops)
        for kind in Kind.allCases {
            let client = try outsider(kind, stage)
            let missing = stage.scene.roomName()
            let hidden = try client.request(text(request, stage.room, stage.seq, client)).final
            let none = try client.request(text(request, missing, stage.seq, client)).final
            #expect(hidden.code == "NOT-FOUND", "\(kind): \(hidden.raw)")
            #expect(form(hidden, without: stage.room) == form(none, without: missing), "\(kind)")
            let upper = try client.request(text(request, stage.room.uppercased(), stage.seq, client)).final
            #expect(upper.code == "NOT-FOUND", "\(kind): \(upper.raw)")
        }
    }

    @Test(
        arguments: requests,
        ["#", "#c1%00", "#c1\u{200B}", "#../c1", "@", "@,", "#\(String(repeating: "x", count: 600))"]
    )
    func `gets nothing by a name that could never be one`(request: String, name: String) throws {
        let client = try Scene(1).user("cy")
        let reply = try client.request(text(request, name, 1, client)).final
        #expect(["NOT-FOUND", "BAD-ARG"].contains(reply.code), "\(reply.raw)")
    }

    @Test(arguments: requests, [1, 2])
    func `is asked to sign in first, whether it is there or not`(request: String, loops: Int) throws {
        let stage = try Stage(loops)
        let client = try stage.scene.daemon.client()
        for name in [stage.room, stage.scene.roomName()] {
            let line = text(request.replacing("%u", with: "ann"), name, stage.seq, client)
            try client.expectRefusal(line, "NEED-AUTH")
        }
    }

    @Test(arguments: [1, 2]) func `finds it in no list, no count and no search`(loops: Int) throws {
        let stage = try Stage(loops)
        let client = try stage.scene.user("cy")
        for request in [
            "LIST", "LIST \(stage.room)", "CONVS limit=200", "SUBS", "PROFILE \(stage.owner.user)", "EXPORT",
        ] {
            let rows = try client.ok(request)
            #expect(!(rows.rows.map(\.raw) + [rows.final.raw]).contains { $0.contains(stage.room) }, "\(request)")
        }
        try client.expectRefusal("CREATE \(stage.room)", "EXISTS", field: "conv")
    }

    @Test(arguments: [1, 2]) func `who joins later sees nothing of what was before, by no verb`(loops: Int) throws {
        let stage = try Stage(loops)
        let late = try stage.scene.user("bo")
        try stage.owner.ok("INVITE \(stage.room) \(late.user)")
        let joined = try late.ok("JOIN \(stage.room)").seq
        #expect(try late.rows("HISTORY before=999999 \(stage.room)").isEmpty)
        #expect(try late.rows("HISTORY around=\(stage.seq) \(stage.room)").isEmpty)
        #expect(try late.rows("SEARCH \(stage.room) xylophone").isEmpty)
        for request in ["EDIT %c %s x", "DELETE %c %s", "EMOTE %c %s 👍"] {
            try late.expectRefusal(text(request, stage.room, stage.seq, late), "NOT-FOUND", field: "id")
        }
        try late.expectRefusal("SEND reply=\(stage.seq) \(stage.room) x", "NOT-FOUND", field: "reply")
        #expect(try late.row(of: stage.room)?["unread"] == "0")
        #expect(try late.row(of: stage.room)?["preview"] == nil)
        try late.ok("SUB since=0 \(stage.room)")
        try stage.owner.ok("SEND \(stage.room) after")
        let first = try #require(try late.logEvents(of: stage.room, count: 1).first)
        #expect(first.seq == joined && first.kind == "join")
    }
}
