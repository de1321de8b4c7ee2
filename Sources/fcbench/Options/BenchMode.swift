/// What the generator does to the server, with the numbers of that mode.
enum BenchMode: Equatable {
    /// One publisher, `subscribers` readers of one room, of whom the last `stalled` never read; at most `window`
    /// messages that some other reader lacks.
    case fan(subscribers: Int, window: Int, stalled: Int = 0)
    /// `rooms` rooms of `members` each, who all publish and all read; `window` for each of them.
    case many(rooms: Int, members: Int, window: Int)
    /// `perSecond` messages a second to `subscribers` readers, each stamped with the time it was due.
    case rate(perSecond: Double, subscribers: Int, stalled: Int = 0)
    /// `senders` connections with `inFlight` sends each that are not acknowledged yet; nobody reads.
    case acked(senders: Int, inFlight: Int)
    /// `connections` that sign in and then say nothing.
    case idle(connections: Int)
    /// `connections` one after the other, each closed when its handshake is done, or when it has signed in.
    case storm(connections: Int, resume: Bool, signIn: Bool)

    var name: String {
        switch self {
        case .fan: "fan"
        case .many: "many"
        case .rate: "rate"
        case .acked: "acked"
        case .idle: "idle"
        case .storm: "storm"
        }
    }

    var rooms: Int { if case .many(let rooms, _, _) = self { rooms } else { 1 } }

    var subscribersPerRoom: Int {
        switch self {
        case .fan(let subscribers, _, _), .rate(_, let subscribers, _): subscribers
        case .many(_, let members, _): members
        case .acked, .idle, .storm: 0
        }
    }

    /// Subscribers who never read: the last ones.
    var stalled: Int {
        switch self {
        case .fan(_, _, let stalled), .rate(_, _, let stalled): stalled
        case .many, .acked, .idle, .storm: 0
        }
    }

    var publishersPerRoom: Int {
        switch self {
        case .fan, .rate: 1
        case .many(_, let members, _): members
        case .acked(let senders, _): senders
        case .idle, .storm: 0
        }
    }

    /// Connections that subscribe: they come first, numbered room after room.
    var subscriberCount: Int { rooms * subscribersPerRoom }
    var publisherCount: Int { rooms * publishersPerRoom }

    /// Whether the publishers are the subscribers themselves, instead of connections of their own behind them.
    var membersPublish: Bool { if case .many = self { true } else { false } }

    var connectionCount: Int {
        switch self {
        case .idle(let connections), .storm(let connections, _, _): connections
        default: membersPublish ? subscriberCount : subscriberCount + publisherCount
        }
    }

    /// The connection of a publisher.
    func connection(ofPublisher publisher: Int) -> Int { membersPublish ? publisher : subscriberCount + publisher }

    /// The publisher that a connection is, nil when it only reads, or does nothing.
    func publisher(ofConnection connection: Int) -> Int? {
        if membersPublish { return connection }
        let publisher = connection - subscriberCount
        return publisher >= 0 && publisher < publisherCount ? publisher : nil
    }

    /// Whether a connection takes nothing of what it has subscribed to.
    func isStalled(_ connection: Int) -> Bool {
        connection < subscriberCount && connection >= subscriberCount - stalled
    }

    /// Messages a publisher may have open; nil when time alone says when to send.
    var window: Int? {
        switch self {
        case .fan(_, let window, _), .many(_, _, let window): window
        case .acked(_, let inFlight): inFlight
        case .rate, .idle, .storm: nil
        }
    }
}
