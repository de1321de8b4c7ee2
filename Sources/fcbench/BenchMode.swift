/// What the generator does to the server, with the numbers of that mode.
enum BenchMode: Equatable {
    /// One publisher, `subscribers` readers of one room; at most `window` messages that some reader lacks.
    case fan(subscribers: Int, window: Int)
    /// `rooms` rooms of `members` each, who all publish and all read; `window` for each of them.
    case many(rooms: Int, members: Int, window: Int)
    /// `perSecond` messages a second to `subscribers` readers, each stamped with the time it was due.
    case rate(perSecond: Double, subscribers: Int)
    /// `senders` connections with `inFlight` sends each that are not acknowledged yet; nobody reads.
    case acked(senders: Int, inFlight: Int)

    var name: String {
        switch self {
        case .fan: "fan"
        case .many: "many"
        case .rate: "rate"
        case .acked: "acked"
        }
    }

    var rooms: Int { if case .many(let rooms, _, _) = self { rooms } else { 1 } }

    var subscribersPerRoom: Int {
        switch self {
        case .fan(let subscribers, _), .rate(_, let subscribers): subscribers
        case .many(_, let members, _): members
        case .acked: 0
        }
    }

    var publishersPerRoom: Int {
        switch self {
        case .fan, .rate: 1
        case .many(_, let members, _): members
        case .acked(let senders, _): senders
        }
    }

    /// Connections that read: they come first, numbered room after room.
    var subscriberCount: Int { rooms * subscribersPerRoom }
    var publisherCount: Int { rooms * publishersPerRoom }

    /// Whether the publishers are the subscribers themselves, instead of connections of their own behind them.
    var membersPublish: Bool { if case .many = self { true } else { false } }
    var connectionCount: Int { membersPublish ? subscriberCount : subscriberCount + publisherCount }

    /// The connection of a publisher.
    func connection(ofPublisher publisher: Int) -> Int { membersPublish ? publisher : subscriberCount + publisher }

    /// The publisher that a connection is, nil when it only reads.
    func publisher(ofConnection connection: Int) -> Int? {
        if membersPublish { return connection }
        return connection < subscriberCount ? nil : connection - subscriberCount
    }

    /// Messages a publisher may have open; nil when time alone says when to send.
    var window: Int? {
        switch self {
        case .fan(_, let window), .many(_, _, let window): window
        case .acked(_, let inFlight): inFlight
        case .rate: nil
        }
    }
}
