import Bytes

/// How the lists that snapshots and backups begin with are told from half or changed ones: they state their format first
/// and, as the last value, the checksum of everything before its line.
enum JSONSeal {
    private static let start: StaticString = "\n],\n\"sha256\":\""
    private static let end: StaticString = "\"}\n"
    private static let head: StaticString = "{\"format\":"

    /// Appends what a file's element of such a list begins with; the caller ends it. The name is plain ASCII without quotes.
    static func beginEntry(name: String, sha256: String, byteCount: UInt64, into out: inout ByteBuffer) {
        out.append("{\"name\":\"")
        out.append(string: name)
        out.append("\",\"sha256\":\"")
        out.append(string: sha256)
        out.append("\",\"bytes\":")
        out.append(decimal: byteCount)
    }

    /// Ends the list whose elements are in `out`.
    static func append(to out: inout ByteBuffer, digest: any ByteDigest) {
        var digest = digest
        digest.update(out.readable)
        out.append(start)
        out.append(string: digest.hex())
        out.append(end)
    }

    /// Checks format and checksum of a whole list.
    /// - Throws: `JournalFault` about `file`: damage, or a format above `newest`.
    static func check(
        _ bytes: UnsafeRawBufferPointer,
        file: String,
        newest: UInt64,
        digest: any ByteDigest
    ) throws(JournalFault) {
        var digest = digest
        let head = UnsafeRawBufferPointer(start: head.utf8Start, count: head.utf8CodeUnitCount)
        guard bytes.count > head.count, bytes.prefix(head.count).elementsEqual(head) else {
            throw .damage(file: file, offset: 0, reason: "this is not the list that belongs here")
        }
        let digits = bytes.dropFirst(head.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard let version = UInt64(String(decoding: digits, as: UTF8.self)) else {
            throw .damage(file: file, offset: UInt64(head.count), reason: "the format's version is not readable")
        }
        if version > newest { throw .newerFormat(file: file, version: version) }
        let tail = start.utf8CodeUnitCount + 64 + end.utf8CodeUnitCount
        guard bytes.count > tail, bytes[bytes.count - 1] == 0x0A else {
            throw .damage(file: file, offset: UInt64(bytes.count), reason: "it is cut short")
        }
        let body = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - tail)])
        digest.update(body)
        let sum = bytes[(body.count + start.utf8CodeUnitCount)...].prefix(64)
        guard sum.elementsEqual(digest.hex().utf8) else {
            throw .damage(file: file, offset: 0, reason: "its checksum is wrong")
        }
    }
}
