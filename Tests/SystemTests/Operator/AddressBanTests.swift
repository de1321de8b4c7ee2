import ChatTesting
import Testing

@Suite("ADMIN BAN-ADDR", .timeLimit(.minutes(10)))
struct AddressBanTests {
    /// What a new connection hears first: a word and a code; nil when it ends without a word.
    private func greeting(_ daemon: RunningDaemon, isSecure: Bool) throws -> String? {
        let options = TestClient.Options(isSecure: isSecure, readsHi: false)
        do {
            let line = try daemon.client(options).line(within: 10)
            return [line.word, line.code ?? ""].joined(separator: " ")
        } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    @Test(arguments: ["127.0.0.0/8", "127.0.0.1/32", "127.0.0.1", "0.0.0.0/0"], [1, 2])
    func `who comes from there is sent away, and who is there already as well`(prefix: String, loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, plain) = (try daemon.user("ann"), try daemon.plainClient())
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN BAN-ADDR \(prefix)")
        for client in [ann, plain] {
            #expect(try client.restOfStream().last?.raw.hasPrefix("BYE DENIED - ") == true)
        }
        #expect(try greeting(daemon, isSecure: false) == "BYE DENIED")
        #expect(try [nil, "BYE DENIED"].contains(greeting(daemon, isSecure: true)))
        #expect((try? daemon.fetch("/health").status) != 200)
        try admin.ok("PING stays")
    }

    @Test(arguments: ["10.0.0.0/8", "127.0.0.2/32", "128.0.0.0/1", "2001:db8::/32", "::1/128"])
    func `who comes from elsewhere notices nothing`(prefix: String) throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try daemon.operatorClient().ok("ADMIN BAN-ADDR \(prefix)")
        try ann.ok("PING still")
        for isSecure in [true, false] { #expect(try greeting(daemon, isSecure: isSecure)?.hasPrefix("HI") == true) }
    }

    @Test func `it is there after kill -9 and after a snapshot, and off=yes lifts it`() throws {
        let daemon = try RunningDaemon()
        try daemon.operatorClient().ok("ADMIN BAN-ADDR 127.0.0.0/8")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            #expect(try greeting(daemon, isSecure: false) == "BYE DENIED")
        }
        try daemon.operatorClient().ok("ADMIN BAN-ADDR off=yes 127.0.0.0/8")
        try daemon.restart()
        _ = try daemon.user("ann")
    }

    @Test(arguments: [
        "", "x", "300.0.0.1", "127.0.0.1/33", "127.0.0.1/-1", "127.0.0.1/08", "127.0.0", "::/129", "1:2", "127.0.0.1/",
        "٣.0.0.1",
    ])
    func `what is no prefix is BAD-ARG`(prefix: String) throws {
        let daemon = try SharedDaemon.with(loops: 1)
        try daemon.operatorClient().expectRefusal("ADMIN BAN-ADDR \(prefix)", "BAD-ARG", field: "prefix")
        _ = try daemon.client()
    }
}
