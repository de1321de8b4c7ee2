import ChatTesting
import Testing

@Suite(
    "What a message to 100 costs",
    .serialized,
    .enabled(if: ReleasedDaemon.path != nil, "`make counts` counts on the release build")
)
struct MessageCountTests {
    @Test func `allocations of our own, in a steady stream`() throws {
        let counted = try CountedDaemon()
        let audience = try Audience(counted.daemon)
        try audience.warmUp()
        let allocations = try counted.allocations { try audience.send(1000) }
        try Thresholds(of: "message").expect(["allocations": allocations / 1000]) { _ in
            let profile = try? profile()
            return profile?.callers { $0 == "swift_slowAlloc" || $0 == "swift_allocObject" } ?? ""
        }
    }

    @Test func `retains, exclusivity checks and instructions of our own`() throws {
        let profile = try profile()
        try #require(profile.ownInstructions > 0, "the profile tells nothing of fcd")
        let counted = [
            "retains": profile.calls(Self.isRetain), "exclusivityChecks": profile.calls(Self.isExclusivityCheck),
            "instructions": profile.ownInstructions,
        ]
        try Thresholds(of: "message").expect(counted.mapValues { Double($0) / 1000 }) { name in
            switch name {
            case "retains": profile.callers(Self.isRetain)
            case "exclusivityChecks": profile.callers(Self.isExclusivityCheck)
            default: ""
            }
        }
    }

    /// Of every kind, by the names of the Swift runtime.
    private static func isRetain(_ function: String) -> Bool {
        function.hasPrefix("swift_") && function.contains("etain")
    }

    private static func isExclusivityCheck(_ function: String) -> Bool { function.hasPrefix("swift_beginAccess") }

    /// What 1,000 messages cost.
    private func profile() throws -> CallProfile {
        let profiled = try ProfiledDaemon()
        let audience = try Audience(profiled.daemon)
        try audience.warmUp()
        _ = try profiled.profile(audience.speaker)
        try audience.send(1000)
        return try profiled.profile(audience.speaker)
    }
}
