import ChatTesting
import Glibc
import Testing

@Suite("audit.log of the verbs about people and conversations", .timeLimit(.minutes(10)))
struct AuditTests {
    @Test func `each is a line with time, uid and words, also when it was refused, and no code is in it`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE #room")
        let seq = try ben.ok("SEND #lobby rude").seq
        let admin = try daemon.operatorClient()
        let requests = [
            "USER promote ann", "DELETE #lobby \(seq)", "BAN-ADDR 10.0.0.0/8", "DROP #room",
            "USER delete ben", "INVITE uses=2 expires=1d", "RETAIN max=5 #lobby",
        ]
        let replies = try requests.map { try admin.ok("ADMIN \($0)", within: 30) }
        try admin.expectRefusal("ADMIN DROP #nobody-made-this", "NOT-FOUND")
        let code = try #require(replies.compactMap { $0["code"] }.last)
        let lines = readWhole(daemon.data + "/audit.log").split(separator: "\n")
        let uid = " uid=\(geteuid()) "
        #expect(lines.count == 8 && lines.allSatisfy { isTime(String($0.prefix(24))) && $0.contains(uid) }, "\(lines)")
        #expect(zip(lines, requests + ["DROP #nobody-made-this"]).allSatisfy { $0.hasSuffix($1) }, "\(lines)")
        #expect(!lines.contains { $0.contains(code) })
    }
}
