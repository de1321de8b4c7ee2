import ChatClient
import Glibc
import SystemIO

/// A file that appears whole or not at all, and never in place of another.
final class DownloadFile {
    private let path: String
    private let temporary: String
    private let file: Descriptor
    private var isKept = false

    /// Throws when something stands there already.
    static func check(_ path: String) throws(Failure) {
        var status = stat()
        if lstat(path, &status) == 0 { throw exists(path) }
    }

    private static func exists(_ path: String) -> Failure {
        Failure(.usage, "\(VisibleText.line(path)) exists; name another with -o")
    }

    init(_ path: String) throws(Failure) {
        self.path = path
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        temporary = path[..<slash] + ".fcc-\(getpid())-\(RandomText.hex(bytes: 4)).part"
        do {
            let temporary = temporary
            file = Descriptor(
                owning: try retrying("open") { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            )
        } catch {
            throw Failure(.usage, "\(VisibleText.line(path)): \(error)")
        }
    }

    deinit { if !isKept { unlink(temporary) } }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var at = 0
        while at < bytes.count {
            do {
                at += try FileBytes.write(bytes[at...], to: file.number)
            } catch {
                throw Failure(.usage, "\(VisibleText.line(path)): \(error)")
            }
        }
    }

    /// Gives it its name. What came to stand there meanwhile stays.
    func keep() throws(Failure) {
        do {
            try retrying("fsync") { fsync(file.number) }
            try retrying("link") { link(temporary, path) }
        } catch {
            if error.code == EEXIST { throw Self.exists(path) }
            // A file system without hard links: looking first is the best there is.
            guard error.code == EPERM || error.code == ENOTSUP || error.code == EMLINK else {
                throw Failure(.usage, "\(VisibleText.line(path)): \(error)")
            }
            try Self.check(path)
            guard rename(temporary, path) == 0 else {
                throw Failure(.usage, "\(VisibleText.line(path)): cannot be named")
            }
            isKept = true
        }
    }
}
