import ChatTesting
import Foundation
import Testing

/// A daemon under callgrind (valgrind(1)).
final class ProfiledDaemon {
    private static let program = "fcd-counted"

    private let directory = TemporaryDirectory()
    private var dumps = 0
    let daemon: RunningDaemon

    /// Starts the release build without its debug information, which older valgrinds do not read.
    init() throws {
        let path = directory.path
        let program = "\(path)/\(Self.program)"
        let strip = try ChildProcess(["strip", "--strip-debug", "-o", program, try #require(ReleasedDaemon.path)])
        try #require(strip.wait(atMost: 60) == 0, "strip(1) fails on \(ReleasedDaemon.path ?? "")")
        let valgrind = [
            "valgrind", "-q", "--tool=callgrind", "--dump-line=no", "--callgrind-out-file=\(path)/profile",
            "--vgdb-prefix=\(path)/vgdb", "--vgdb-poll=500",
        ]
        daemon = try ReleasedDaemon.run(wrapper: valgrind, executable: program)
    }

    /// Everything since the start or since the last profile. What `client` asks of the daemon meanwhile comes on top, a
    /// PING or a few: valgrind looks for orders only while the daemon does something.
    func profile(_ client: TestClient) throws -> CallProfile {
        let pid = try #require(daemon.process?.pid)
        let errors = directory.path + "/vgdb-errors"
        let order = try ChildProcess(
            ["vgdb", "--pid=\(pid)", "--vgdb-prefix=\(directory.path)/vgdb", "--max-invoke-ms=0", "dump"],
            errors: errors
        )
        let code = try polling(atMost: 60) { () throws -> Int32? in
            try client.ok("PING", within: 60)
            return order.exitCode
        }
        try #require(code == 0, "valgrind writes no profile: \(readWhole(errors))")
        dumps += 1
        return CallProfile(readWhole("\(directory.path)/profile.\(dumps)"), of: Self.program)
    }
}
