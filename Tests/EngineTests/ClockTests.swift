import ChatModel
import Engine
import Testing

@Suite("A wall clock that is set, under the engine")
struct ClockTests {
    private static let day: Int64 = 86_400_000
    private static let leaps = [-400 * day, -day, day, 400 * day]

    @Test(arguments: leaps)
    func `a nonce is remembered for a day that passes, not for one that is set`(leap: Int64) throws {
        let stage = Stage()
        let ann = stage.signUp("ann")
        _ = stage.ask(ann, "SEND nonce=a #lobby a")
        stage.setClock(by: leap)
        #expect(stage.ask(ann, "SEND nonce=a #lobby a").first?.contains("dup=yes") == true)
        stage.now += Self.day - 1000
        #expect(stage.ask(ann, "SEND nonce=a #lobby a").first?.contains("dup=yes") == true)
        stage.now += 3000
        #expect(stage.ask(ann, "SEND nonce=a #lobby a").first?.contains("dup=yes") == false)
    }

    @Test(arguments: leaps)
    func `after a recovery nonces have a whole day again`(leap: Int64) throws {
        let stage = Stage()
        let ann = stage.signUp("ann")
        _ = stage.ask(ann, "SEND nonce=a #lobby a")
        stage.now += Self.day / 2
        stage.setClock(by: leap)
        try stage.failJournal()
        #expect(stage.ask(ann, "SEND nonce=a #lobby a").first?.contains("dup=yes") == true)
        stage.now += Self.day - 1000
        #expect(stage.ask(ann, "SEND nonce=a #lobby a").first?.contains("dup=yes") == true)
        let again = Stage(content: try stage.recovered(through: stage.engine.durable), seed: 2)
        #expect(again.ask(again.signIn("ann"), "SEND nonce=a #lobby a").first?.contains("dup=yes") == true)
    }

    @Test(arguments: leaps)
    func `waiting for a sign-in takes the seconds that were said`(leap: Int64) {
        let stage = Stage(backOff: SignInBackOff(free: 0, longestSeconds: 60))
        let key = stage.connect()
        for _ in 0..<3 {
            stage.now += 5000
            _ = stage.ask(key, "AUTH nobody wrong-password")
        }
        let told = stage.ask(key, "AUTH nobody wrong-password").first?.field("retry")
        #expect(told == "4")
        stage.setClock(by: leap)
        #expect(stage.ask(key, "AUTH nobody wrong-password").first?.field("retry") == told)
    }

    /// A guest that is written down and has no connection.
    private func leaveGuest(_ stage: Stage) -> String {
        let guest = stage.connect()
        let token = stage.ask(guest, "AUTH anonymous=yes").first?.field("token") ?? ""
        _ = stage.ask(guest, "SEND #lobby here I am")
        stage.disconnect(guest)
        return token
    }

    private func isKnown(_ token: String, _ stage: Stage) -> Bool {
        stage.handle(.tick(residentBytes: 0))
        stage.sync()
        return stage.ask(stage.connect(), "AUTH token=\(token)").first?.hasPrefix("OK") == true
    }

    @Test(arguments: leaps)
    func `a guest is forgotten after thirty days that pass`(leap: Int64) {
        let stage = Stage()
        let (first, second) = (leaveGuest(stage), leaveGuest(stage))
        stage.setClock(by: leap)
        stage.now += 29 * Self.day
        #expect(isKnown(first, stage))
        stage.now += 2 * Self.day
        #expect(!isKnown(second, stage))
    }

    @Test func `a guest is not forgotten because the disk was read again`() throws {
        let stage = Stage()
        let token = leaveGuest(stage)
        let admin = stage.operatorConnection()
        try stage.failJournal()
        stage.say(admin, "ADMIN RESUME")
        #expect(try stage.resume())
        stage.now += 2 * 3_600_000
        #expect(isKnown(token, stage))
    }
}
