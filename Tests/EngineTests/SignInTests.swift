import ChatModel
import Engine
import Testing

@Suite("Signing in") struct SignInTests {
    @Test func `an unknown name costs the same work as a known one`() {
        let stage = Stage()
        _ = stage.signUp("ada")
        let key = stage.connect()
        stage.turn([(key, "AUTH ada wrong password"), (key, "AUTH nobody1 wrong password")])
        let jobs = stage.jobs
        #expect(jobs.count == 2)
        #expect(jobs.map(\.n) == [1024, 1024] && jobs.map(\.r) == [8, 8] && jobs.map(\.p) == [1, 1])
        #expect(jobs.map(\.salt.count) == [16, 16])
        #expect(jobs.allSatisfy { $0.expected != nil })
        stage.hashPasswords()
        let replies = stage.takeReplies(key)
        #expect(replies.count == 2)
        #expect(replies[0] == replies[1])
        #expect(replies[0].hasPrefix("ERR BAD-AUTH"))
    }

    @Test func `a made-up salt is the same each time, and each name's own`() {
        let stage = Stage()
        let key = stage.connect()
        stage.turn([(key, "AUTH nobody1 x"), (key, "AUTH NOBODY1 y"), (key, "AUTH nobody2 x")])
        #expect(stage.jobs[0].salt == stage.jobs[1].salt)
        #expect(stage.jobs[0].salt != stage.jobs[2].salt)
    }

    @Test func `by name or address, without regard to case, makes a new session`() {
        let stage = Stage()
        _ = stage.signUp("Ada")
        for who in ["ada", "ADA", "ada@example.test", "ADA@EXAMPLE.TEST"] {
            let key = stage.connect()
            let reply = stage.ask(key, "AUTH \(who) correct horse").joined()
            #expect(reply.hasPrefix("OK user=Ada token=token") && reply.hasSuffix("unread=0"), "\(reply)")
        }
    }

    @Test func `a token signs in again and again, and no more after LOGOUT`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        let other = stage.connect()
        #expect(stage.ask(other, "AUTH token=token1").first?.hasPrefix("OK user=ada token=token1") == true)
        #expect(stage.ask(ada, "LOGOUT") == ["OK"])
        #expect(stage.ending(of: other) != nil, "a connection of the same session ends too")
        #expect(stage.ask(ada, "AUTH token=token1").first?.hasPrefix("ERR BAD-AUTH") == true)
        #expect(stage.ask(ada, "LOGOUT") == ["OK"], "twice does no harm")
    }

    @Test func `LOGOUT all=yes ends every session of the account and none of others`() {
        let stage = Stage(loops: 2)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        let others = [stage.signIn("ada"), stage.signIn("ada", loop: 1)]
        _ = stage.ask(ada, "LOGOUT all=yes")
        for key in others { #expect(stage.ending(of: key) != nil) }
        #expect(stage.ending(of: bob) == nil && stage.ending(of: ada) == nil)
        #expect(stage.ask(stage.connect(), "AUTH token=token3").first?.hasPrefix("ERR BAD-AUTH") == true)
    }

    @Test func `while signed in is a CONFLICT`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        for request in ["AUTH ada correct horse", "AUTH token=token1", "AUTH anonymous=yes", "SIGNUP b@c.de 12345678"] {
            #expect(stage.ask(ada, request).first?.hasPrefix("ERR CONFLICT") == true, "\(request)")
        }
    }

    @Test func `of two sign-ups for one name at the same time one is refused`() {
        let stage = Stage()
        let (one, two) = (stage.connect(), stage.connect())
        stage.turn([(one, "SIGNUP name=ada a@b.cd 12345678"), (two, "SIGNUP name=ADA b@b.cd 12345678")])
        stage.hashPasswords()
        stage.sync()
        #expect(stage.takeReplies(one).first?.hasPrefix("OK user=ada") == true)
        #expect(stage.takeReplies(two).first?.hasPrefix("ERR EXISTS retry=no field=name") == true)
    }

    @Test func `a connection that has gone is not signed up`() throws {
        let stage = Stage()
        let key = stage.connect()
        stage.say(key, "SIGNUP name=ada a@b.cd 12345678")
        let before = try stage.records.count
        stage.disconnect(key)
        stage.hashPasswords()
        #expect(try stage.records.count == before)
    }

    @Test func `when too much waits already, says BUSY and when to try again`() {
        let stage = Stage()
        let key = stage.connect()
        stage.say(key, "AUTH ada secret")
        stage.handle(.hashed(PasswordResult(id: stage.jobs[0].id, outcome: .busy)))
        #expect(stage.takeReplies(key).first?.hasPrefix("ERR BUSY retry=2") == true)
    }

    @Test func `idle guests that did nothing are kept up to 10,000, the longest gone are forgotten first`() {
        let stage = Stage()
        for number in 0..<10_001 {
            let key = stage.connect()
            stage.turn([(key, "AUTH anonymous=yes")])
            #expect(stage.takeReplies(key).count == 1)
            if number < 2 { continue }
            stage.disconnect(key)
        }
        func signsIn(_ token: Int) -> Bool {
            stage.ask(stage.connect(), "AUTH token=token\(token)").first?.hasPrefix("OK") == true
        }
        let two = (0..<2).map { _ in stage.connect() }
        for key in two {
            stage.turn([(key, "AUTH anonymous=yes")])
            stage.disconnect(key)
        }
        #expect(!signsIn(3), "the first that went")
        #expect(signsIn(4) && signsIn(10_003))
        #expect(signsIn(1) && signsIn(2), "guests with a connection stay")
    }
}

