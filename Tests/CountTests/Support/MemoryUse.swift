import ChatTesting
import Testing

/// What the kernel says of a process's memory (proc(5): smaps and stat).
struct MemoryUse: Equatable {
    /// KiB of it in memory: all, and what no file is behind.
    private(set) var resident = 0
    private(set) var anonymous = 0
    /// How often a page was missing that needed no reading from disk.
    private let pageFaults: Int
    /// KiB in memory by what is mapped; "" is what has no name.
    private var byName: [String: Int] = [:]

    init(of daemon: RunningDaemon) throws {
        let pid = try #require(daemon.process?.pid)
        var name = ""
        for line in readWhole("/proc/\(pid)/smaps").split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            switch words.first {
            case "Rss:":
                let size = Int(words[1]) ?? 0
                resident += size
                byName[name, default: 0] += size
            case "Anonymous:": anonymous += Int(words[1]) ?? 0
            case let first? where first.contains("-"): name = words.count > 5 ? String(words[5]) : ""
            default: break
            }
        }
        try #require(resident > 0, "the memory of fcd cannot be read")
        // Behind the name in parentheses: state, six numbers, flags, and the faults.
        let numbers = readWhole("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        pageFaults = try #require(numbers.count > 7 ? Int(numbers[7]) : nil)
    }

    /// By the names of thresholds.json5.
    var counts: [String: Double] {
        ["resident kB": Double(resident), "anonymous kB": Double(anonymous), "page faults": Double(pageFaults)]
    }

    /// Where most of it is, in words.
    var largest: String {
        byName.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(12)
            .map { "\n  \($0.value) kB \($0.key.isEmpty ? "without a name" : $0.key)" }.joined()
    }
}
