import Glibc

extension RunningDaemon {
    /// Resident memory in KiB (proc(5), VmRSS); 0 when it does not run.
    package var residentKiB: Int {
        guard let pid = process?.pid else { return 0 }
        for line in readWhole("/proc/\(pid)/status").split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
        }
        return 0
    }

    /// Descriptors it has open (proc(5), fd).
    package var descriptorCount: Int {
        guard let pid = process?.pid, let directory = opendir("/proc/\(pid)/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    /// Seconds of CPU it has used, user and system (proc(5), stat fields 14 and 15).
    package var cpuSeconds: Double {
        guard let pid = process?.pid else { return 0 }
        let stat = readWhole("/proc/\(pid)/stat")
        guard let name = stat.lastIndex(of: ")") else { return 0 }
        let fields = stat[stat.index(after: name)...].split(separator: " ").compactMap { Double($0) }
        // The state letter drops out above, so that field 14 is at index 10.
        guard fields.count > 11 else { return 0 }
        return (fields[10] + fields[11]) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
