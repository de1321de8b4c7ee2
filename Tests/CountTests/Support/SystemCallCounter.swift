import ChatTesting
import Foundation
import Testing

/// strace(1) on every thread of a running daemon: which system calls it makes.
final class SystemCallCounter {
    private let directory = TemporaryDirectory()
    private let strace: ChildProcess
    private var start = 0

    private var log: String { directory.path + "/calls" }

    /// Attaches it, and waits until it holds every thread and these are at rest again.
    init(_ daemon: RunningDaemon) throws {
        let pid = try #require(daemon.process?.pid)
        let errors = directory.path + "/errors"
        strace = try ChildProcess(
            ["strace", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", directory.path + "/calls", "-p", "\(pid)"],
            errors: errors
        )
        let isHeld = polling(atMost: 15, every: 0.02) { [strace] () -> Bool? in
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
            let isFree = threads.contains { readWhole("/proc/\(pid)/task/\($0)/status").contains("TracerPid:\t0\n") }
            if strace.exitCode != nil { return false }
            return threads.isEmpty || isFree ? nil : true
        }
        try #require(
            isHeld == true,
            """
            strace does not get hold of fcd, so its system calls cannot be counted. It needs the right to trace \
            (ptrace(2)); a container has it with --cap-add=SYS_PTRACE. It says: \(readWhole(errors))
            """
        )
        try begin()
    }

    deinit {
        strace.signal(SIGTERM)
        _ = strace.wait(atMost: 10)
    }

    /// Forgets what was counted, as soon as the daemon rests.
    func begin() throws { start = try size() }

    /// The calls since `begin`, by name, as soon as the daemon rests. A call that blocks counts when it returns.
    func counts() throws -> [String: Double] {
        let end = try size()
        let all = try Data(contentsOf: URL(fileURLWithPath: log)).prefix(end).dropFirst(start)
        var counts: [String: Double] = [:]
        for line in all.split(separator: UInt8(ascii: "\n")) {
            let text = String(decoding: line.prefix(64), as: UTF8.self)
            // "4711 call(…", or "4711 <... call resumed>…" for the end of one that another thread's came between.
            let call = text.drop { $0 != " " }.drop { $0 == " " }
            guard !call.hasPrefix("<..."), !call.hasPrefix("+++"), let parenthesis = call.firstIndex(of: "(") else {
                continue
            }
            counts[String(call[..<parenthesis]), default: 0] += 1
        }
        return counts
    }

    /// Bytes of the log once it has not grown for 0.2 s.
    private func size() throws -> Int {
        var last = -1
        let size = polling(atMost: 10, every: 0.2) { () -> Int? in
            let attributes = try? FileManager.default.attributesOfItem(atPath: log)
            let now = attributes?[.size] as? Int ?? 0
            defer { last = now }
            return now == last ? now : nil
        }
        return try #require(size, "the daemon does not come to rest")
    }
}
