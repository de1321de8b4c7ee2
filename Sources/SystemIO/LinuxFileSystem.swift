import CLinux
import Glibc

/// The kernel's files.
package struct LinuxFileSystem: FileSystem {
    package init() {}

    package func open(_ path: String, _ access: File.Access) throws(Errno) -> any OpenFile {
        try LinuxFile(path, access)
    }
    package func makeDirectory(_ path: String) throws(Errno) -> Bool { try Directory.create(path) }
    package func list(_ path: String) throws(Errno) -> [String] { try Directory.list(path) }
    package func rename(_ old: String, to new: String) throws(Errno) { try Directory.rename(old, to: new) }
    package func remove(_ path: String) throws(Errno) { try Directory.remove(path) }
    package func syncDirectory(_ path: String) throws(Errno) { try Directory.sync(path) }
    package func freeBytes(_ path: String) throws(Errno) -> UInt64 { try Directory.freeBytes(path) }
}

private final class LinuxFile: OpenFile {
    private let descriptor: Descriptor

    init(_ path: String, _ access: File.Access) throws(Errno) {
        let flags: Int32
        switch access {
        case .read: flags = O_RDONLY
        case .update: flags = O_RDWR
        case .create: flags = O_RDWR | O_CREAT | O_EXCL
        case .replace: flags = O_RDWR | O_CREAT | O_TRUNC
        }
        let opened = Descriptor(owning: try retrying("open") { fc_open(path, flags, 0o600) })
        if flags & O_CREAT != 0 { try retrying("fchmod") { fchmod(opened.number, 0o600) } }
        descriptor = opened
    }

    func size() throws(Errno) -> UInt64 {
        var status = stat()
        try retrying("fstat") { fstat(descriptor.number, &status) }
        return UInt64(clamping: status.st_size)
    }

    func readSome(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        try retrying("pread") { pread(descriptor.number, room.baseAddress, room.count, off_t(clamping: offset)) }
    }

    func readCached(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int? {
        do throws(Errno) {
            return try retrying("preadv2") {
                fc_pread_cached(descriptor.number, room.baseAddress, room.count, Int64(clamping: offset))
            }
        } catch {
            if error.code == EAGAIN || error.code == EOPNOTSUPP || error.code == ENOSYS { return nil }
            throw error
        }
    }

    func prefetch(from offset: UInt64, count: Int) {
        _ = posix_fadvise(descriptor.number, off_t(clamping: offset), off_t(count), POSIX_FADV_WILLNEED)
    }

    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        try retrying("pwrite") { pwrite(descriptor.number, bytes.baseAddress, bytes.count, off_t(clamping: offset)) }
    }

    func syncData() throws(Errno) { try retrying("fdatasync") { fdatasync(descriptor.number) } }

    func sync() throws(Errno) { try retrying("fsync") { fsync(descriptor.number) } }

    func truncate(to size: UInt64) throws(Errno) {
        try retrying("ftruncate") { ftruncate(descriptor.number, off_t(clamping: size)) }
    }
}
