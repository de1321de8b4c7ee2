import Bytes
import SystemIO

/// Reads a backup, every bit of which is covered: the list that it begins with by a checksum, each file by the list, and
/// what stands between by being made anew from the list and compared.
package struct BackupReader: ~Copyable {
    package let header: BackupHeader
    /// As given, for the texts of faults.
    private let path: String
    private let file: File
    private let makeDigest: SnapshotFiles.MakeDigest
    /// Where the first file's header is.
    private let start: UInt64

    /// Opens the backup at `path` and checks its list and its length.
    /// - Parameter makeDigest: SHA-256.
    /// - Throws: `JournalFault`: damage with the offset in `path`, a newer format, or a failed call.
    package init(_ path: String, makeDigest: @escaping SnapshotFiles.MakeDigest) throws(JournalFault) {
        let opened = try naming(path) { () throws(Errno) in try File(try Directory.resolve(path), .read) }
        let size = try naming(path) { () throws(Errno) in try opened.size() }
        let first = try Self.read(opened, path, at: 0, count: Int(TarFormat.blockSize))
        guard first.starts(with: BackupHeader.fileName.utf8), first[BackupHeader.fileName.utf8.count] == 0,
            let count = first.withUnsafeBytes({ TarFormat.size(statedBy: $0) }), count <= BackupHeader.largest,
            let length = TarFormat.length(of: count)
        else { throw .damage(file: path, offset: 0, reason: "it does not begin as a backup of fcd does") }
        guard length <= size else { throw .damage(file: path, offset: size, reason: "it is cut short") }
        let whole = try Self.read(opened, path, at: 0, count: Int(length))
        let block = Int(TarFormat.blockSize)
        let digest = makeDigest()
        // withUnsafeBytes does not carry a typed error.
        let outcome: Result<BackupHeader, JournalFault> = whole[block..<(block + Int(count))].withUnsafeBytes { bytes in
            do throws(JournalFault) {
                return .success(try BackupHeader(decoding: bytes, of: path, digest: digest))
            } catch { return .failure(error) }
        }
        let header = try outcome.get()
        try Self.compare(whole, with: header.entry(digest: makeDigest()), path, at: 0)
        try Self.checkLength(size, header, from: length, path)
        (self.header, self.path, self.makeDigest) = (header, path, makeDigest)
        file = opened
        start = length
    }

    private static func checkLength(
        _ size: UInt64,
        _ header: BackupHeader,
        from start: UInt64,
        _ path: String
    ) throws(JournalFault) {
        var expected = start
        for length in header.files.map({ TarFormat.length(of: $0.byteCount) }) + [TarFormat.endSize] {
            let (sum, overflow) = expected.addingReportingOverflow(length ?? .max)
            expected = overflow ? .max : sum
        }
        if size == expected { return }
        let reason = size < expected ? "it ends here and should have \(expected) bytes" : "something follows its end"
        throw .damage(file: path, offset: min(size, expected), reason: reason)
    }

    /// Writes all files below `directory`, which is empty, each synced, and the directories after them.
    /// - Throws: `JournalFault`: damage with the offset in the backup, or a failed call; anything may have been written then.
    package func unpack(into directory: String) throws(JournalFault) {
        var made = [directory]
        var at = start
        for entry in header.files {
            try makeDirectories(of: entry.name, in: directory, &made)
            try unpack(entry, to: directory + "/" + entry.name, at: at)
            // Its length was counted before.
            at += TarFormat.length(of: entry.byteCount) ?? 0
        }
        let end = [UInt8](repeating: 0, count: Int(TarFormat.endSize))
        try Self.compare(try Self.read(file, path, at: at, count: end.count), with: end, path, at: at)
        for directory in made.reversed() {
            try naming(directory) { () throws(Errno) in try Directory.sync(directory) }
        }
    }

    private func makeDirectories(of name: String, in directory: String, _ made: inout [String]) throws(JournalFault) {
        var place = directory
        for part in name.split(separator: "/" as Character).dropLast() {
            place += "/" + part
            let path = place
            if try naming(path, { () throws(Errno) in try Directory.create(path) }) { made.append(path) }
        }
    }

    private func unpack(_ entry: BackupHeader.Entry, to target: String, at offset: UInt64) throws(JournalFault) {
        let block = TarFormat.header(name: entry.name, byteCount: entry.byteCount, seconds: header.seconds)
        try Self.compare(try Self.read(file, path, at: offset, count: block.count), with: block, path, at: offset)
        let begin = offset + TarFormat.blockSize
        let out = try naming(target) { () throws(Errno) in try File(target, .create) }
        var digest = makeDigest()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FileDigest.pieceSize, alignment: 4096)
        defer { memory.deallocate() }
        var done: UInt64 = 0
        while done < entry.byteCount {
            let count = Int(min(entry.byteCount - done, UInt64(memory.count)))
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
            let place = begin + done
            let n = try naming(path) { () throws(Errno) in try file.read(into: room, at: place) }
            if n < count { throw .damage(file: path, offset: place + UInt64(n), reason: "it is cut short") }
            digest.update(UnsafeRawBufferPointer(room))
            let written = done
            try naming(target) { () throws(Errno) in try out.write(UnsafeRawBufferPointer(room), at: written) }
            done += UInt64(n)
        }
        if digest.hex() != entry.sha256 {
            throw .damage(file: path, offset: begin, reason: "\(entry.name) in it does not have its checksum")
        }
        let padding = [UInt8](repeating: 0, count: Int(TarFormat.padding(behind: entry.byteCount)))
        let end = begin + entry.byteCount
        try Self.compare(try Self.read(file, path, at: end, count: padding.count), with: padding, path, at: end)
        try naming(target) { () throws(Errno) in try out.sync() }
    }

    private static func read(
        _ file: borrowing File,
        _ path: String,
        at offset: UInt64,
        count: Int
    ) throws(JournalFault) -> [UInt8] {
        var failure: Errno?
        var n = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, done in
            do throws(Errno) { n = try file.read(into: UnsafeMutableRawBufferPointer(room), at: offset) } catch {
                failure = error
            }
            done = n
        }
        if let failure { throw .system(file: path, failure) }
        if n < count { throw .damage(file: path, offset: offset + UInt64(n), reason: "it is cut short") }
        return bytes
    }

    private static func compare(
        _ bytes: [UInt8],
        with expected: [UInt8],
        _ path: String,
        at offset: UInt64
    ) throws(JournalFault) {
        if bytes == expected { return }
        let place = zip(bytes, expected).prefix { $0 == $1 }.count
        throw .damage(file: path, offset: offset + UInt64(place), reason: "this byte is not as the list says")
    }
}
