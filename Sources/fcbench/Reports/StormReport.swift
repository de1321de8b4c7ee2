/// What storm reports.
struct StormReport: Report, Equatable {
    var mode = "storm"
    var signIn: Bool
    /// Connections that were to be made.
    var wanted: Int
    /// Those that got through, and those of them whose handshake was resumed.
    var done: Int
    var resumed: Int
    var failed: Int
    var seconds: Double
    var perSecond: Double
    /// CPU of the server for one; nil without --server-pid, as the next.
    var serverCPUMillis: Double?
    var serverLoad: Double?
    var generatorLoad: Double

    var isSound: Bool { failed == 0 && done == wanted }

    func faults(first: String?) -> String {
        "storm: " + Self.words([("failed", failed), ("not made in time", wanted - done - failed)], first: first)
    }

    var columns: [(heading: String, cell: String)] {
        [
            ("mode", mode), ("done", String(done)), ("resumed", String(resumed)), ("failed", String(failed)),
            ("a second", Self.fixed(perSecond, 0)), ("ms each", Self.fixed(serverCPUMillis, 3)),
            ("server", Self.percent(serverLoad)), ("self", Self.percent(generatorLoad)),
        ]
    }
}
