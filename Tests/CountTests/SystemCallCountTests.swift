import ChatTesting
import Testing

@Suite(
    "Which system calls the daemon makes",
    .serialized,
    .enabled(if: ReleasedDaemon.path != nil, "`make counts` counts on the release build")
)
struct SystemCallCountTests {
    @Test func `for 1,000 messages to 100`() throws {
        let counted = try CountedDaemon()
        let audience = try Audience(counted.daemon)
        try audience.warmUp()
        let counter = try SystemCallCounter(counted.daemon)
        try audience.send(1000)
        try Thresholds(of: "calls for 1,000 messages").expect(try counter.counts())
    }

    @Test func `for 1,000 messages of one who waits for each OK`() throws {
        let counted = try CountedDaemon()
        let audience = try Audience(counted.daemon, hearers: 0)
        try audience.warmUp()
        let counter = try SystemCallCounter(counted.daemon)
        for _ in 0..<1000 { try audience.speaker.ok("SEND #lobby hello") }
        try Thresholds(of: "calls for 1,000 messages one by one").expect(try counter.counts())
    }

    @Test func `for 1,000 lines of history`() throws {
        let counted = try CountedDaemon()
        let audience = try Audience(counted.daemon, hearers: 0)
        try audience.warmUp()
        let counter = try SystemCallCounter(counted.daemon)
        for _ in 0..<5 { try #require(try audience.speaker.rows("HISTORY limit=200 #lobby").count == 200) }
        try Thresholds(of: "calls for 1,000 lines of history").expect(try counter.counts())
    }

    @Test func `of an idle server with 100 connections, in 3 seconds`() throws {
        let counted = try CountedDaemon()
        let audience = try Audience(counted.daemon)
        try audience.warmUp()
        let counter = try SystemCallCounter(counted.daemon)
        let end = monotonicSeconds() + 3
        while monotonicSeconds() < end { pauseThread(0.1) }
        try Thresholds(of: "calls of an idle server").expect(try counter.counts())
        // What looked idle was not dead.
        try audience.send(20)
        #expect(try !counter.counts().isEmpty)
    }
}
