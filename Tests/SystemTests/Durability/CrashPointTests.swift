import ChatTesting
import SystemIO
import Testing

@Suite("Every call that changes a file is a point to crash at")
struct CrashPointTests {
    private struct Point: Sendable, CustomStringConvertible {
        let number: Int
        let call: FileCall
        let action: FileFault.Action
        var description: String { "\(action) \(number), \(call)" }
    }

    @Test func `killed before and after it, the server starts with all that it acknowledged`() async throws {
        let calls = try listedCalls()
        await kill(at: Points.chosen(from: calls), of: calls)
    }

    @Test func `the same while a segment is filled ahead and turned to`() async throws {
        let calls = try listedCalls(fillsAhead: true)
        let spare = calls.indices.filter { calls[$0].path == "journal/spare" }
        let first = try #require(spare.first)
        let last = try #require(calls.lastIndex { $0.kind == .rename && $0.place == .journal })
        #expect(spare.count > 35, "it was filled, and given its first line")
        let all = Array(first + 1...last + 2)
        await kill(at: Points.all ? all : [first + 1, all[all.count / 2], last + 1], of: calls, fillsAhead: true)
    }

    private func kill(at numbers: [Int], of calls: [FileCall], fillsAhead: Bool = false) async {
        let points = numbers.flatMap { number in
            let actions: [FileFault.Action] = [.killBefore, .killAfter]
            return (Points.all ? actions : [actions[number % 2]])
                .map { Point(number: number, call: calls[number - 1], action: $0) }
        }
        let kills = Lock(0)
        await Points.each(points) { point in
            let daemon = try RunningDaemon(unstarted: .init(hasFaults: true))
            try daemon.faults.set(FileFault(point.action, at: point.number))
            let scenario = Scenario(daemon, fillsAhead: fillsAhead)
            try scenario.run()
            if daemon.faults.hits > 0 { kills.withLock { $0 += 1 } }
            try daemon.faults.set(nil)
            try Aftermath(scenario: scenario, about: "\(point)").check()
        }
        print("killed at \(kills.withLock { $0 }) of \(points.count) points in \(calls.count) calls")
        // The calls of several threads do not fall alike each time.
        #expect(kills.withLock { $0 } >= points.count * 9 / 10, "of \(points.count)")
    }
}
