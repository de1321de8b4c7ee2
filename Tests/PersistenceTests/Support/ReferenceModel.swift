import ChatModel

/// What protocol.md says of membership, seqs, nonces and unread counts, in the plainest way: lists, and no index. Answers
/// as `refused` does, and with the seq of the event.
struct ReferenceModel {
    struct Answer: Equatable {
        var outcome = "taken"
        var seq: Seq?
        var isRepeat = false
    }

    struct Room {
        let name: String
        let isPrivate: Bool
        var isDropped = false
        /// Eldest first.
        var members: [(account: Int, role: Role, joined: Seq)] = []
        var invited: [(account: Int, seq: Seq)] = []
        /// The sender of each event that is a message, nil for the others; event 1 first.
        var events: [Int?] = []
        /// By account, how many messages count as read.
        var read: [Int: Int] = [:]

        var next: Seq { Seq(events.count + 1) }
        var messageCount: Int { events.count { $0 != nil } }
        func at(_ account: Int) -> Int? { members.firstIndex { $0.account == account } }
    }

    let limits: Limits
    var accounts = 0
    /// The lobby first; 1:1s are named by both accounts.
    var rooms: [Room] = [Room(name: "lobby", isPrivate: false, events: [nil])]
    /// By account, oldest first.
    var nonces: [[(nonce: UInt64, room: Int, seq: Seq)]] = []

    init(limits: Limits) { self.limits = limits }

    mutating func signUp() {
        accounts += 1
        nonces.append([])
        rooms[0].read[accounts - 1] = rooms[0].messageCount
    }

    func joined(_ account: Int) -> Int { rooms.dropFirst().count { $0.at(account) != nil } }
    func owned(_ account: Int) -> Int {
        rooms.dropFirst().count { room in room.members.contains { $0.account == account && $0.role == .owner } }
    }

    private func visible(_ name: String, _ account: Int) -> Int? {
        guard let at = rooms.firstIndex(where: { $0.name == name }), !rooms[at].isDropped else { return nil }
        let knows = at == 0 || !rooms[at].isPrivate || rooms[at].at(account) != nil
        return knows || rooms[at].invited.contains { $0.account == account } ? at : nil
    }

    mutating func create(_ name: String, isPrivate: Bool, by account: Int) -> Answer {
        if rooms.contains(where: { $0.name == name }) { return Answer(outcome: "EXISTS conv") }
        if joined(account) >= limits.conversationsJoined || owned(account) >= limits.conversationsOwned {
            return Answer(outcome: "LIMIT")
        }
        rooms.append(
            Room(name: name, isPrivate: isPrivate, members: [(account, .owner, 1)], events: [nil], read: [account: 0])
        )
        return Answer(seq: 1)
    }

    mutating func join(_ name: String, by account: Int) -> Answer {
        guard let at = visible(name, account) else { return Answer(outcome: "NOT-FOUND") }
        if at == 0 { return Answer(seq: 1, isRepeat: true) }
        if let member = rooms[at].at(account) {
            return Answer(seq: rooms[at].members[member].joined, isRepeat: true)
        }
        if joined(account) >= limits.conversationsJoined { return Answer(outcome: "LIMIT") }
        let seq = rooms[at].next
        rooms[at].events.append(nil)
        rooms[at].members.append((account, .member, seq))
        rooms[at].invited.removeAll { $0.account == account }
        rooms[at].read[account] = rooms[at].messageCount
        return Answer(seq: seq)
    }

    mutating func leave(_ name: String, by account: Int) -> Answer {
        guard let at = visible(name, account) else { return Answer(outcome: "NOT-FOUND") }
        if at == 0 { return Answer(outcome: "DENIED") }
        guard let member = rooms[at].at(account) else {
            return Answer(outcome: rooms[at].isPrivate ? "NOT-FOUND" : "DENIED")
        }
        let seq = rooms[at].next
        let gone = rooms[at].members.remove(at: member)
        rooms[at].events.append(nil)
        if rooms[at].members.isEmpty {
            if rooms[at].isPrivate {
                rooms[at].events.append(nil)
                rooms[at].isDropped = true
                rooms[at].invited = []
            }
        } else if gone.role == .owner {
            rooms[at].events.append(nil)
            let heir = [Role.op, .member, .reader].lazy.compactMap { [members = rooms[at].members] role in
                members.firstIndex { $0.role == role }
            }.first
            if let heir { rooms[at].members[heir].role = .owner }
        }
        return Answer(seq: seq)
    }

