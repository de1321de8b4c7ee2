import ChatTesting
import Foundation
import Testing

@Suite("A backup or a restore that is killed", .timeLimit(.minutes(10)))
struct BackupCrashTests {
    private let holder = TemporaryDirectory()
    private var file: String { holder.path + "/backup" }
    private var target: String { holder.path + "/restored" }

    /// Runs fcd with a kill at one of its system calls.
    private func killed(_ call: String, _ number: Int, _ arguments: [String], data: String) throws -> FcdRun {
        let inject = "inject=\(call):signal=KILL:when=\(number)"
        let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", inject]
        return try FcdRun(arguments, data: data, wrapper: strace)
    }

    /// Golden data, of which the backup is known to be whole.
    private let golden = Result { try GoldenData("snapshot-1") }

    /// Calls, and how often a run makes each at least.
    private static let backupCalls = [("openat", 12), ("pwrite64", 12), ("fsync", 2), ("renameat2", 1)]

    @Test(arguments: backupCalls)
    func `at any call leaves no backup or a whole one, and the next one is made`(call: String, atLeast: Int) throws {
        let golden = try golden.get()
        let before = try golden.contents()
        var (kills, isMade) = (0, false)
        while kills < 200 {
            let run = try killed(call, kills + 1, ["backup", file], data: golden.data)
            if run.code == 0 {
                isMade = true
                break
            }
            kills += 1
            guard FileManager.default.fileExists(atPath: file) else { continue }
            #expect(try FcdRun(["restore", file], data: target).code == 0, "killed at \(call) \(kills)")
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.removeItem(atPath: target)
        }
        #expect(isMade && kills >= atLeast, "\(kills)")
        #expect(try golden.contents() == before)
        #expect(entries(of: holder.path) == ["backup"])
        #expect(try FcdRun(["restore", file], data: target).code == 0)
    }

    private static let restoreCalls = [("mkdir", 5), ("openat", 20), ("pwrite64", 9), ("fsync", 12), ("rename", 1)]

    @Test(arguments: restoreCalls)
    func `at any call leaves no data directory or a whole one, and the next restore is made`(
        call: String,
        atLeast: Int
    ) throws {
        let golden = try golden.get()
        var (kills, isMade) = (0, false)
        while kills < 200 {
            let run = try killed(call, kills + 1, ["restore", golden.backup], data: target)
            if run.code == 0 {
                isMade = true
                break
            }
            kills += 1
            guard FileManager.default.fileExists(atPath: target) else { continue }
            let daemon = try RunningDaemon(.init(data: target))
            #expect(try golden.isTold(by: daemon), "killed at \(call) \(kills)")
            daemon.kill()
            try FileManager.default.removeItem(atPath: target)
        }
        #expect(isMade && kills >= atLeast, "\(kills)")
        #expect(entries(of: holder.path) == ["restored"])
        let daemon = try RunningDaemon(.init(data: target))
        #expect(try golden.isTold(by: daemon))
    }
}
