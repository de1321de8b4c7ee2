/// What has arrived of one publisher at one subscriber: the sequence expected next, and which of those before it came.
struct Arrivals {
    enum Verdict { case fresh, late, double }

    private var next: UInt32 = 0
    /// Bit n is set when `next` - 1 - n has arrived.
    private var recent: UInt64 = 0

    /// Judges one arrival: fresh ones come above all before; a late one fills a gap, which is a fault of order; a
    /// double was there already. One that comes 64 or more too late cannot be told from a double and counts as one.
    @inline(__always)
    mutating func record(_ sequence: UInt32) -> Verdict {
        if sequence >= next {
            let step = sequence - next + 1
            recent = step >= 64 ? 1 : recent << UInt64(step) | 1
            next = sequence + 1
            return .fresh
        }
        let age = next - 1 - sequence
        if age >= 64 || recent & (1 << UInt64(age)) != 0 { return .double }
        recent |= 1 << UInt64(age)
        return .late
    }
}

/// Judges every delivery of a run: each subscriber of a room hears each publisher of that room, in order, once.
///
/// All rooms have as many subscribers and publishers as the others; both are numbered through, room after room.
struct DeliveryLedger {
    private let subscribersPerRoom: Int
    private let publishersPerRoom: Int
    private let publisherCount: Int
    private var arrivals: [Arrivals]
    /// Deliveries that were expected and came for the first time, whatever their order.
    private(set) var unique = 0
    private(set) var doubles = 0
    private(set) var disorders = 0
    /// Deliveries of a publisher whose room the subscriber is not in, or of none.
    private(set) var strays = 0

    init(rooms: Int, subscribersPerRoom: Int, publishersPerRoom: Int) {
        (self.subscribersPerRoom, self.publishersPerRoom) = (subscribersPerRoom, publishersPerRoom)
        publisherCount = rooms * publishersPerRoom
        arrivals = Array(repeating: Arrivals(), count: rooms * subscribersPerRoom * publishersPerRoom)
    }

    /// Records one delivery; true when it is one that was lacking. O(1).
    @inline(__always)
    mutating func record(subscriber: Int, publisher: Int, sequence: UInt32) -> Bool {
        guard publisher < publisherCount, publisher / publishersPerRoom == subscriber / subscribersPerRoom else {
            strays += 1
            return false
        }
        let index = subscriber * publishersPerRoom + publisher % publishersPerRoom
        switch arrivals[index].record(sequence) {
        case .fresh: break
        case .late: disorders += 1
        case .double:
            doubles += 1
            return false
        }
        unique += 1
        return true
    }
}
