/// The kinds of servers the generator can load.
enum ServerKind: String, CaseIterable {
    case fc, redis, nats, irc

    /// The adapter, for what is not done for every message.
    var adapter: any Adapter.Type {
        switch self {
        case .fc: FriendlyChatAdapter.self
        case .redis: RedisAdapter.self
        case .nats: NATSAdapter.self
        case .irc: IRCAdapter.self
        }
    }

    /// `Adapter.scan` of this kind: one branch for each read, none for each message.
    @inline(__always)
    func scan(_ bytes: UnsafeRawBufferPointer, textCount: Int, _ body: (Notice) -> Void) -> Int {
        switch self {
        case .fc: FriendlyChatAdapter.scan(bytes, textCount: textCount, body)
        case .redis: RedisAdapter.scan(bytes, textCount: textCount, body)
        case .nats: NATSAdapter.scan(bytes, textCount: textCount, body)
        case .irc: IRCAdapter.scan(bytes, textCount: textCount, body)
        }
    }
}