extension SignInTests {
    @Test func `a guest that comes and goes counts once among the idle ones`() {
        let stage = Stage()
        let quiet = stage.connect()
        _ = stage.ask(quiet, "AUTH anonymous=yes")
        stage.disconnect(quiet)
        let first = stage.connect()
        _ = stage.ask(first, "AUTH anonymous=yes")
        stage.disconnect(first)
        for _ in 0..<10_001 {
            let key = stage.connect()
            stage.say(key, "AUTH token=token2")
            stage.disconnect(key)
        }
        for token in ["token1", "token2"] {
            #expect(stage.ask(stage.connect(), "AUTH token=\(token)").first?.hasPrefix("OK user=guest-") == true)
        }
    }
}

@Suite("The back-off of failed sign-ins") struct BackOffTests {
    private let start = MonotonicTime(milliseconds: 1_764_500_000_000)
    private func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(milliseconds: start.milliseconds + Int64(seconds * 1000))
    }

    @Test func `some failures cost nothing, then the wait doubles up to its longest`() {
        var backOff = SignInBackOff(free: 3, longestSeconds: 10)
        var waits: [Int?] = []
        for _ in 0..<8 {
            backOff.failed(account: "ada", source: "192.0.2.1", now: start)
            waits.append(backOff.wait(account: "ada", source: "192.0.2.2", now: start))
        }
        #expect(waits == [nil, nil, nil, 1, 2, 4, 8, 10])
    }

    @Test func `the wait runs down with the clock, in whole seconds rounded up`() {
        var backOff = SignInBackOff(free: 0, longestSeconds: 60)
        for _ in 0..<3 { backOff.failed(account: "ada", source: "192.0.2.1", now: start) }
        func wait(_ seconds: Double) -> Int? { backOff.wait(account: "ada", source: "192.0.2.9", now: time(seconds)) }
        #expect([wait(0), wait(0.5), wait(1), wait(3.999), wait(4)] == [4, 4, 3, 1, nil])
    }

    @Test func `a success forgets the account's failures, ten quiet minutes forget everybody's`() {
        var backOff = SignInBackOff(free: 0, longestSeconds: 60)
        for name in ["ada", "bob"] { backOff.failed(account: name, source: "192.0.2.1", now: start) }
        backOff.succeeded(account: "ada")
        #expect(backOff.wait(account: "ada", source: "192.0.2.9", now: start) == nil)
        #expect(backOff.wait(account: "bob", source: "192.0.2.9", now: start) == 1)
        backOff.failed(account: "bob", source: "192.0.2.1", now: time(601))
        #expect(backOff.wait(account: "bob", source: "192.0.2.9", now: time(601)) == 1, "counted from one again")
    }

    @Test func `a source waits too, after four times as many failures`() {
        var backOff = SignInBackOff(free: 2, longestSeconds: 60)
        for number in 0..<8 { backOff.failed(account: "user\(number)", source: "192.0.2.1", now: start) }
        #expect(backOff.wait(account: "other", source: "192.0.2.1", now: start) == nil)
        backOff.failed(account: nil, source: "192.0.2.1", now: start)
        #expect(backOff.wait(account: "other", source: "192.0.2.1", now: start) == 1)
        #expect(backOff.wait(account: "other", source: "192.0.2.2", now: start) == nil)
    }

    @Test func `many names from everywhere are forgotten before memory grows, the latest stay`() {
        var backOff = SignInBackOff(free: 0, longestSeconds: 60)
        for number in 0..<50_000 {
            backOff.failed(account: "user\(number)", source: "192.0.2.1", now: time(Double(number) / 1000))
        }
        #expect(backOff.wait(account: "user49999", source: "-", now: time(50)) != nil)
        #expect(backOff.wait(account: "user0", source: "-", now: start) == nil)
    }

    @Test func `refuses before any hash is made, known name or not, and says how long`() {
        let stage = Stage(backOff: SignInBackOff(free: 1, longestSeconds: 60))
        _ = stage.signUp("ada")
        let key = stage.connect(source: "192.0.2.7")
        for name in ["ada", "nobody1"] {
            for _ in 0..<2 {
                #expect(stage.ask(key, "AUTH \(name) wrong pass").first?.hasPrefix("ERR BAD-AUTH") == true)
            }
            stage.say(key, "AUTH \(name) correct horse")
            #expect(stage.jobs.isEmpty)
            #expect(stage.takeReplies(key).first?.hasPrefix("ERR LIMIT retry=1") == true)
        }
        stage.now += 1000
        #expect(stage.ask(key, "AUTH ada correct horse").first?.hasPrefix("OK user=ada") == true)
    }

    @Test func `wrong tokens make their source wait`() {
        let stage = Stage(backOff: SignInBackOff(free: 1, longestSeconds: 60))
        let key = stage.connect(source: "192.0.2.7")
        for _ in 0..<5 {
            #expect(stage.ask(key, "AUTH token=token999").first?.hasPrefix("ERR BAD-AUTH") == true)
        }
        #expect(stage.ask(key, "AUTH token=token999").first?.hasPrefix("ERR LIMIT") == true)
        #expect(
            stage.ask(stage.connect(source: "192.0.2.8"), "AUTH token=token999").first?.hasPrefix("ERR BAD") == true
        )
    }
}
