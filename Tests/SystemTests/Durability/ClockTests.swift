import ChatTesting
import Glibc
import Testing

@Suite("A wall clock that is set", .timeLimit(.minutes(10)))
struct ClockTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let year = 365 * day

    /// Set back, ahead, and still, by much.
    private static let clocks: [FaultLibrary.WallClock] = [
        .shifted(milliseconds: -40 * day), .shifted(milliseconds: 2 * year), .shifted(milliseconds: 0),
        .still(milliseconds: 946_684_800_000), .shifted(milliseconds: -20 * year), .shifted(milliseconds: 25 * hour),
    ]

    /// A daemon whose clock can be set.
    private func daemon(_ settings: [String] = [], isQuick: Bool = true) throws -> RunningDaemon {
        try RunningDaemon(.init(settings: settings, isQuick: isQuick, hasFaults: true))
    }

    @Test(arguments: [false, true])
    func `in a conversation no time is before the one in front of it, and nothing is missing or doubled`(
        restarts: Bool
    ) throws {
        let daemon = try daemon()
        var ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        var texts: [String] = []
        for clock in Self.clocks {
            try daemon.faults.set(clock: clock)
            if restarts {
                try daemon.restart()
                ann = try daemon.another(of: ann)
            }
            for _ in 0..<5 {
                let text = "t\(texts.count)"
                try ann.ok("SEND nonce=\(text) #room \(text)")
                texts.append(text)
            }
            for text in texts {
                #expect(try ann.ok("SEND nonce=\(text) #room \(text)")["dup"] == "yes", "\(clock): \(text)")
            }
            try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        }
        #expect(try ann.allTexts(of: "#room") == texts)
        let rows = try ann.rows("HISTORY limit=200 #room")
        #expect(timesNeverGoBack(rows) && rows.count == texts.count)
        let last = try #require(rows.last).seq
        for row in rows.dropLast() {
            // By seq, and by time, wherever one begins.
            let after = try ann.rows("HISTORY after=\(row.seq) limit=200 #room").map(\.seq)
            #expect(after == Array((row.seq + 1)...last))
            let time = row["ts"] ?? ""
            #expect(try ann.rows("HISTORY before=\(time) limit=200 #room").allSatisfy { ($0["ts"] ?? "") < time })
            let reader = try daemon.another(of: ann)
            try reader.ok("SUB since=\(row.seq) #room")
            #expect(try reader.logEvents(of: "#room", count: last - row.seq).map(\.seq) == after)
        }
    }

    @Test func `a repeated SEND is known after a leap by years, a snapshot and a restart`() throws {
        let daemon = try daemon()
        let ann = try daemon.user("ann")
        try ann.ok("SEND nonce=a #lobby a")
        for clock in Self.clocks {
            try daemon.faults.set(clock: clock)
            #expect(try ann.ok("SEND nonce=a #lobby a")["dup"] == "yes", "\(clock)")
            try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
            try ann.ok("SEND #lobby so that the next snapshot writes the account again")
            try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        }
        try daemon.restart()
        #expect(try daemon.another(of: ann).ok("SEND nonce=a #lobby a")["dup"] == "yes")
    }

    @Test func `failed sign-ins wait as long as they were told, no longer and no shorter`() throws {
        let daemon = try daemon(["auth.scrypt-n=1024", "auth.scrypt-p=1", "limits.handshakes=100"], isQuick: false)
        _ = try daemon.user("ann")
        var wait = 0
        for _ in 0..<40 where wait < 2 {
            let client = try daemon.client()
            wait = Int(try client.request("AUTH ann wrong-password").final["retry"] ?? "") ?? 0
        }
        #expect(wait >= 1, "it must be told to wait")
        try daemon.faults.set(clock: .shifted(milliseconds: Self.year))
        let ahead = try daemon.client().request("AUTH ann Secret123")
        #expect(ahead.code == "LIMIT", "a leap ahead does not end the waiting: \(ahead)")
        try daemon.faults.set(clock: .shifted(milliseconds: -Self.year))
        let back = try daemon.client().request("AUTH ann Secret123")
        #expect((back.final["retry"].flatMap { Int($0) } ?? 0) <= wait, "nor does one back prolong it: \(back)")
        #expect(
            try holds(within: Double(wait) + 3, every: 0.2) { try daemon.client().request("AUTH ann Secret123").isOK }
        )
    }

    @Test(arguments: clocks)
    func `a guest is not idle for a month because the clock says so`(clock: FaultLibrary.WallClock) throws {
        let daemon = try daemon()
        let guest = try daemon.client()
        guest.token = try guest.ok("AUTH anonymous=yes")["token"] ?? ""
        try guest.ok("SEND #lobby here I am")
        guest.close()
        try daemon.faults.set(clock: clock)
        // Guests are looked at once a second.
        pauseThread(0.9)
        pauseThread(0.9)
        pauseThread(0.9)
        try daemon.client().ok("AUTH token=\(guest.token)")
    }

    @Test(arguments: clocks)
    func `sessions live on, and a sign-out stays one`(clock: FaultLibrary.WallClock) throws {
        let daemon = try daemon()
        let ann = try daemon.user("ann")
        let other = try daemon.client()
        let dead = try #require(try other.ok("AUTH ann Secret123")["token"])
        try other.ok("LOGOUT")
        try daemon.faults.set(clock: clock)
        try daemon.another(of: ann).ok("WHOAMI")
        try daemon.client().expectRefusal("AUTH token=\(dead)", "BAD-AUTH")
        try daemon.restart()
        try daemon.another(of: ann).ok("WHOAMI")
        try daemon.client().expectRefusal("AUTH token=\(dead)", "BAD-AUTH")
    }

    @Test(arguments: [
        FaultLibrary.WallClock.still(milliseconds: 946_684_800_000), .shifted(milliseconds: -year),
    ])
    func `a snapshot is due after its interval all the same`(clock: FaultLibrary.WallClock) throws {
        let daemon = try daemon(["snapshot.interval=1"])
        let ann = try daemon.user("ann")
        let snapshot = SnapshotDirectory(daemon)
        #expect(snapshot.isNewer(than: 0))
        try daemon.faults.set(clock: clock)
        for _ in 0..<2 {
            let generation = snapshot.generation
            try ann.ok("SEND #lobby news")
            #expect(holds(within: 6) { snapshot.generation > generation })
        }
    }

    @Test func `no snapshot is due because the clock leaps`() throws {
        let daemon = try daemon(["snapshot.interval=86400"])
        let ann = try daemon.user("ann")
        try daemon.faults.set(clock: .shifted(milliseconds: Self.year))
        try ann.ok("SEND #lobby news")
        pauseThread(0.9)
        pauseThread(0.9)
        try ann.ok("SEND #lobby news")
        #expect(SnapshotDirectory(daemon).generation == 0)
    }

    @Test func `deadlines and the stop keep their time while the clock stands still`() throws {
        let daemon = try daemon(["limits.sign-in-time=2"])
        try daemon.faults.set(clock: .still(milliseconds: 946_684_800_000))
        let start = monotonicSeconds()
        let silent = try daemon.client()
        #expect(silent.isEnded(within: 10))
        #expect((1.9...6).contains(monotonicSeconds() - start))
        let ann = try daemon.user("ann")
        try daemon.faults.set(clock: .shifted(milliseconds: Self.year))
        let early = try daemon.client()
        try early.ok("PING x")
        try ann.ok("SEND #lobby hello")
        #expect(daemon.terminate(within: 5) == 0)
    }
}
