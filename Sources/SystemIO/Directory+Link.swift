import Glibc

extension Directory {
    /// Gives a file a second name on the same file system (link(2)). On disk only after `sync` of the directory.
    /// - Throws: `Errno`; EPERM or ENOTSUP where the file system knows no such thing.
    package static func link(_ path: String, as name: String) throws(Errno) {
        try retrying("link") { Glibc.link(path, name) }
    }

    /// Takes an empty directory away (rmdir(2)).
    package static func removeEmpty(_ path: String) throws(Errno) { try retrying("rmdir") { rmdir(path) } }
}
