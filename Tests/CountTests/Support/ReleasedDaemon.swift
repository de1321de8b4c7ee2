import ChatTesting
import Foundation

/// The release build of fcd, which `make counts` names in RELEASED_FCD: what a debug build does says nothing.
enum ReleasedDaemon {
    /// Its path; nil: these tests are not asked for.
    static let path = ProcessInfo.processInfo.environment["RELEASED_FCD"]

    /// The same threads whatever the machine has, and no snapshot in between.
    private static let settings = [
        "loops=1", "engine=loop", "snapshot.interval=86400", "snapshot.journal-bytes=1099511627776",
    ]

    /// Starts it.
    static func run(
        wrapper: [String] = [],
        executable: String? = nil
    ) throws(RunningDaemon.Failure) -> RunningDaemon {
        try RunningDaemon(.init(settings: settings, wrapper: wrapper, executable: executable ?? path))
    }
}
