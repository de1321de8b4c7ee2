import CLinux
import Glibc

extension Directory {
    /// What has a name, not looked at through a link.
    package enum Kind: Sendable, Equatable {
        case file, directory, other
    }

    /// - Returns: nil when nothing has the name.
    package static func kind(of path: String) throws(Errno) -> Kind? {
        var status = stat()
        do throws(Errno) { try retrying("lstat") { lstat(path, &status) } } catch {
            if error.isMissing { return nil }
            throw error
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    /// Gives a file a name that nothing has (renameat2(2), RENAME_NOREPLACE). On disk only after `sync` of the directory.
    /// - Throws: `Errno`; EEXIST when something has the name.
    package static func rename(_ old: String, toNew new: String) throws(Errno) {
        try retrying("rename") { fc_rename_new(old, new) }
    }

    /// Removes everything below the directory at `path`; follows no links. O(files).
    package static func removeContents(_ path: String) throws(Errno) {
        for name in try list(path) {
            let inside = path + "/" + name
            if try kind(of: inside) == .directory { try removeTree(inside) } else { try remove(inside) }
        }
    }

    /// Removes the directory at `path` with everything below it; follows no links. O(files).
    package static func removeTree(_ path: String) throws(Errno) {
        try removeContents(path)
        try retrying("rmdir") { rmdir(path) }
    }
}
