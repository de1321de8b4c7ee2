import Glibc

/// One open regular file, read and written at stated offsets; closed when its owner lets go of it.
///
/// A file that is made here has mode 0600, whatever the umask says; a symbolic link in the last part of the path is
/// refused (ELOOP). Every call that is interrupted is made again, and a short read or write is continued.
package struct File: ~Copyable, Sendable {
    package enum Access: Sendable {
        /// Reads what is there.
        case read
        /// Reads and writes what is there.
        case update
        /// Makes the file; refused with EEXIST when there is one.
        case create
        /// Makes the file or empties the one that is there.
        case replace
    }

    private let file: any OpenFile

    /// Opens `path` (open(2)).
    /// - Throws: `Errno` as the kernel says.
    package init(_ path: String, _ access: Access, on disk: any FileSystem = LinuxFileSystem()) throws(Errno) {
        file = try disk.open(path, access)
    }

    /// Bytes in the file (fstat(2)).
    package func size() throws(Errno) -> UInt64 { try file.size() }

    /// Reads from `offset` on until `room` is full or the file ends (pread(2)).
    /// - Returns: the bytes read; fewer than there is room only at the end of the file.
    package func read(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        var done = 0
        while done < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[done...])
            let n = try file.readSome(into: rest, at: offset &+ UInt64(done))
            if n == 0 { break }
            done += n
        }
        return done
    }

    /// Reads from `offset` on as much as is in memory already, never waiting for the disk.
    /// - Returns: nil when nothing is, or when that cannot be told.
    package func readCached(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int? {
        try file.readCached(into: room, at: offset)
    }

    /// Says that these bytes will be wanted soon.
    package func prefetch(from offset: UInt64, count: Int) { file.prefetch(from: offset, count: count) }

    /// Writes all of `bytes` at `offset` (pwrite(2)). After an error any part of them may be in the file.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try file.writeSome(rest, at: offset &+ UInt64(done))
        }
    }

    /// Waits until the bytes, and the size if it changed, are on the disk (fdatasync(2)).
    ///
    /// After an error the kernel may have dropped the bytes; calling again proves nothing.
    package func syncData() throws(Errno) { try file.syncData() }

    /// The same with all of the file's attributes (fsync(2)).
    package func sync() throws(Errno) { try file.sync() }

    /// Cuts the file, or extends it with zeros, to `size` bytes (ftruncate(2)).
    package func truncate(to size: UInt64) throws(Errno) { try file.truncate(to: size) }
}

extension File {
    /// The whole content of the file at `path`.
    /// - Throws: `Errno`; EFBIG when it is longer than `limit` bytes.
    package static func contents(
        of path: String,
        limit: Int = 16 << 20,
        on disk: any FileSystem = LinuxFileSystem()
    ) throws(Errno) -> [UInt8] {
        let file = try File(path, .read, on: disk)
        var bytes = [UInt8](repeating: 0, count: max(1, min(limit, 1 << 16)))
        var count = 0
        while true {
            let room = bytes.count - count
            let n = try file.readArray(&bytes, from: count)
            count += n
            if count > limit { throw Errno(code: EFBIG, call: "read") }
            if n < room { break }
            bytes.append(contentsOf: repeatElement(0, count: bytes.count))
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private func readArray(_ bytes: inout [UInt8], from start: Int) throws(Errno) -> Int {
        // withUnsafeMutableBytes rethrows untyped in this signature, so the outcome is carried out as a Result.
        let outcome: Result<Int, Errno> = bytes.withUnsafeMutableBytes { all in
            do throws(Errno) {
                return .success(
                    try read(into: UnsafeMutableRawBufferPointer(rebasing: all[start...]), at: UInt64(start))
                )
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Puts `bytes` in the place of the file at `path`: either the old content or all of the new survives a power cut.
    ///
    /// Order: write `path.tmp`, sync it, rename it, sync the directory. Blocks on the disk.
    package static func replace(
        _ path: String,
        with bytes: UnsafeRawBufferPointer,
        on disk: any FileSystem = LinuxFileSystem()
    ) throws(Errno) {
        let temporary = path + ".tmp"
        let file = try File(temporary, .replace, on: disk)
        try file.write(bytes, at: 0)
        try file.sync()
        try disk.rename(temporary, to: path)
        try disk.syncDirectory(Directory.parent(of: path))
    }
}
