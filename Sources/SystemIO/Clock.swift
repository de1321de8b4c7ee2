import CLinux
import Glibc

/// The system's two clocks, read at the edge and passed inward as numbers.
package enum Clock {
    /// Milliseconds since 1970, UTC; may be set back by the operator.
    package static var milliseconds: Int64 {
        var t = timespec()
        clock_gettime(CLOCK_REALTIME, &t)
        return Int64(t.tv_sec) * 1000 + Int64(t.tv_nsec) / 1_000_000
    }

    /// Nanoseconds since some fixed point; never goes back.
    package static var monotonicNanoseconds: UInt64 {
        var t = timespec()
        clock_gettime(CLOCK_MONOTONIC, &t)
        return UInt64(t.tv_sec) &* 1_000_000_000 &+ UInt64(t.tv_nsec)
    }
}

extension Clock {
    /// Milliseconds since some fixed point; never goes back.
    package static var monotonicMilliseconds: Int64 { Int64(clamping: monotonicNanoseconds / 1_000_000) }
}

/// Random bytes of the kernel (getrandom(2)).
package enum SystemRandom {
    package static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        precondition(fc_getrandom(bytes.baseAddress, bytes.count) == 0, "getrandom cannot fail once seeded")
    }
}

/// What the machine offers this process.
package enum Machine {
    /// CPUs this process may run on (sched_getaffinity(2)), at least 1.
    package static var cpuCount: Int { max(1, Int(fc_cpu_count())) }

    /// Bytes of memory this process may have: of the machine, or of its control group if that is less.
    package static var memoryBytes: UInt64 {
        let physical = UInt64(clamping: sysconf(Int32(_SC_PHYS_PAGES))) * pageBytes
        guard let text = try? File.contents(of: "/sys/fs/cgroup/memory.max", limit: 64),
            let limit = UInt64(String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self))
        else { return physical }
        return min(physical, limit)
    }

    /// Bytes of memory this process holds (proc(5), statm).
    package static var residentBytes: UInt64 {
        guard let text = try? File.contents(of: "/proc/self/statm", limit: 256) else { return 0 }
        let words = String(decoding: text, as: UTF8.self).split(separator: " " as Character)
        return words.count > 1 ? (UInt64(words[1]) ?? 0) * pageBytes : 0
    }

    /// Hands memory that was freed, and that the allocator keeps, back to the kernel (malloc_trim(3)). What is allocated next
    /// has to be asked for again: for the end of a phase, not for the stream. O(freed memory), a millisecond for 20 MB.
    package static func giveBackFreedMemory() { fc_give_back_memory() }

    private static var pageBytes: UInt64 { UInt64(clamping: sysconf(Int32(_SC_PAGESIZE))) }
}
