/// What idle reports.
struct IdleReport: Report, Equatable {
    var mode = "idle"
    var connections: Int
    /// Seconds until all were signed in.
    var setUpSeconds: Double
    /// Seconds of silence.
    var seconds: Double
    var closed: Int
    /// Memory of the server before the first connection, and for each of them; nil without --server-pid, as the rest.
    var emptyKiB: Int?
    var kibPerConnection: Double?
    /// CPU of the server for getting one connection ready.
    var setUpCPUMillis: Double?
    /// Share of one CPU the server used while everybody was silent.
    var serverLoad: Double?

    var isSound: Bool { closed == 0 }

    func faults(first: String?) -> String { "idle: " + Self.words([("connections closed", closed)], first: first) }

    var columns: [(heading: String, cell: String)] {
        [
            ("mode", mode), ("conns", String(connections)), ("empty MB", Self.megabytes(emptyKiB)),
            ("KiB each", Self.fixed(kibPerConnection, 2)), ("set-up s", Self.fixed(setUpSeconds, 2)),
            ("ms each", Self.fixed(setUpCPUMillis, 3)),
            ("idle CPU", serverLoad.map { Self.fixed($0 * 100, 3) + "%" } ?? "-"),
            ("closed", String(closed)),
        ]
    }
}