    mutating func invite(_ invited: Int, to name: String, by account: Int) -> Answer {
        guard let at = visible(name, account) else { return Answer(outcome: "NOT-FOUND") }
        if at == 0 { return Answer(seq: 1, isRepeat: true) }
        guard let member = rooms[at].at(account) else {
            return Answer(outcome: rooms[at].isPrivate ? "NOT-FOUND" : "DENIED")
        }
        if let there = rooms[at].at(invited) {
            return Answer(seq: rooms[at].members[there].joined, isRepeat: true)
        }
        if rooms[at].members[member].role < .op { return Answer(outcome: "DENIED") }
        if let earlier = rooms[at].invited.first(where: { $0.account == invited }) {
            return Answer(seq: earlier.seq, isRepeat: true)
        }
        rooms[at].invited.append((invited, rooms[at].next))
        rooms[at].events.append(nil)
        return Answer(seq: rooms[at].next - 1)
    }

    mutating func send(to name: String, by account: Int, nonce: UInt64?, reply: Seq?) -> Answer {
        guard let at = visible(name, account) else { return Answer(outcome: "NOT-FOUND") }
        let member = rooms[at].at(account)
        if at != 0, member == nil { return Answer(outcome: rooms[at].isPrivate ? "NOT-FOUND" : "DENIED") }
        if let answer = repeated(nonce, at, account) { return answer }
        if let reply {
            let first = rooms[at].isPrivate ? member.map { rooms[at].members[$0].joined } ?? 1 : 1
            guard reply >= first, reply < rooms[at].next, rooms[at].events[Int(reply) - 1] != nil else {
                return Answer(outcome: "NOT-FOUND reply")
            }
        }
        return said(at, account, nonce)
    }

    mutating func sendDirect(to other: Int, by account: Int, nonce: UInt64?) -> Answer {
        if other == account { return Answer(outcome: "BAD-ARG conv") }
        let name = "@\(min(account, other)),\(max(account, other))"
        let at = rooms.firstIndex { $0.name == name }
        if let answer = repeated(nonce, at, account) { return answer }
        if let at { return said(at, account, nonce) }
        if joined(account) >= limits.conversationsJoined { return Answer(outcome: "LIMIT") }
        rooms.append(
            Room(
                name: name,
                isPrivate: true,
                // In the order of the handles, which are `user` and the number.
                members: [account, other].sorted { "user\($0)" < "user\($1)" }.map { ($0, .member, 1) },
                events: [nil],
                read: [account: 0, other: 0]
            )
        )
        return said(rooms.count - 1, account, nonce)
    }

    private func repeated(_ nonce: UInt64?, _ room: Int?, _ account: Int) -> Answer? {
        guard let nonce, let earlier = nonces[account].first(where: { $0.nonce == nonce }) else { return nil }
        if earlier.room != room { return Answer(outcome: "CONFLICT nonce") }
        return Answer(seq: earlier.seq, isRepeat: true)
    }

    private mutating func said(_ at: Int, _ account: Int, _ nonce: UInt64?) -> Answer {
        let seq = rooms[at].next
        rooms[at].events.append(account)
        rooms[at].read[account] = rooms[at].messageCount
        if let nonce {
            nonces[account].append((nonce, at, seq))
            if nonces[account].count > limits.nonces { nonces[account].removeFirst() }
        }
        return Answer(seq: seq)
    }

    /// Messages `account` has not read, where it is a member.
    func unread(_ account: Int) -> Int {
        rooms.indices.reduce(0) { sum, at in
            guard at == 0 || rooms[at].at(account) != nil else { return sum }
            return sum + rooms[at].messageCount - (rooms[at].read[account] ?? 0)
        }
    }
}
