/// The bookkeeping of a run: what was sent, what came of it. Knows no sockets and no clock.
struct Workload {
    let mode: BenchMode
    /// Tells this run's messages from others.
    let run: UInt16
    /// Whether sends are answered.
    private let acknowledges: Bool
    /// How many others, or with itself, each message goes to that can be counted: who stalls is not.
    private let readers: Int
    private(set) var sent: [UInt32]
    private(set) var acknowledged: [UInt32]
    private var credits: [Credits]
    private var deliveries: DeliveryLedger
    private var acknowledgements: AcknowledgementLedger
    /// Times of open sends of acked, a ring of `window` for each sender.
    private var openSends: [UInt64]
    private(set) var latencies = LatencyHistogram()
    /// Messages that are not of this run.
    private(set) var foreign = 0
    /// OKs beyond what was sent.
    private(set) var needless = 0
    /// When the last delivery or acknowledgement came that was lacking; 0 before the first.
    private(set) var lastProgress: UInt64 = 0

    init(mode: BenchMode, run: UInt16, traits: ServerTraits = ServerTraits()) {
        (self.mode, self.run, acknowledges) = (mode, run, traits.acknowledges)
        readers = mode.subscribersPerRoom - mode.stalled - (mode.membersPublish && !traits.echoes ? 1 : 0)
        let publishers = mode.publisherCount
        sent = Array(repeating: 0, count: publishers)
        acknowledged = sent
        acknowledgements = AcknowledgementLedger(senders: publishers)
        (credits, openSends) = ([], [])
        if let window = mode.window {
            if readers > 0 {
                credits = Array(repeating: Credits(window: window, readers: readers), count: publishers)
            } else {
                openSends = Array(repeating: 0, count: publishers * window)
            }
        }
        deliveries = DeliveryLedger(
            rooms: mode.rooms,
            subscribersPerRoom: mode.subscribersPerRoom,
            publishersPerRoom: mode.publishersPerRoom
        )
    }

    /// Whether the publisher's window lets it send one more.
    func maySend(_ publisher: Int) -> Bool {
        guard let window = mode.window else { return true }
        if credits.isEmpty { return sent[publisher] - acknowledged[publisher] < UInt32(window) }
        return credits[publisher].isOpen
    }

    /// The payload of the publisher's next message, sent or due at `now`; its window must be open.
    mutating func send(_ publisher: Int, at now: UInt64) -> Payload {
        let sequence = sent[publisher]
        sent[publisher] += 1
        if !credits.isEmpty { _ = credits[publisher].take() }
        if !openSends.isEmpty, let window = mode.window {
            openSends[publisher * window + Int(sequence) % window] = now
        }
        return Payload(run: run, publisher: UInt16(publisher), sequence: sequence, stamp: now)
    }

    /// One message has arrived; true when the publisher's window is open again.
    @inline(__always)
    mutating func delivered(_ payload: Payload, to subscriber: Int, at now: UInt64) -> Bool {
        let publisher = Int(payload.publisher)
        guard payload.run == run, publisher < sent.count, payload.sequence < sent[publisher] else {
            foreign += 1
            return false
        }
        guard deliveries.record(subscriber: subscriber, publisher: publisher, sequence: payload.sequence) else {
            return false
        }
        latencies.add(now > payload.stamp ? now - payload.stamp : 0)
        lastProgress = now
        return credits.isEmpty ? false : credits[publisher].arrived(payload.sequence)
    }

    mutating func foundForeign() { foreign += 1 }

    /// The publisher's oldest open send was acknowledged with `sequence` of the conversation.
    mutating func acknowledge(_ publisher: Int, sequence: UInt64, at now: UInt64) {
        guard acknowledged[publisher] < sent[publisher] else {
            needless += 1
            return
        }
        let open = acknowledged[publisher]
        acknowledged[publisher] += 1
        if openSends.isEmpty { return }
        if let window = mode.window {
            let stamp = openSends[publisher * window + Int(open) % window]
            latencies.add(now > stamp ? now - stamp : 0)
        }
        acknowledgements.record(sender: publisher, sequence: sequence)
        lastProgress = now
    }

    private var countsAcknowledgements: Bool { mode.subscribersPerRoom == 0 }
    var sentTotal: Int { sent.reduce(0) { $0 + Int($1) } }
    var acknowledgedTotal: Int { acknowledged.reduce(0) { $0 + Int($1) } }
    /// Deliveries (of acked: acknowledgements) that came for the first time.
    var unique: Int { countsAcknowledgements ? acknowledgements.unique : deliveries.unique }
    var expected: Int { sentTotal * (countsAcknowledgements ? 1 : readers) }
    var lost: Int { max(0, expected - unique) }
    var doubles: Int { deliveries.doubles + acknowledgements.doubles + needless }
    var disorders: Int { deliveries.disorders + acknowledgements.disorders + deliveries.strays }
    /// Everything that was sent has arrived and was acknowledged.
    var isComplete: Bool { unique >= expected && (!acknowledges || acknowledgedTotal >= sentTotal) }
}
