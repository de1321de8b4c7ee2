import ChatTesting
import SystemIO

/// The library `counts` (Sources/CCounts) in a running daemon: how often it allocates.
final class AllocationCounter {
    private let directory = TemporaryDirectory()
    private let file: File
    private var path: String { directory.path + "/counts" }

    init() throws(Errno) {
        file = try File(directory.path + "/counts", .create)
        try file.truncate(to: 16)
    }

    /// What goes before the daemon's command for the library to be loaded into it (env(1)).
    var wrapper: [String] {
        ["env", "LD_PRELOAD=\(RunningDaemon.built("libcounts.so") ?? "libcounts.so")", "FC_COUNTS=\(path)"]
    }

    /// Allocations so far, but for those of OpenSSL.
    var own: Int {
        var value: Int64 = 0
        let count = withUnsafeMutableBytes(of: &value) { try? file.read(into: $0, at: 0) }
        precondition(count == 8, "the counts cannot be read")
        return Int(value)
    }
}
