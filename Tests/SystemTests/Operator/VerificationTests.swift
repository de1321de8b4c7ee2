import ChatTesting
import Testing

@Suite("ADMIN USER verify and ADMIN ADD-USER", .timeLimit(.minutes(10)))
struct VerificationTests {
    @Test func `a verified address is shown to its owner and the operator alone, after kill -9 and a snapshot, too`()
        throws
    {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let run = try FcdRun(["user", "verify", "ann"], data: daemon.data)
        #expect(run.code == 0 && run.output.contains("user=ann"), "\(run)")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let rows = try daemon.operatorClient().rows("ADMIN USERS")
            #expect(rows.map { $0["verified"] } == ["yes", "no"])
            #expect(try daemon.another(of: ann).ok("PROFILE")["verified"] == "yes")
            #expect(try daemon.another(of: ben).ok("PROFILE ann")["verified"] == nil)
        }
    }

    @Test(arguments: [1, 2])
    func `an added account is there after kill -9 and a snapshot, with its code`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)", "auth.signup=closed"]))
        let made = try daemon.operatorClient().ok("ADMIN ADD-USER Ann ann@example.test")
        #expect(made["user"] == "Ann")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
        }
        let ann = try daemon.client()
        let reply = try ann.ok("AUTH ANN \(made["code"] ?? "")")
        #expect(reply["unread"] == "0")
        try ann.ok("PASSWD Secret123")
        #expect(try ann.ok("PROFILE")["email"] == "ann@example.test")
        let refused = try daemon.operatorClient().refusal("ADMIN ADD-USER Ann other@example.test")
        refused.expectRefusal("EXISTS", field: "name")
    }

    @Test(
        arguments: [
            ("ab x@example.test", "BAD-ARG", "name"), ("root x@example.test", "EXISTS", "name"),
            ("guest-1 x@example.test", "EXISTS", "name"), ("a=b x@example.test", "BAD-ARG", nil),
            ("carl@x carl@example.test", "BAD-ARG", "name"), ("carl carl", "BAD-ARG", "email"),
            ("carl carl@example.test extra", "BAD-ARG", nil), ("carl", "BAD-ARG", "email"), ("", "BAD-ARG", "name"),
        ] as [(String, String, String?)]
    )
    func `names and addresses follow the rules of SIGNUP`(words: String, code: String, field: String?) throws {
        let admin = try SharedDaemon.with(loops: 2).operatorClient()
        try admin.expectRefusal("ADMIN ADD-USER \(words)", code, field: field)
    }
}
