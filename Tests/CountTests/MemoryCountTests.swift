import ChatTesting
import Testing

@Suite(
    "How much memory the daemon holds",
    .serialized,
    .enabled(if: ReleasedDaemon.path != nil, "`make counts` counts on the release build")
)
struct MemoryCountTests {
    @Test func `when it has said READY with an empty directory`() throws {
        let daemon = try ReleasedDaemon.run()
        // What it does after READY, and does once, is over when two looks in a row see the same.
        var last: MemoryUse?
        let settled = polling(atMost: 5, every: 0.25) { () -> MemoryUse? in
            guard let use = try? MemoryUse(of: daemon) else { return nil }
            defer { last = use }
            return use == last ? use : nil
        }
        let use = try #require(settled, "the daemon does not come to rest")
        try Thresholds(of: "memory at READY").expect(use.counts) { _ in use.largest }
    }
}
