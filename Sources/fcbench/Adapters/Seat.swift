/// A connection's part in a run.
struct Seat: Equatable {
    /// Its number among all connections.
    let index: Int
    /// The room it reads or publishes in; nil when it only signs in.
    let room: String?
    let reads: Bool
    /// Whether its messages are to be on disk before they are answered.
    var stores = false
}

extension BenchOptions {
    /// The part of connection number `index`.
    func seat(_ index: Int) -> Seat {
        let reads = index < mode.subscriberCount
        let isIn = reads || mode.publisher(ofConnection: index) != nil
        let room = isIn ? roomName(reads ? index / mode.subscribersPerRoom : 0) : nil
        var stores = false
        if case .acked = mode { stores = true }
        return Seat(index: index, room: room, reads: reads, stores: stores)
    }
}
