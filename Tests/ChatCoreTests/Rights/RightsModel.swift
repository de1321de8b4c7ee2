import ChatModel

/// The rules of conversations in their plainest form, to compare with: people are numbers, a room is a list of what
/// happened. Says of each act what comes of it: `OK`, `dup`, or a code with the field at fault.
struct RightsModel {
    struct Event {
        /// Nil for what is no message.
        let author: Int?
        var isDeleted = false
        var reactions: Set<String> = []
    }

    struct Room {
        let isPrivate: Bool
        var isDropped = false
        var title: String?
        /// Eldest first.
        var order: [Int] = []
        var roles: [Int: Role] = [:]
        /// The seq of the event that let somebody in.
        var joined: [Int: Int] = [:]
        var read: [Int: Int] = [:]
        var invited: Set<Int> = []
        var banned: Set<Int> = []
        var muted: Set<Int> = []
        var events: [Event] = []

        var next: Int { events.count + 1 }
        func isMember(_ who: Int) -> Bool { roles[who] != nil }
        func isOp(_ who: Int) -> Bool { (roles[who] ?? .reader) >= .op }
        func mayWrite(_ who: Int) -> Bool { isMember(who) && roles[who] != .reader && !muted.contains(who) }
        func first(_ who: Int) -> Int { isPrivate ? joined[who] ?? next : 1 }
        func isMessage(_ seq: Int, for who: Int) -> Bool {
            seq >= first(who) && seq >= 1 && seq < next && events[seq - 1].author != nil
        }
        func messages(after seq: Int) -> Int { events.dropFirst(seq).count { $0.author != nil } }

        mutating func happen(_ event: Event = Event(author: nil)) { events.append(event) }

        mutating func admit(_ who: Int, _ role: Role) {
            happen()
            order.append(who)
            (roles[who], joined[who], read[who]) = (role, events.count, events.count)
            invited.remove(who)
        }

        mutating func dismiss(_ who: Int) {
            order.removeAll { $0 == who }
            (roles[who], joined[who], read[who]) = (nil, nil, nil)
        }
    }

    var rooms: [String: Room] = [:]
    let guests: Set<Int>

    init(guests: Set<Int>) { self.guests = guests }

    // MARK: What anybody may know

    private func hides(_ name: String, from who: Int) -> String? {
        guard let room = rooms[name], !room.isDropped else { return "NOT-FOUND" }
        if room.isMember(who) { return nil }
        return room.isPrivate ? "NOT-FOUND" : "DENIED"
    }

    private func isUnknown(_ name: String, to who: Int) -> Bool {
        guard let room = rooms[name], !room.isDropped else { return true }
        return room.isPrivate && !room.isMember(who) && !room.invited.contains(who)
    }

    // MARK: Acts

    mutating func create(_ name: String, isPrivate: Bool, by who: Int) -> String {
        if guests.contains(who) { return "DENIED" }
        if rooms[name] != nil { return "EXISTS conv" }
        var room = Room(isPrivate: isPrivate)
        room.admit(who, .owner)
        rooms[name] = room
        return "OK"
    }

    mutating func join(_ name: String, by who: Int) -> String {
        guard var room = rooms[name], !isUnknown(name, to: who) else { return "NOT-FOUND" }
        if room.isMember(who) { return "dup" }
        if room.banned.contains(who) { return "DENIED" }
        room.admit(who, .member)
        rooms[name] = room
        return "OK"
    }

    mutating func leave(_ name: String, by who: Int) -> String {
        guard var room = rooms[name], !isUnknown(name, to: who) else { return "NOT-FOUND" }
        guard let role = room.roles[who] else { return room.isPrivate ? "NOT-FOUND" : "DENIED" }
        room.happen()
        room.dismiss(who)
        if room.order.isEmpty {
            if room.isPrivate { drop(&room) }
        } else if role == .owner {
            let heir = [Role.op, .member, .reader].lazy.compactMap { role in room.order.first { room.roles[$0] == role }
            }
            if let heir = heir.first { room.roles[heir] = .owner }
            room.happen()
        }
        rooms[name] = room
        return "OK"
    }

    mutating func invite(_ other: Int, to name: String, by who: Int) -> String {
        guard var room = rooms[name], !isUnknown(name, to: who) else { return "NOT-FOUND" }
        guard room.isMember(who) else { return room.isPrivate ? "NOT-FOUND" : "DENIED" }
        if room.isMember(other) { return "dup" }
        if !room.isOp(who) || room.banned.contains(other) { return "DENIED" }
        if room.invited.contains(other) { return "dup" }
        room.invited.insert(other)
        room.happen()
        rooms[name] = room
        return "OK"
    }

