import ChatTesting
import Testing

/// The rule is in protocol.md, Accounts, "Handle". Daemons of their own, since the names are fixed.
@Suite("Nobody comes as somebody else, or as the service (B37)")
struct LookAlikeTests {
    private func daemon(_ loops: Int) throws -> RunningDaemon {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        _ = try daemon.user("ana")
        return daemon
    }

    private static let refused = [
        // What looks like ana, who is there.
        ("аna", "EXISTS"), ("аnа", "EXISTS"), ("ａｎａ", "EXISTS"), ("Ana", "EXISTS"), ("ANA", "EXISTS"),
        ("АNА", "EXISTS"),
        ("𝐚𝐧𝐚", "EXISTS"), ("αna", "EXISTS"),
        // What looks like her, by what no name may hold.
        (#"ana\u200b"#, "BAD-ARG"), (" ana ", "BAD-ARG"), (#"\u202eana"#, "BAD-ARG"), ("#lobby", "BAD-ARG"),
        ("@ana", "BAD-ARG"),
        // The service.
        ("admin", "EXISTS"), ("ADMIN", "EXISTS"), ("аdmin", "EXISTS"), ("AdmIn", "EXISTS"), ("adrnin", "EXISTS"),
        ("system", "EXISTS"), ("fcd", "EXISTS"), ("server", "EXISTS"), ("support", "EXISTS"), ("everyone", "EXISTS"),
        ("a11", "EXISTS"), ("guеst-1", "EXISTS"),
        // No names at all.
        ("*", "BAD-ARG"), ("", "BAD-ARG"), ("   ", "BAD-ARG"), (#"\u0301\u0301\u0301"#, "BAD-ARG"), ("..", "BAD-ARG"),
        (String(repeating: "a", count: 10_000), "BAD-ARG"), ("👩‍👩‍👧", "BAD-ARG"), ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "BAD-ARG"),
        // Scripts that do not go together, like nobody's name.
        ("nиna", "BAD-ARG"), ("дanke", "BAD-ARG"), ("דנהмия", "BAD-ARG"),
    ]

    @Test(arguments: [1, 2])
    func `names that mislead are refused, also after a restart`(loops: Int) throws {
        let daemon = try daemon(loops)
        for _ in 0..<2 {
            let client = try daemon.client()
            for (name, code) in Self.refused {
                let request = "SIGNUP name=\"\(name)\" other@example.test Secret123"
                try client.expectRefusal(request, code, field: "name")
            }
            try daemon.restart()
        }
    }

    @Test(arguments: [1, 2])
    func `others are names of any script, as they were given`(loops: Int) throws {
        let daemon = try daemon(loops)
        let names = [
            "*ana", "com1", "...", "李小龍", "محمد", "👍👍👍", "👩👩👧", "нина", "нинА1", "ανα", "anna", "admins", "dana李",
            "محمدali",
            "ひらカナ漢字", "김민준金",
        ]
        for (number, name) in names.enumerated() {
            let client = try daemon.client()
            #expect(try client.ok("SIGNUP name=\(name) u\(number)@example.test Secret123")["user"] == name)
            #expect(try daemon.client().ok("AUTH \(name) Secret123")["user"] == name)
        }
    }

    @Test(arguments: [1, 2])
    func `a guest that becomes an account looks like nobody either, and leaves no name behind`(loops: Int) throws {
        let daemon = try daemon(loops)
        let client = try daemon.client()
        let guest = try client.ok("AUTH anonymous=yes")["user"] ?? ""
        for (name, code) in [("аna", "EXISTS"), ("r00t", "EXISTS"), ("nиna", "BAD-ARG")] {
            try client.expectRefusal("LINK name=\(name) max@example.test Secret123", code, field: "name")
        }
        try client.ok("LINK name=max max@example.test Secret123")
        for _ in 0..<2 {
            for name in ["rnax", "Мах", guest] {
                let request = "SIGNUP name=\(name) other@example.test Secret123"
                try daemon.client().expectRefusal(request, "EXISTS", field: "name")
            }
            try daemon.restart()
        }
    }

    @Test(arguments: [1, 2])
    func `a name is found by its own letters, never by what it looks like`(loops: Int) throws {
        let daemon = try daemon(loops)
        try daemon.client().expectRefusal("AUTH аna Secret123", "BAD-AUTH")
        #expect(try daemon.client().ok("AUTH ANA Secret123")["user"] == "ana")
        let ben = try daemon.user("ben")
        try ben.expectRefusal("SEND @аna hello", "NOT-FOUND")
        try ben.expectRefusal("SEND #l0bby hello", "NOT-FOUND")
        try ben.ok("SEND #Lobby hello")
    }

    @Test(arguments: [1, 2])
    func `a conversation looks like no other, seen or unseen`(loops: Int) throws {
        let daemon = try daemon(loops)
        let (ben, eve) = (try daemon.user("ben"), try daemon.user("eve"))
        try ben.ok("CREATE #paypal")
        try ben.ok("CREATE private=yes #Мир")
        for name in ["#pаypal", "#paypaI", "#PAYPA1", "#Mиp", "#l0bby"] {
            try eve.expectRefusal("CREATE \(name)", "EXISTS", field: "conv")
        }
        try eve.expectRefusal("CREATE #pаypals", "BAD-ARG", field: "conv")
        try daemon.restart()
        let again = try daemon.another(of: eve)
        try again.expectRefusal("CREATE #pаypal", "EXISTS", field: "conv")
        try again.ok("CREATE #paypals")
    }

    @Test(arguments: [1, 2])
    func `a name the server makes looks like no other`(loops: Int) throws {
        let daemon = try daemon(loops)
        _ = try daemon.user("anal")
        let made = try ["ana@a.test", "аna@b.test", "admin@c.test", "al@d.test"].map { address in
            try daemon.client().ok("SIGNUP \(address) Secret123")["user"] ?? ""
        }
        #expect(made == ["ana2", "user4", "admin1", "al2"])
    }

    /// A display name is free text and need not be unique: who speaks is told by the handle, in every line.
    @Test(arguments: [1, 2])
    func `whatever the display name, others see the handle`(loops: Int) throws {
        let daemon = try daemon(loops)
        let ben = try daemon.user("ben")
        try ben.ok("SUB #lobby")
        let displays = [
            "аna", "ａｎａ", #"ana\u200b"#, " ana ", "Ana", "ana", "admin", "ADMIN", "system", "fcd", "*", "#lobby",
            "@ana",
            "com1", "..", "李小龍", "محمد", "👩‍👩‍👧",
        ]
        for (number, display) in displays.enumerated() {
            let client = try daemon.client()
            try client.ok("SIGNUP name=eve\(number) display=\"\(display)\" eve\(number)@example.test Secret123")
            try client.ok("SEND #lobby I am ana")
            #expect(try ben.event("msg")?["by"] == "eve\(number)")
            try client.ok("PROFILE display=ana")
            try client.ok("PROFILE display=\"\(display)\"")
            try client.ok("SEND #lobby I am ana")
            #expect(try ben.event("msg")?["by"] == "eve\(number)")
        }
        for (display, code) in [
            ("", "BAD-ARG"), ("   ", "BAD-ARG"), (#"\u202eana"#, "BAD-ARG"), (#"\u200b"#, "BAD-ARG"),
            (String(repeating: "a", count: 10_000), "TOO-LONG"),
        ] {
            let request = "SIGNUP name=bad display=\"\(display)\" bad@example.test Secret123"
            try daemon.client().expectRefusal(request, code, field: "display")
            try ben.expectRefusal("PROFILE display=\"\(display)\"", code, field: "display")
        }
    }
}
