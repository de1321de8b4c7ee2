import ChatTesting
import SystemIO

/// Looks again and again at a daemon that writes snapshots.
final class SnapshotWatch: Sendable {
    struct Found {
        /// Temporary files in the snapshot's directory at one time.
        var mostTemporary = 0
        var peakKiB = 0
    }

    private let daemon: RunningDaemon
    private let seen = Lock(Found())
    var found: Found { seen.withLock { $0 } }

    init(_ daemon: RunningDaemon) { self.daemon = daemon }

    func run(until isOver: () -> Bool) {
        let snapshot = SnapshotDirectory(daemon)
        while !isOver() {
            let (temporary, resident) = (snapshot.files.filter { $0.hasSuffix(".tmp") }.count, daemon.residentKiB)
            seen.withLock {
                $0 = Found(mostTemporary: max($0.mostTemporary, temporary), peakKiB: max($0.peakKiB, resident))
            }
            pauseThread(0.001)
        }
    }
}