    mutating func moderate(_ act: Moderation.Act, _ other: Int, in name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.isOp(who) else { return "DENIED" }
        let isAgainst =
            switch act {
            case .eject, .ban, .mute: true
            case .unban, .unmute, .grant: false
            }
        if other == who, isAgainst { return "BAD-ARG user" }
        if room.roles[other] == .owner, room.roles[who] != .owner { return "DENIED" }
        switch act {
        case .eject, .mute, .grant: if !room.isMember(other) { return "NOT-FOUND user" }
        case .ban, .unban, .unmute: break
        }
        switch act {
        case .eject: room.dismiss(other)
        case .ban:
            if !room.banned.insert(other).inserted { return "dup" }
            room.invited.remove(other)
            room.dismiss(other)
        case .unban: if room.banned.remove(other) == nil { return "dup" }
        case .mute: if !room.muted.insert(other).inserted { return "dup" }
        case .unmute: if room.muted.remove(other) == nil { return "dup" }
        case .grant(let role):
            if room.roles[other] == role { return "dup" }
            if other == who, room.roles[who] == .owner { return "CONFLICT user" }
            if role == .owner {
                if room.roles[who] != .owner { return "DENIED" }
                room.roles[who] = .op
                room.happen()
            }
            room.roles[other] = role
        }
        room.happen()
        rooms[name] = room
        return "OK"
    }

    mutating func retitle(_ name: String, _ title: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.isOp(who) else { return "DENIED" }
        if room.title == title { return "dup" }
        room.title = title
        room.happen()
        rooms[name] = room
        return "OK"
    }

    mutating func drop(_ name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.roles[who] == .owner else { return "DENIED" }
        drop(&room)
        rooms[name] = room
        return "OK"
    }

    private func drop(_ room: inout Room) {
        room.happen()
        (room.isDropped, room.order, room.roles, room.joined, room.read) = (true, [], [:], [:], [:])
        room.invited = []
    }

    mutating func send(to name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.mayWrite(who) else { return "DENIED" }
        room.happen(Event(author: who))
        room.read[who] = room.events.count
        rooms[name] = room
        return "OK"
    }

    mutating func edit(_ seq: Int, in name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.isMessage(seq, for: who) else { return "NOT-FOUND id" }
        let message = room.events[seq - 1]
        if message.isDeleted { return "GONE id" }
        guard message.author == who, room.mayWrite(who) else { return "DENIED" }
        room.happen()
        rooms[name] = room
        return "OK"
    }

    mutating func delete(_ seq: Int, in name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.isMessage(seq, for: who) else { return "NOT-FOUND id" }
        if room.events[seq - 1].isDeleted { return "GONE id" }
        guard room.events[seq - 1].author == who || room.isOp(who) else { return "DENIED" }
        (room.events[seq - 1].isDeleted, room.events[seq - 1].reactions) = (true, [])
        room.happen()
        rooms[name] = room
        return "OK"
    }

    mutating func react(_ emoji: String, isOff: Bool, to seq: Int, in name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name], room.isMessage(seq, for: who) else { return "NOT-FOUND id" }
        if room.events[seq - 1].isDeleted { return "GONE id" }
        guard room.mayWrite(who) else { return "DENIED" }
        let mark = "\(who) \(emoji)"
        if room.events[seq - 1].reactions.contains(mark) != isOff { return "dup" }
        if isOff { room.events[seq - 1].reactions.remove(mark) } else { room.events[seq - 1].reactions.insert(mark) }
        room.happen()
        rooms[name] = room
        return "OK"
    }

    mutating func see(_ seq: Int, in name: String, by who: Int) -> String {
        if let hidden = hides(name, from: who) { return hidden }
        guard var room = rooms[name] else { return "NOT-FOUND" }
        if seq >= room.next { return "CONFLICT seq" }
        room.read[who] = max(room.read[who] ?? 0, seq)
        rooms[name] = room
        return "OK"
    }

    /// The messages that HISTORY may show; nil with the code when there is nothing to read.
    func history(of name: String, by who: Int) -> Result<[Int], Refusal> {
        if let hidden = hides(name, from: who) {
            return .failure(hidden == "DENIED" ? .denied("") : .notFound)
        }
        guard let room = rooms[name] else { return .failure(.notFound) }
        return .success((1..<room.next).filter { room.isMessage($0, for: who) }.suffix(200))
    }

    func unread(_ name: String, by who: Int) -> Int {
        guard let room = rooms[name], let read = room.read[who] else { return 0 }
        return room.messages(after: read)
    }
}
