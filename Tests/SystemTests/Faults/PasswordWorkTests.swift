import ChatTesting
import Foundation
import Testing

/// B36: passwords are work, and whose they are must not be told by it.
@Suite("The work of passwords")
struct PasswordWorkTests {
    private func daemon(_ settings: [String] = []) throws -> RunningDaemon {
        // Dear enough that the hash outweighs everything else, without making the tests slow.
        try RunningDaemon(.init(settings: ["auth.scrypt-n=4096", "auth.scrypt-p=1", "limits.rate=off"] + settings))
    }

    /// A name for each way in which a sign-in can fail: known and wrong, unknown, erased, disabled, malformed.
    private func cast(_ daemon: RunningDaemon) throws -> [(kind: String, who: String)] {
        for name in ["ann", "dis", "del"] { _ = try daemon.user(name) }
        let gone = try daemon.client()
        try gone.ok("AUTH del Secret123")
        try gone.ok("UNREGISTER Secret123")
        try daemon.operatorClient().ok("ADMIN USER disable dis")
        return [
            ("known", "ann"), ("known by address", "ann@example.test"), ("unknown", "nobody-here"),
            ("unknown address", "nobody@example.test"), ("erased", "del"), ("erased address", "del@example.test"),
            ("disabled", "dis"), ("malformed", "@@"), ("malformed address", "a@b@c"),
        ]
    }

    @Test func `every failure is the same BAD-AUTH, in the same words`() throws {
        let daemon = try daemon()
        let client = try daemon.client()
        let answers = try cast(daemon).map { cast in
            let line = try client.refusal("AUTH \(cast.who) Wrong1234")
            return line.raw.split(separator: " ").filter { !$0.hasPrefix("@") }.joined(separator: " ")
        }
        #expect(Set(answers).count == 1, "\(answers)")
        #expect(answers.first?.hasPrefix("ERR BAD-AUTH ") == true)
    }

    /// The machine may be busy, so this looks only for what nobody could miss: an answer without the work, or with twice
    /// as much. `bench/people.py` measures to a few hundredths.
    @Test(.timeLimit(.minutes(10))) func `every failure takes its time`() throws {
        let daemon = try daemon()
        let cast = try cast(daemon)
        let client = try daemon.client()
        var times: [String: [Double]] = [:]
        for _ in 0..<25 {
            for one in cast {
                let start = monotonicSeconds()
                _ = try client.refusal("AUTH \(one.who) Wrong1234")
                times[one.kind, default: []].append(monotonicSeconds() - start)
            }
        }
        // The shortest of many is what the work takes; everything above it is what the machine does besides.
        let shortest = times.mapValues { $0.min() ?? 0 }
        let usual = try #require(shortest["known"])
        for (kind, time) in shortest {
            #expect(time > usual * 0.6 && time < usual * 1.6, "\(kind): \(time) s, known: \(usual) s")
        }
    }

    @Test(arguments: [0, 1, 7, 1024]) func `a password of up to 1024 bytes is looked at`(count: Int) throws {
        let daemon = try daemon()
        _ = try daemon.user("ann")
        let client = try daemon.client()
        guard count > 0 else {
            #expect(try client.request("AUTH ann ").final.word == "ASK")
            try client.send("\n")
            #expect(try client.line().code == "BAD-AUTH")
            return
        }
        try client.expectRefusal("AUTH ann \(String(repeating: "x", count: count))", "BAD-AUTH")
    }

    @Test func `a longer one is refused before any hash, and a line of a mebibyte as too long`() throws {
        let daemon = try daemon()
        let client = try daemon.client()
        let long = String(repeating: "x", count: 1025)
        try client.expectRefusal("SIGNUP name=ann ann@example.test \(long)", "BAD-ARG", field: "password")
        try client.expectRefusal("AUTH ann \(long)", "BAD-AUTH")
        try client.expectRefusal("AUTH ann \(String(repeating: "x", count: 1 << 20))", "TOO-LONG")
        try client.ok("SIGNUP name=ann ann@example.test Secret123")
    }

    @Test(.timeLimit(.minutes(10)))
    func `a hundred sign-ins at once hold nobody up, and those beyond the queue are BUSY`() throws {
        let daemon = try daemon(["auth.scrypt-n=32768"])
        _ = try daemon.user("ann")
        let good = try daemon.user("good")
        let clients = try (0..<20).map { _ in try daemon.client() }
        for client in clients { try client.send(String(repeating: "AUTH ann Wrong1234\n", count: 5)) }
        var slowest = 0.0
        for number in 0..<50 {
            let start = monotonicSeconds()
            try good.ok("SEND #lobby \(number)")
            slowest = max(slowest, monotonicSeconds() - start)
        }
        #expect(slowest < 1, "\(slowest) s for a message")
        var codes: [String] = []
        for client in clients {
            for _ in 0..<5 { codes.append(try client.line(within: 120, for: "an answer").code ?? "OK") }
        }
        #expect(Set(codes).isSubset(of: ["BAD-AUTH", "BUSY"]) && codes.contains("BAD-AUTH"), "\(Set(codes))")
        try daemon.client().ok("AUTH ann Secret123")
    }
}
