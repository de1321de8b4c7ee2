import Glibc

/// CPU time and memory of a process at one moment, as the kernel tells them (proc(5)).
struct ServerUsage: Equatable {
    /// Seconds in user and kernel mode, all threads.
    let cpuSeconds: Double
    /// Resident memory in KiB.
    let residentKiB: Int

    /// Reads both; nil when there is no such process.
    init?(pid: Int32) {
        guard let stat = Self.text(of: "/proc/\(pid)/stat"), let status = Self.text(of: "/proc/\(pid)/status"),
            let ticks = Self.ticks(inStat: stat), let resident = Self.resident(inStatus: status)
        else { return nil }
        cpuSeconds = Self.clock(of: pid) ?? Double(ticks) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        residentKiB = resident
    }

    /// The CPU clock of another process in seconds, to the nanosecond (clock_getcpuclockid(3)); nil when the kernel does
    /// not tell it. The ticks of proc(5) are hundredths of a second: too coarse for a server that is nearly idle.
    private static func clock(of pid: Int32) -> Double? {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// utime + stime, fields 14 and 15. The name in parentheses may hold blanks and parentheses itself.
    static func ticks(inStat text: String) -> UInt64? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]) else { return nil }
        return user + system
    }

    /// VmRSS of the status file, in KiB.
    static func resident(inStatus text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
        }
        return nil
    }

    /// CPU seconds of this process so far.
    static var ownCPUSeconds: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func text(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var room = [UInt8](repeating: 0, count: 8192)
        let count = fread(&room, 1, room.count, file)
        return count > 0 ? String(decoding: room.prefix(count), as: UTF8.self) : nil
    }
}
