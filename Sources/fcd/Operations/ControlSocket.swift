import Glibc
import Storage
import SystemIO
import Transport

/// `control.sock` in the data directory.
enum ControlSocket {
    /// `Connection.listener` of what comes by it.
    static let listener = 1
    static let name = "control.sock"

    /// Listens there; what a dead process left is taken over.
    /// - Throws: `Failure` naming the path.
    static func listen(in directory: DataDirectory) throws(Failure) -> Listener {
        do throws(Errno) {
            return try withPath(in: directory.path) { path throws(Errno) in
                try Listener(on: .unix(path: path), isTLS: false, kind: 0, index: listener, backlog: 64)
            }
        } catch {
            throw .running("cannot listen on \(directory.path)/\(name): \(error)")
        }
    }

    /// Connects to the daemon that holds the directory at `path`.
    static func connect(in path: String) throws(Errno) -> Descriptor {
        let directory = try Directory.open(path)
        return try Sockets.connect(to: .unix(path: "/proc/self/fd/\(directory.number)/\(name)"))
    }

    /// root and the daemon's own user.
    static func mayEnter(_ uid: UInt32) -> Bool { uid == 0 || uid == geteuid() }

    /// The path as bind(2) takes it: a long one goes by a descriptor of the directory, which stays open (unix(7) allows
    /// 107 bytes).
    private static func withPath<Result: ~Copyable>(
        in directory: String,
        _ body: (String) throws(Errno) -> Result
    ) throws(Errno) -> Result {
        let path = directory + "/" + name
        if path.utf8.count <= ListenAddress.longestPath { return try body(path) }
        let number = try Directory.open(directory).relinquish()
        return try body("/proc/self/fd/\(number)/\(name)")
    }
}
