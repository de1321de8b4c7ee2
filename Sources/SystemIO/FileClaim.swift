import CLinux
import Glibc

/// A file that this process alone writes, as far as others ask, too: its lock (flock(2)) lives as long as this.
package struct FileClaim: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// Makes the file, mode 0600, or takes the one that is there as it is.
    /// - Returns: nil when another process holds it.
    package init?(_ path: String) throws(Errno) {
        while true {
            let opened = Descriptor(owning: try retrying("open") { fc_open(path, O_RDWR | O_CREAT, 0o600) })
            try retrying("fchmod") { fchmod(opened.number, 0o600) }
            if try !Directory.lock(opened) { return nil }
            // Whoever held it before may have given it another name.
            if try Self.isStill(opened, at: path) {
                descriptor = opened
                return
            }
        }
    }

    private static func isStill(_ file: borrowing Descriptor, at path: String) throws(Errno) -> Bool {
        let number = file.number
        var (own, named) = (stat(), stat())
        try retrying("fstat") { fstat(number, &own) }
        do throws(Errno) { try retrying("lstat") { lstat(path, &named) } } catch {
            if error.isMissing { return false }
            throw error
        }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
