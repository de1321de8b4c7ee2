import Foundation
import Glibc

/// A directory of its own under the system's temporary one, gone when its owner lets go of it or the process exits.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        path = "\(parent)/fc-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        precondition(mkdir(path, 0o700) == 0, "no temporary directory can be made in \(parent)")
        LastRites.remove(path)
    }

    deinit {
        Self.delete(path)
        LastRites.forget(path)
    }

    /// Removes a tree; what cannot be removed is left.
    static func delete(_ path: String) { _ = try? FileManager.default.removeItem(atPath: path) }
}
