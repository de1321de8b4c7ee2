import ChatTesting
import Testing

@Suite("Failed sign-ins back off")
struct BackOffTests {
    private func daemon() throws -> RunningDaemon {
        try RunningDaemon(.init(settings: ["limits.rate=on", "auth.scrypt-n=1024", "auth.scrypt-p=1"], isQuick: false))
    }

    /// Tries a wrong password so often: each refusal's code and whether it names seconds to wait.
    private func tries(_ daemon: RunningDaemon, _ who: String, _ count: Int) throws -> [ReceivedLine] {
        let client = try daemon.client()
        return try (0..<count).map { try client.refusal("AUTH \(who) Wrong\($0)234") }
    }

    @Test func `after some wrong passwords the refusal names the seconds to wait, and even the right one waits`() throws
    {
        let daemon = try daemon()
        _ = try daemon.user("ann")
        let lines = try tries(daemon, "ann", 20)
        #expect(lines.allSatisfy { codes.contains($0.code ?? "") })
        let waits = lines.compactMap { Int($0["retry"] ?? "") }
        #expect(!waits.isEmpty && waits.allSatisfy { $0 > 0 }, "\(lines.map(\.raw))")
        let right = try daemon.client().request("AUTH ann Secret123")
        #expect(right.final.isRefusal && Int(right["retry"] ?? "") != nil, "\(right)")
    }

    @Test func `after the seconds named the right password signs in`() throws {
        let daemon = try daemon()
        _ = try daemon.user("ann")
        let client = try daemon.client()
        var wait = 0
        for number in 0..<20 where wait == 0 {
            wait = Int(try client.refusal("AUTH ann Wrong\(number)234")["retry"] ?? "") ?? 0
        }
        #expect((1...30).contains(wait))
        let isIn = try holds(within: Double(wait) + 5, every: 0.25) {
            try daemon.client().request("AUTH ann Secret123").isOK
        }
        #expect(isIn)
    }

    @Test func `an unknown name backs off just as a known one`() throws {
        let (known, unknown) = (try daemon(), try daemon())
        _ = try known.user("ann")
        _ = try unknown.user("ben")
        func form(_ lines: [ReceivedLine]) -> [String] {
            lines.map {
                "\($0.code ?? "") \($0.human ?? "") \(Int($0["retry"] ?? "") == nil ? $0["retry"] ?? "" : "seconds")"
            }
        }
        #expect(try form(tries(known, "ann", 12)) == form(tries(unknown, "ann", 12)))
    }

    @Test func `with limits.rate=off nothing waits`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann")
        let lines = try tries(daemon, "ann", 30)
        #expect(lines.allSatisfy { $0.code == "BAD-AUTH" && $0["retry"] == "no" })
        #expect(try daemon.client().ok("AUTH ann Secret123")["user"] == "ann")
    }

    @Test func `tokens sign in while passwords back off`() throws {
        let daemon = try daemon()
        let ann = try daemon.user("ann")
        _ = try tries(daemon, "ben", 20)
        #expect(try daemon.client().ok("AUTH token=\(ann.token)")["user"] == "ann")
    }

    @Test func `whoever shares an address with a guesser still signs in by token`() throws {
        let daemon = try daemon()
        let ann = try daemon.user("ann")
        var waits = false
        for number in 0..<40 where !waits {
            waits = try daemon.client().refusal("AUTH nobody\(number) Wrong1234").code == "LIMIT"
        }
        #expect(waits, "the source never had to wait")
        #expect(try daemon.client().ok("AUTH token=\(ann.token)")["user"] == "ann")
        try daemon.client().expectRefusal("AUTH token=\(String(repeating: "x", count: 32))", "LIMIT")
    }
}
