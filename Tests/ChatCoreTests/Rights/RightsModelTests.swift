import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Rights, against a plain model") struct RightsModelTests {
    /// Both sides of the comparison.
    private final class Trial {
        let world: World
        var model: RightsModel
        var people: [AccountNumber] = []
        var random: SeededRandom
        private var made = 0
        private static let guests: Set<Int> = [6, 7]

        init(seed: UInt64) throws {
            var limits = Limits()
            (limits.conversationsOwned, limits.conversationsJoined) = (100_000, 100_000)
            (world, model) = (World(limits), RightsModel(guests: Self.guests))
            random = SeededRandom(seed: seed)
            for person in 0..<8 {
                let isGuest = Self.guests.contains(person)
                people.append(try isGuest ? world.guest(word: UInt64(person)) : world.signUp("user\(person)"))
            }
        }

        private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        /// One of the rooms there are, the newest ones rather, or one that is not.
        private func room() -> String { "room\(max(0, made - pick(6)))" }

        /// Does one random thing on both sides; what differs, nil when they agree.
        func step() -> String? {
            let (who, other, name) = (pick(8), pick(8), room())
            let seq = pick((model.rooms[name]?.next ?? 1) + 2)
            let me = people[who]
            let target = ConversationTarget.named(name)
            let (expected, found): (String, String)
            var act = "?"
            switch pick(26) {
            case 0:
                let (new, isPrivate) = (pick(40) == 0 || made == 0 ? "room\(made + 1)" : name, pick(2) == 0)
                act = "create \(isPrivate)"
                expected = model.create(new, isPrivate: isPrivate, by: who)
                found = decided { () throws(Refusal) in
                    let create = Create(name: new, isPrivate: isPrivate, title: nil)
                    return try self.world.state.decideCreate(create, by: me, now: self.world.now)
                }
                if expected == "OK" { made += 1 }
            case 1...3:
                act = "join"
                expected = model.join(name, by: who)
                found = decided { () throws(Refusal) in
                    try self.world.state.decideJoin(target, by: me, now: self.world.now)
                }
            case 4:
                act = "leave"
                expected = model.leave(name, by: who)
                found = decided { () throws(Refusal) in
                    try self.world.state.decideLeave(target, by: me, now: self.world.now)
                }
            case 5, 6:
                act = "invite \(other)"
                expected = model.invite(other, to: name, by: who)
                found = decided { () throws(Refusal) in
                    let user = self.world.state.handleText(self.people[other])
                    return try self.world.state.decideInvite(target, user: user, by: me, now: self.world.now)
                }
            case 7...12:
                let what = moderation()
                act = "\(what) \(other)"
                expected = model.moderate(what, other, in: name, by: who)
                found = decided { () throws(Refusal) in
                    let user = self.world.state.handleText(self.people[other])
                    let moderation = Moderation(target: target, user: user, act: what)
                    return try self.world.state.decideModeration(moderation, by: me, now: self.world.now)
                }
            case 13:
                let title = "title \(pick(3))"
                act = title
                expected = model.retitle(name, title, by: who)
                found = decided { () throws(Refusal) in
                    try self.world.state.decideTopic(target, title, by: me, now: self.world.now)
                }
            case 14 where pick(20) == 0:
                act = "drop"
                expected = model.drop(name, by: who)
                found = decided { () throws(Refusal) in
                    try self.world.state.decideDrop(target, by: me, now: self.world.now)
                }
            case 15:
                act = "seen \(seq)"
                expected = model.see(seq, in: name, by: who)
                found = outcome { () throws(Refusal) in
                    _ = try self.world.state.moveMarker(target, Seq(seq), by: me)
                    return "OK"
                }
            case 16...18: (act, expected, found) = rewrite(seq, name, who)
            case 19, 20: return compareHistory(name, who)
            default:
                act = "send"
                expected = model.send(to: name, by: who)
                found = outcome { () throws(Refusal) in
                    try self.world.send(to: target, by: me)
                    return "OK"
                }
            }
            world.pass(milliseconds: 1)
            return expected == found ? nil : "\(act) in \(name) by \(who): \(expected) but \(found)"
        }

        private func moderation() -> Moderation.Act {
            switch pick(8) {
            case 0: .eject(reason: pick(2) == 0 ? nil : "be nice")
            case 1: .ban(reason: nil)
            case 2: .unban
            case 3: .mute(seconds: nil)
            case 4: .unmute
            default: .grant(Role.allCases[pick(4)])
            }
        }

        /// EDIT, DELETE or EMOTE; what the line would tell of the message comes from the model.
        private func rewrite(_ seq: Int, _ name: String, _ who: Int) -> (String, String, String) {
            let events = model.rooms[name]?.events ?? []
            let message = seq >= 1 && seq <= events.count ? events[seq - 1] : nil
            let facts = MessageFacts(
                author: message?.author.map { people[$0] },
                isDeleted: message?.isDeleted ?? false
            )
            let (state, me, now, target) = (world.state, people[who], world.now, ConversationTarget.named(name))
            func found(_ decide: (ConversationNumber) throws(Refusal) -> Event?) -> String {
                outcome { () throws(Refusal) in
                    let number = try state.findMessage(target, Seq(seq), by: me)
                    guard let event = try decide(number) else { return "dup" }
                    self.world.apply(state.changesBefore(actionOf: me) + [.event(event)])
                    return "OK"
                }
            }
            switch pick(3) {
            case 0:
                let text = TextRange(range: ArenaRange(offset: 0, count: 1), scalarCount: 1, isBlank: false)
                let edit = Edit(target: target, message: Seq(seq), text: text)
                return (
                    "edit \(seq)", model.edit(seq, in: name, by: who),
                    found { (number) throws(Refusal) in try state.decideEdit(edit, facts, in: number, by: me, now: now)
                    }
                )
            case 1:
                return (
                    "delete \(seq)", model.delete(seq, in: name, by: who),
                    found { (number) throws(Refusal) in
                        try state.decideDelete(Seq(seq), facts, in: number, by: me, now: now)
                    }
                )
            default:
                let reaction = Reaction(message: Seq(seq), emoji: ["👍", "❤️"][pick(2)], isOff: pick(3) == 0)
                return (
                    "react \(seq) \(reaction)",
                    model.react(reaction.emoji, isOff: reaction.isOff, to: seq, in: name, by: who),
                    found { (number) throws(Refusal) in
                        try state.decideReact(reaction, facts, in: number, by: me, now: now)
                    }
                )
            }
        }

        private func compareHistory(_ name: String, _ who: Int) -> String? {
            let me = people[who]
            var found: Result<[Int], Refusal>
            do throws(Refusal) {
                let place = try world.state.findAsMember(.named(name), me)
                let page = world.state.decideHistory(in: place, .newest, limit: 200, by: me)
                found = .success(page.seqs.map(Int.init))
            } catch {
                found = .failure(error)
            }
            switch (model.history(of: name, by: who), found) {
            case (.success(let a), .success(let b)) where a == b: return nil
            case (.failure(let a), .failure(let b)) where a.code == b.code: return nil
            case (let a, let b): return "history of \(name) by \(who): \(a) but \(b)"
            }
        }

        private func decided(_ decide: () throws(Refusal) -> Decision) -> String {
            outcome { () throws(Refusal) in
                let decision = try decide()
                self.world.apply(decision)
                return decision.changes.isEmpty ? "dup" : "OK"
            }
        }

        private func outcome(_ body: () throws(Refusal) -> String) -> String {
            do throws(Refusal) { return try body() } catch {
                return error.code.rawValue + (error.field.map { " " + $0 } ?? "")
            }
        }

        /// Everything that is known of everybody, on both sides.
        func compare() {
            for (name, room) in model.rooms {
                guard let number = world.state.conversation(key: name) else {
                    Issue.record("\(name) is not there")
                    continue
                }
                let conversation = world.state.conversation(number)
                #expect(conversation.isDropped == room.isDropped && conversation.topic == room.title, "\(name)")
                #expect(conversation.nextSeq == Seq(room.next), "\(name)")
                #expect(conversation.order == room.order.map { people[$0] }, "\(name)")
                #expect(Set(conversation.invited.keys) == Set(room.invited.map { people[$0] }), "\(name)")
                for (who, number) in people.enumerated() {
                    #expect(conversation.role(of: number) == room.roles[who], "\(name) \(who)")
                    #expect((conversation.banned[number] != nil) == room.banned.contains(who), "\(name) \(who)")
                    #expect((conversation.muted[number] != nil) == room.muted.contains(who), "\(name) \(who)")
                    guard room.isMember(who) else { continue }
                    let unread = world.state.unread(in: conversation.number, by: number)
                    #expect(unread == UInt64(model.unread(name, by: who)), "\(name) \(who)")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [UInt64(1), 2, 3, 4])
    func `100,000 random steps come to the same`(seed: UInt64) throws {
        let trial = try Trial(seed: seed)
        for number in 0..<25_000 {
            if let difference = trial.step() { return #expect(Bool(false), "step \(number): \(difference)") }
            if number % 1000 == 0 { trial.compare() }
        }
        trial.compare()
    }
}
