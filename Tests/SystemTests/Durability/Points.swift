import ChatTesting
import Glibc
import SystemIO
import Testing

/// Which of the calls of a scenario the tests disturb: a few of every kind, or with the environment's CRASH_POINTS=all
/// (make crash-all) each of them.
enum Points {
    static let all: Bool = getenv("CRASH_POINTS").map { String(cString: $0) == "all" } ?? false

    /// Numbers of calls, the first is 1: with `all` every one; else the middle one of each kind in each place, or the
    /// middle one of each kind, and every removal of an upload's file.
    static func chosen(from calls: [FileCall], inEachPlace: Bool = true) -> [Int] {
        if all { return Array(1...max(1, calls.count)) }
        var groups: [String: [Int]] = [:]
        for (index, call) in calls.enumerated() where call.kind != .chmod && call.place != .tls {
            let name = inEachPlace ? "\(call.kind) \(call.place)" : call.kind.rawValue
            groups[name, default: []].append(index + 1)
        }
        // A file of an upload that has ended must not go too early, whichever it is.
        let removals = calls.indices.filter { calls[$0].kind == .unlink && calls[$0].place == .blobs }.map { $0 + 1 }
        return Set(groups.values.map { $0[$0.count / 2] } + removals).sorted()
    }

    /// Does `body`, which blocks, for each of `items`, a few at once; what it throws is an issue of the test.
    static func each<Item: Sendable & CustomStringConvertible>(
        _ items: [Item],
        _ body: @escaping @Sendable (Item) throws -> Void
    ) async {
        let left = Lock(Array(items.reversed()))
        await withTaskGroup(of: Void.self) { group in
            // Tasks, not threads: they know which test they belong to.
            for _ in 0..<3 {
                group.addTask {
                    while let item = left.withLock({ $0.popLast() }) {
                        do { try body(item) } catch { Issue.record("\(item): \(error)") }
                    }
                }
            }
        }
    }
}

/// The calls of the scenario, listed by a run without faults, which is checked by the way.
func listedCalls(fillsAhead: Bool = false) throws -> [FileCall] {
    let daemon = try RunningDaemon(unstarted: .init(hasFaults: true))
    let scenario = Scenario(daemon, fillsAhead: fillsAhead)
    try scenario.run()
    #expect(scenario.ledger.isWhole, "\(scenario.ledger)")
    #expect(scenario.ledger.heard == scenario.texts["#room"])
    let calls = daemon.faults.calls
    #expect(calls.count == daemon.faults.callCount)
    try Aftermath(scenario: scenario, about: "without a fault").check()
    return calls
}
