import SystemIO

/// Daemons that many tests share, one for each number of loops, started when first asked for.
package enum SharedDaemon {
    private static let daemons = Lock<[Int: RunningDaemon]>([:])
    private static let names = Lock(0)

    /// The shared daemon with so many I/O loops. Tests leave it running, and use names of their own in it.
    package static func with(loops: Int) throws(RunningDaemon.Failure) -> RunningDaemon {
        try daemons.withLock { daemons throws(RunningDaemon.Failure) in
            if let daemon = daemons[loops] { return daemon }
            let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
            daemons[loops] = daemon
            return daemon
        }
    }

    /// A handle, or a conversation name without its `#`, that no other test uses.
    package static func name(_ stem: String) -> String {
        let number = names.withLock { count in
            count += 1
            return count
        }
        return stem + String(number)
    }
}
