/// What fan, many, rate and acked report.
struct BenchReport: Report, Equatable {
    var mode: String
    var connections: Int
    var stalled: Int
    var bytes: Int
    var seconds: Double
    var sent: Int
    /// Answers to sends; nil when the server gives none.
    var acknowledged: Int?
    /// Deliveries that came for the first time; of acked: acknowledgements.
    var deliveries: Int
    var perSecond: Double
    var p50Micros: Double
    var p99Micros: Double
    var p999Micros: Double
    var maxMicros: Double
    var lost: Int
    var doubled: Int
    var disordered: Int
    /// Messages of somebody else in our rooms; no fault of the server's.
    var foreign: Int
    /// Sends that were refused.
    var refused: Int
    var closed: Int
    /// CPU seconds of the server for a million deliveries; nil without --server-pid, as the next three.
    var serverCPUPerMillion: Double?
    /// Share of one CPU the server used.
    var serverLoad: Double?
    var serverResidentKiB: Int?
    /// What the server's memory grew by from the first send to the end.
    var serverGrowthKiB: Int?
    /// Share of one CPU the generator used: near 1 it was the generator that limited the rate.
    var generatorLoad: Double

    /// Nothing lost, doubled, out of order or refused, and no connection broken.
    var isSound: Bool {
        lost == 0 && doubled == 0 && disordered == 0 && refused == 0 && closed == 0 && unanswered == 0
    }

    private var unanswered: Int { acknowledged.map { abs(sent - $0) } ?? 0 }

    func faults(first: String?) -> String {
        let counts = [
            ("deliveries lost", lost), ("doubled", doubled), ("out of order", disordered), ("sends refused", refused),
            ("connections closed", closed), ("sends not acknowledged", unanswered),
        ]
        return "\(mode): " + Self.words(counts, first: first)
    }

    var columns: [(heading: String, cell: String)] {
        [
            ("mode", mode), ("conns", String(connections)), ("deliv/s", Self.fixed(perSecond, 0)),
            ("p50 us", Self.fixed(p50Micros, 0)), ("p99 us", Self.fixed(p99Micros, 0)),
            ("p99.9 us", Self.fixed(p999Micros, 0)), ("max us", Self.fixed(maxMicros, 0)), ("lost", String(lost)),
            ("double", String(doubled)), ("order", String(disordered)),
            ("cpu-s/M", Self.fixed(serverCPUPerMillion, 3)), ("RSS MB", Self.megabytes(serverResidentKiB)),
            ("grew MB", Self.megabytes(serverGrowthKiB)), ("server", Self.percent(serverLoad)),
            ("self", Self.percent(generatorLoad)),
        ]
    }
}
