/// Where files are: the kernel's, or a simulated disk of the tests. Paths are absolute or relative to the process; all calls
/// block on the disk and may be made from any thread.
///
/// Names are on the disk only after `syncDirectory`, bytes only after a sync of their file; what was not synced may be lost
/// in any part and any order when the machine stops.
package protocol FileSystem: Sendable {
    /// Opens a file (open(2)); a new one has mode 0600.
    func open(_ path: String, _ access: File.Access) throws(Errno) -> any OpenFile
    /// Makes a directory of mode 0700.
    /// - Returns: false when there is one already.
    func makeDirectory(_ path: String) throws(Errno) -> Bool
    /// The names in a directory, without `.` and `..`, in the order of their bytes. O(n log n).
    func list(_ path: String) throws(Errno) -> [String]
    /// Gives a file another name, in place of whatever had it (rename(2)).
    func rename(_ old: String, to new: String) throws(Errno)
    /// Takes a file's name away (unlink(2)).
    func remove(_ path: String) throws(Errno)
    /// Waits until the names in a directory are on the disk (fsync(2)).
    func syncDirectory(_ path: String) throws(Errno)
    /// Bytes that may still be written on the file system of `path` (statvfs(3)).
    func freeBytes(_ path: String) throws(Errno) -> UInt64
}

/// An open file of a `FileSystem`; closed when nobody holds it any more. One call is one system call, made again only when
/// it was interrupted.
package protocol OpenFile: AnyObject, Sendable {
    /// Bytes in the file (fstat(2)).
    func size() throws(Errno) -> UInt64
    /// Reads at most as many bytes as there is room for (pread(2)); 0 only at the end.
    func readSome(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int
    /// Reads what is in memory already, without waiting for the disk (preadv2(2), RWF_NOWAIT).
    /// - Returns: nil when it would have to wait, or when that cannot be told.
    func readCached(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int?
    /// Says that these bytes will be wanted soon (posix_fadvise(2)).
    func prefetch(from offset: UInt64, count: Int)
    /// Writes at least one of the bytes (pwrite(2)).
    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) -> Int
    /// fdatasync(2).
    func syncData() throws(Errno)
    /// fsync(2).
    func sync() throws(Errno)
    /// ftruncate(2).
    func truncate(to size: UInt64) throws(Errno)
}

extension OpenFile {
    package func readCached(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int? { nil }
    package func prefetch(from offset: UInt64, count: Int) {}
}
