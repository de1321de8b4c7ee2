import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("Who leaves hears nothing more") struct LeaveTests {
    @Test(arguments: [1, 2]) func `the mail of each loop is: lines up to the leave, then the end`(loops: Int) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(bob, "JOIN #garden")
        _ = stage.ask(bob, "SUB since=0 #garden")
        _ = stage.ask(ada, "SUB since=0 #garden")
        let before = stage.mail[loops - 1].count
        stage.turn([(ada, "SEND #garden before"), (bob, "LEAVE #garden"), (ada, "SEND #garden after")])
        stage.sync()
        var (ended, told) = (false, 0)
        for mail in stage.mail[loops - 1][before...] {
            switch mail {
            case .end(bob, ConversationNumber(2)): ended = true
            case .extend(ConversationNumber(2), _, let piece) where !ended:
                let bytes = UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
                told = bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            default: break
            }
        }
        #expect(ended)
        #expect(told == 4, "create, join, the message before and the leave itself")
        #expect(seqs(stage.takeEvents(bob)) == [1, 2, 3, 4])
        #expect(seqs(stage.takeEvents(ada)) == [1, 2, 3, 4, 5])
    }

    @Test(arguments: [1, 2]) func `on no connection of the account`(loops: Int) {
        let stage = Stage(loops: loops)
        let ada = stage.signUp("ada")
        let mine = [stage.signUp("bob"), stage.signIn("bob", loop: loops - 1), stage.signIn("bob")]
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(mine[0], "JOIN #garden")
        for key in mine { _ = stage.ask(key, "SUB #garden") }
        stage.turn([(mine[0], "LEAVE #garden"), (ada, "SEND #garden after")])
        stage.sync()
        for key in mine {
            #expect(seqs(stage.takeEvents(key)) == [3])
            #expect(stage.takeNotices(key).last == "EV conv conv=#garden state=left")
            #expect(stage.ask(key, "SUBS") == ["OK n=0"])
        }
        #expect(stage.ask(mine[1], "SUB #garden").first?.hasPrefix("ERR DENIED") == true)
    }

    @Test func `the grant that follows an owner is not the former owner's to hear`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(bob, "JOIN #garden")
        for key in [ada, bob] { _ = stage.ask(key, "SUB #garden") }
        _ = stage.ask(ada, "LEAVE #garden")
        #expect(seqs(stage.takeEvents(ada)) == [3])
        let heard = stage.takeEvents(bob)
        #expect(seqs(heard) == [3, 4])
        #expect(heard[1].hasPrefix("EV grant conv=#garden seq=4"))
        #expect((heard[1].field("by"), heard[1].field("user"), heard[1].field("role")) == ("server", "bob", "owner"))
    }

    @Test func `the last one of a private conversation does not hear of its drop`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "CREATE private=yes #den")
        _ = stage.ask(ada, "SUB #den")
        _ = stage.ask(ada, "LEAVE #den")
        #expect(seqs(stage.takeEvents(ada)) == [2])
        #expect(stage.ask(ada, "HISTORY #den").first?.hasPrefix("ERR NOT-FOUND") == true)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4], [true, false])
    func `whatever happens at the same time, on whatever loop`(seed: UInt64, readsEagerly: Bool) {
        var random = SeededRandom(seed: seed)
        let stage = Stage(loops: 2)
        stage.readsEagerly = readsEagerly
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "CREATE private=yes #den")
        let names = (0..<6).map { "user\($0)" }
        let keys = names.enumerated().map { stage.signUp($1, loop: $0 % 2) }
        var inside: [Bool] = names.map { _ in false }
        var (expected, heard): ([[Int]], [[Int]]) = (keys.map { _ in [] }, keys.map { _ in [] })
        var next = 2
        for _ in 0..<300 {
            var lines: [(ConnectionKey, String)] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let who = Int.random(in: 0..<keys.count, using: &random)
                if Bool.random(using: &random) {
                    lines.append((ada, "SEND #den x"))
                    for at in keys.indices where inside[at] { expected[at].append(next) }
                    next += 1
                } else if inside[who] {
                    lines.append((keys[who], "LEAVE #den"))
                    for at in keys.indices where inside[at] { expected[at].append(next) }
                    inside[who] = false
                    next += 1
                } else {
                    lines += [
                        (ada, "INVITE #den \(names[who])"), (keys[who], "JOIN #den"),
                        (keys[who], "SUB since=0 #den"),
                    ]
                    inside[who] = true
                    for at in keys.indices where inside[at] {
                        if at != who { expected[at].append(next) }
                        expected[at].append(next + 1)
                    }
                    next += 2
                }
            }
            stage.turn(lines)
            if Bool.random(using: &random) { stage.sync() }
            for at in keys.indices { heard[at] += seqs(stage.takeEvents(keys[at])) }
        }
        stage.sync()
        for at in keys.indices {
            heard[at] += seqs(stage.takeEvents(keys[at]))
            if readsEagerly {
                #expect(heard[at] == expected[at])
            } else {
                // A SUB that comes while an ended cursor is behind moves it past lines; it never goes beyond a leave.
                #expect(Set(heard[at]).isSubset(of: expected[at]))
                #expect(heard[at] == Set(heard[at]).sorted())
                #expect(heard[at].count > expected[at].count / 2)
            }
        }
    }
}
