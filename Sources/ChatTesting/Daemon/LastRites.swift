import Glibc
import SystemIO

/// What must end with this process: daemons still running, temporary directories still there.
enum LastRites {
    private struct Estate {
        var processes: Set<pid_t> = []
        var directories: Set<String> = []
    }

    private static let estate: Lock<Estate> = {
        atexit { LastRites.perform() }
        return Lock(Estate())
    }()

    static func end(_ pid: pid_t) { estate.withLock { _ = $0.processes.insert(pid) } }
    static func forget(_ pid: pid_t) { estate.withLock { _ = $0.processes.remove(pid) } }
    static func remove(_ path: String) { estate.withLock { _ = $0.directories.insert(path) } }
    static func forget(_ path: String) { estate.withLock { _ = $0.directories.remove(path) } }

    private static func perform() {
        let left = estate.withLock { $0 }
        for pid in left.processes.sorted() where kill(pid, SIGKILL) == 0 { _ = waitpid(pid, nil, 0) }
        for path in left.directories.sorted() { TemporaryDirectory.delete(path) }
    }
}
