import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("The state, against a plain model") struct ModelTests {
    private static var limits: Limits {
        var limits = Limits()
        (limits.conversationsOwned, limits.conversationsJoined, limits.nonces) = (4, 9, 40)
        return limits
    }

    /// Both sides of the comparison, and the account numbers of the model's accounts.
    private final class Pair {
        let world = World(ModelTests.limits)
        var model = ReferenceModel(limits: ModelTests.limits)
        var numbers: [AccountNumber] = []
        var random: SeededRandom

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        func signUp() throws {
            numbers.append(try world.signUp("user\(numbers.count)"))
            model.signUp()
        }

        /// Does one random thing on both sides; nil when they agree.
        func step() throws -> String? {
            let who = Int.random(in: 0..<numbers.count, using: &random)
            let other = Int.random(in: 0..<numbers.count, using: &random)
            let room = ["lobby", "room\(Int.random(in: 0..<25, using: &random))"][
                Int.random(in: 0..<8, using: &random) == 0 ? 0 : 1
            ]
            let nonce = Bool.random(using: &random) ? nil : UInt64.random(in: 0..<70, using: &random)
            let reply = Int.random(in: 0..<4, using: &random) == 0 ? UInt64.random(in: 0...30, using: &random) : nil
            let what = Int.random(in: 0..<20, using: &random)
            let expected: ReferenceModel.Answer
            var found = ReferenceModel.Answer()
            switch what {
            case 0, 1:
                expected = model.create(room, isPrivate: what == 0, by: who)
                found.outcome = try refused {
                    try world.create(room, by: numbers[who], isPrivate: what == 0)
                    found.seq = 1
                }
            case 2, 3, 4:
                expected = model.join(room, by: who)
                found.outcome = try refused { note(try world.join(room, numbers[who]), &found) }
            case 5:
                expected = model.leave(room, by: who)
                found.outcome = try refused { note(try world.leave(room, numbers[who]), &found) }
            case 6, 7:
                expected = model.invite(other, to: room, by: who)
                found.outcome = try refused {
                    note(try world.invite("USER\(other)", to: room, by: numbers[who]), &found)
                }
            case 8, 9:
                expected = model.sendDirect(to: other, by: who, nonce: nonce)
                found.outcome = try refused {
                    note(try world.send(to: .direct("user\(other)"), by: numbers[who], nonce: nonce), &found)
                }
            default:
                expected = model.send(to: room, by: who, nonce: nonce, reply: reply)
                found.outcome = try refused {
                    let target = ConversationTarget.named(room)
                    note(try world.send(to: target, by: numbers[who], nonce: nonce, reply: reply), &found)
                }
            }
            world.pass(milliseconds: Int64.random(in: -5...20, using: &random))
            return expected == found ? nil : "\(what) \(who) \(room) \(other): \(expected) but \(found)"
        }

        private func note(_ reply: ChatModel.Reply, _ answer: inout ReferenceModel.Answer) {
            answer.seq = reply.values("seq").first.flatMap { Seq($0) }
            answer.isRepeat = reply.values("dup") == ["yes"]
        }

        private func note(_ decision: SendDecision, _ answer: inout ReferenceModel.Answer) {
            (answer.seq, answer.isRepeat) = (decision.seq, decision.isRepeat)
        }
    }

    private func compare(_ state: State, _ model: ReferenceModel, _ numbers: [AccountNumber]) {
        #expect(state.conversations.count == model.rooms.count)
        for (at, room) in model.rooms.enumerated() {
            let conversation = state.conversations[at]
            #expect(conversation.nextSeq == room.next, "\(room.name)")
            #expect(conversation.messages.count == UInt64(room.messageCount), "\(room.name)")
            #expect(conversation.isDropped == room.isDropped)
            if at == 0 { continue }
            #expect(conversation.order == room.members.map { numbers[$0.account] }, "\(room.name)")
            for member in room.members {
                #expect(conversation.role(of: numbers[member.account]) == member.role, "\(room.name)")
                #expect(conversation.joinSeq(of: numbers[member.account]) == member.joined, "\(room.name)")
            }
            #expect(Set(conversation.invited.keys) == Set(room.invited.map { numbers[$0.account] }))
        }
        for (account, number) in numbers.enumerated() {
            #expect(state.unread(of: number) == UInt64(model.unread(account)), "account \(account)")
            #expect(state.account(number)?.ownedCount == model.owned(account))
            #expect(state.account(number)?.conversations.count == model.joined(account))
        }
    }

    @Test(arguments: [UInt64(1), 2]) func `agrees with it over ten thousand random commands, and after a restart`(
        seed: UInt64
    ) throws {
        let pair = Pair(seed: seed)
        for _ in 0..<12 { try pair.signUp() }
        for step in 0..<10_000 {
            if let difference = try pair.step() {
                Issue.record("step \(step): \(difference)")
                return
            }
            if step % 1_000 == 999 {
                compare(pair.world.state, pair.model, pair.numbers)
                if pair.numbers.count < 16 { try pair.signUp() }
            }
        }
        // Written down as it was applied, and read back into a fresh state.
        var scribe = Scribe()
        let again = State(limits: Self.limits)
        for change in pair.world.changes {
            scribe.write(change, again)
            again.apply(change)
        }
        let replayed = try scribe.replayed(Self.limits)
        compare(replayed, pair.model, pair.numbers)
        for number in pair.numbers {
            let (one, two) = (pair.world.state.overview(of: number), replayed.overview(of: number))
            #expect(one.map(\.number) == two.map(\.number), "the same order of activity")
            #expect(one.map(\.unread) == two.map(\.unread) && one.map(\.role) == two.map(\.role))
            #expect(one.map(\.newestMessage) == two.map(\.newestMessage))
        }
        for at in pair.model.rooms.indices {
            let (one, two) = (pair.world.state.conversations[at], replayed.conversations[at])
            #expect((one.name, one.topic, one.isPrivate) == (two.name, two.topic, two.isPrivate))
            #expect((one.lastTime, one.lastKind) == (two.lastTime, two.lastKind))
        }
        // Every nonce still answers what it answered.
        for (account, known) in pair.model.nonces.enumerated() {
            for sent in known where !pair.model.rooms[sent.room].name.hasPrefix("@") {
                let name = pair.model.rooms[sent.room].name
                guard sent.room == 0 || pair.model.rooms[sent.room].at(account) != nil else { continue }
                let send = Send(
                    target: .named(name),
                    text: nil,
                    scalarCount: 0,
                    isBlank: false,
                    nonce: sent.nonce,
                    reply: nil,
                    geo: nil,
                    kind: nil
                )
                let decision = try replayed.decideSend(send, by: pair.numbers[account], now: pair.world.now)
                #expect(decision.isRepeat && decision.seq == sent.seq)
            }
        }
    }
}
