import ChatTesting
import Testing

@Suite("PROFILE")
struct ProfileTests {
    @Test(arguments: [1, 2])
    func `one's own shows everything, another's the public part only`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let phone = "+49 30 5551234"
        try ann.ok(#"PROFILE display="Ann \"A.\" 🎈" phone="\#(phone)" bio="two\nlines""#)
        let own = try ann.ok("PROFILE")
        #expect(
            own.final.has([
                "user": ann.user, "display": "Ann \"A.\" 🎈", "phone": phone, "bio": "two\nlines",
                "email": "\(ann.user)@example.test",
            ]),
            "\(own)"
        )
        let other = try ben.ok("PROFILE \(ann.user.uppercased())")
        #expect(other.final.has(["user": ann.user, "display": "Ann \"A.\" 🎈", "bio": "two\nlines"]), "\(other)")
        #expect(!other.final.raw.contains("5551234") && !other.final.raw.contains("example.test"))
        #expect(try ann.ok("WHOAMI")["display"] == "Ann \"A.\" 🎈")
    }

    @Test(arguments: [1, 2])
    func `what is not named stays as it was`(loops: Int) throws {
        let ann = try Scene(loops).user()
        try ann.ok(#"PROFILE display="Ann A." phone=12345 bio=hello"#)
        try ann.ok("PROFILE phone=67890")
        let own = try ann.ok("PROFILE").final
        #expect(own.has(["display": "Ann A.", "phone": "67890", "bio": "hello"]), "\(own)")
    }

    @Test(arguments: [1, 2])
    func `a change is live for those who share a conversation, without the phone`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, isPrivate: true, ben)
        try cat.ok("SEND @\(ann.user) hi")
        try ben.ok("SUB \(room)")
        try cat.ok("SUB @\(ann.user)")
        try ann.ok(#"PROFILE display="Ann the Second" phone=5551234"#)
        for client in [ben, cat] {
            let event = try #require(try client.event("profile", ["user": ann.user]))
            #expect(event["display"] == "Ann the Second" && event["seq"] == nil, "\(event)")
            #expect(!event.raw.contains("5551234") && !event.raw.contains("example.test"))
        }
        #expect(try ben.ok("SUB \(room)")["next"] == "4")
    }

    @Test(arguments: [1, 2])
    func `strangers hear nothing, once the lobby has more than 200 accounts`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben, eve) = (try daemon.user("ann"), try daemon.user("ben"), try daemon.user("eve"))
        try ann.ok("SEND @ben hi")
        for client in [ben, eve] { try client.ok("SUB all=yes") }
        try ann.ok("PROFILE display=one")
        for client in [ben, eve] { #expect(try client.event("profile", ["user": "ann"])?["display"] == "one") }
        try daemon.crowd(200)
        try ann.ok("PROFILE display=two")
        #expect(try ben.event("profile", ["user": "ann"])?["display"] == "two")
        #expect(try eve.event("profile", within: 0.3, ["user": "ann"]) == nil)
    }

    @Test(
        arguments: [
            ("display=\"\(String(repeating: "👍🏽", count: 65))\"", "display"), ("phone=12", "phone"),
            ("phone=abc", "phone"), ("phone=\(String(repeating: "1", count: 33))", "phone"), ("frob=1", "frob"),
            ("name=other", "name"), ("email=a@example.test", "email"),
        ],
        [1, 2]
    )
    func `what breaks a rule is BAD-ARG, and nothing of it counts`(
        option: (text: String, field: String),
        loops: Int
    ) throws {
        let ann = try Scene(loops).user()
        let line = try ann.refusal("PROFILE bio=changed \(option.text)")
        #expect(["BAD-ARG", "TOO-LONG"].contains(line.code) && line["field"] == option.field, "\(line)")
        #expect(try ann.ok("PROFILE")["bio"] == nil)
    }

    @Test(arguments: [1, 2])
    func `a display name may have 64 characters of any kind, and two may have the same`(loops: Int) throws {
        let scene = try Scene(loops)
        let thumbs = String(repeating: "👍🏽", count: 64)
        for client in [try scene.user(), try scene.user("ben")] {
            try client.ok("PROFILE display=\(thumbs)")
            #expect(try client.ok("PROFILE")["display"] == thumbs)
        }
    }

    @Test(arguments: [1, 2])
    func `nobody is NOT-FOUND`(loops: Int) throws {
        try Scene(loops).user().expectRefusal("PROFILE nobody-has-this", "NOT-FOUND", field: "user")
    }

    @Test(arguments: [1, 2])
    func `an avatar is a picture of one's own, which everybody who is signed in may fetch`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve, guest) = (try scene.user(), try scene.user("eve"), try scene.guest())
        let put = try ann.upload(tinyPicture, type: "image/png", "name=me.png")
        let (id, place) = (put["blob"] ?? "", path(of: put["url"]))
        try eve.expectRefusal("PROFILE avatar=\(id)", "NOT-FOUND", field: "avatar")
        #expect(try scene.daemon.fetch(place, token: eve.token).status == 404)
        try ann.ok("PROFILE avatar=\(id)")
        for client in [ann, eve, guest] {
            #expect(try scene.daemon.fetch(place, token: client.token).status == 200)
            #expect(try client.ok("PROFILE \(ann.user)")["avatar"] == id)
        }
        #expect(try scene.daemon.fetch(place).status == 401)
    }

    @Test(arguments: [1, 2])
    func `what is no picture, too big or not there is no avatar`(loops: Int) throws {
        let ann = try Scene(loops).user()
        let text = try ann.upload(Array("hello".utf8), type: "text/plain")["blob"] ?? ""
        try ann.expectRefusal("PROFILE avatar=\(text)", "BAD-ARG", field: "avatar")
        let big = try ann.upload(
            tinyPicture + [UInt8](repeating: 0, count: 1 << 20),
            type: "image/png",
            within: 30
        )["blob"]
        try ann.expectRefusal("PROFILE avatar=\(big ?? "")", "TOO-BIG", field: "avatar")
        try ann.expectRefusal("PROFILE avatar=b_AAAAAAAAAAAAAAAAAAAAAA", "NOT-FOUND", field: "avatar")
        #expect(try ann.ok("PROFILE")["avatar"] == nil)
    }

    @Test func `it is there after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let blob = try ann.upload(tinyPicture, type: "image/png")["blob"] ?? ""
        try ann.ok(#"PROFILE display="Ann A." phone=12345 bio=hello avatar=\#(blob)"#)
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let own = try daemon.another(of: ann).ok("PROFILE").final
            #expect(own.has(["display": "Ann A.", "phone": "12345", "bio": "hello", "avatar": blob]), "\(own)")
        }
    }
}
