import CLinux
import Glibc

/// A directory and the names in it, on some file system. All calls block on the disk.
///
/// The calls of the type itself are for the kernel's files alone.
package struct Directory: Sendable {
    package let path: String
    private let disk: any FileSystem

    package init(_ path: String, on disk: any FileSystem = LinuxFileSystem()) { (self.path, self.disk) = (path, disk) }

    /// The path of what has this name in it; nothing is looked up.
    package func path(_ name: String) -> String { path + "/" + name }

    /// The directory of that name in it; nothing is looked up.
    package func directory(_ name: String) -> Directory { Directory(path(name), on: disk) }

    package func open(_ name: String, _ access: File.Access) throws(Errno) -> File {
        try File(path(name), access, on: disk)
    }

    /// See `File.contents`.
    package func contents(of name: String, limit: Int) throws(Errno) -> [UInt8] {
        try File.contents(of: path(name), limit: limit, on: disk)
    }

    /// See `File.replace`.
    package func replace(_ name: String, with bytes: UnsafeRawBufferPointer) throws(Errno) {
        try File.replace(path(name), with: bytes, on: disk)
    }

    /// See `FileSystem`.
    package func list() throws(Errno) -> [String] { try disk.list(path) }
    package func make(_ name: String) throws(Errno) -> Bool { try disk.makeDirectory(path(name)) }
    package func rename(_ old: String, to new: String) throws(Errno) { try disk.rename(path(old), to: path(new)) }
    package func remove(_ name: String) throws(Errno) { try disk.remove(path(name)) }
    package func sync() throws(Errno) { try disk.syncDirectory(path) }
    package func freeBytes() throws(Errno) -> UInt64 { try disk.freeBytes(path) }
}

extension Directory {
    /// Makes a directory of mode 0700, whatever the umask says.
    /// - Returns: false when there is a directory already, whose mode is left alone.
    /// - Throws: `Errno`; ENOTDIR when something else has the name.
    @discardableResult
    package static func create(_ path: String) throws(Errno) -> Bool {
        do throws(Errno) {
            try retrying("mkdir") { mkdir(path, 0o700) }
            try setPrivate(path)
            return true
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        var status = stat()
        try retrying("stat") { stat(path, &status) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Errno(code: ENOTDIR, call: "mkdir") }
        return false
    }

    /// Gives the directory at `path` the mode 0700.
    package static func setPrivate(_ path: String) throws(Errno) { try retrying("chmod") { chmod(path, 0o700) } }

    /// Opens the directory itself, following links, for `sync` and locks.
    package static func open(_ path: String) throws(Errno) -> Descriptor {
        Descriptor(owning: try retrying("open") { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// Waits until the names in the directory at `path` are on the disk (fsync(2)).
    package static func sync(_ path: String) throws(Errno) {
        let directory = try open(path)
        try retrying("fsync") { fsync(directory.number) }
    }

    /// The names in the directory, without `.` and `..`, in the order of their bytes. O(n log n).
    package static func list(_ path: String) throws(Errno) -> [String] {
        guard let stream = opendir(path) else { throw Errno(code: errno, call: "opendir") }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                let code = errno
                if code != 0 { throw Errno(code: code, call: "readdir") }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Gives a file another name, in place of whatever had it (rename(2)). On disk only after `sync` of the directory.
    package static func rename(_ old: String, to new: String) throws(Errno) {
        try retrying("rename") { Glibc.rename(old, new) }
    }

    /// Takes a file's name away (unlink(2)).
    package static func remove(_ path: String) throws(Errno) { try retrying("unlink") { unlink(path) } }

    /// The path without links and `..` (realpath(3)).
    package static func resolve(_ path: String) throws(Errno) -> String {
        guard let resolved = realpath(path, nil) else { throw Errno(code: errno, call: "realpath") }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path up to its last part: `a/b` gives `a`, `b` gives `.`.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Bytes that this user may still write on the file system of `path` (statvfs(3)).
    package static func freeBytes(_ path: String) throws(Errno) -> UInt64 {
        var bytes: UInt64 = 0
        try retrying("statvfs") { fc_statvfs_free(path, &bytes) }
        return bytes
    }

    /// Takes the lock of the open directory, which lives as long as the descriptor (flock(2)).
    /// - Returns: false when another process has it.
    package static func lock(_ directory: borrowing Descriptor) throws(Errno) -> Bool {
        let number = directory.number
        do {
            try retrying("flock") { fc_flock_exclusive(number) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// The number of the file behind a descriptor, unique on its file system.
    package static func inode(of directory: borrowing Descriptor) throws(Errno) -> UInt64 {
        let number = directory.number
        var status = stat()
        try retrying("fstat") { fstat(number, &status) }
        return UInt64(status.st_ino)
    }
}

extension Errno {
    /// There is no such file or directory (ENOENT).
    package var isMissing: Bool { code == ENOENT }
    /// There is something of that name already (EEXIST).
    package var isThere: Bool { code == EEXIST }
    /// The file system knows no such thing (EPERM, ENOTSUP), or not that often (EMLINK).
    package var isUnsupported: Bool { code == EPERM || code == ENOTSUP || code == EMLINK }
    /// This process may not (EACCES).
    package var isDenied: Bool { code == EACCES }
}

/// This process as the kernel sees it.
package enum CurrentProcess {
    package static var identifier: Int32 { getpid() }
}
