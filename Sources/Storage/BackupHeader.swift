import Bytes

/// What a backup holds, its first entry `backup.json`. It lists every other entry in order, with size and checksum:
///
/// ```
/// {"format":1,"log":"…","position":4790,"created":1893456000000,"files":[
/// {"name":"journal/000000000001.log","sha256":"…","bytes":812},
/// …
/// ],
/// "sha256":"…"}
/// ```
///
/// The last value is the checksum of everything before its line.
package struct BackupHeader: Sendable, Equatable {
    package static let version: UInt64 = 1
    package static let fileName = "backup.json"
    /// Bytes that the header may have: some millions of files.
    static let largest: UInt64 = 1 << 30

    /// Below the data directory.
    package static let auditName = BackupFileName.audit

    /// Whether a file may be in a backup under this path below the data directory.
    package static func mayHold(_ name: String) -> Bool { BackupFileName.isSound(name) }

    package struct Entry: Sendable, Equatable {
        /// A path below the data directory.
        package let name: String
        package let sha256: String
        package let byteCount: UInt64

        package init(name: String, sha256: String, byteCount: UInt64) {
            (self.name, self.sha256, self.byteCount) = (name, sha256, byteCount)
        }
    }

    /// The identity of the log that was backed up.
    package var logID: String
    /// The last record of the journal that is in it: the backup is the state at this position.
    package var position: UInt64
    /// Milliseconds since 1970.
    package var created: UInt64
    package var files: [Entry]

    package init(logID: String, position: UInt64, created: UInt64, files: [Entry]) {
        (self.logID, self.position, self.created, self.files) = (logID, position, created, files)
    }

    /// The time that all entries state, in seconds since 1970.
    var seconds: UInt64 { created / 1000 }

    /// The first entry, with its header and padding.
    func entry(digest: any ByteDigest) -> [UInt8] {
        var bytes = ByteBuffer()
        encode(into: &bytes, digest: digest)
        let count = UInt64(bytes.count)
        return TarFormat.header(name: Self.fileName, byteCount: count, seconds: seconds) + Array(bytes.readable)
            + [UInt8](repeating: 0, count: Int(TarFormat.padding(behind: count)))
    }

    /// Appends the entry's bytes. Names and the log's identity are plain ASCII without quotes.
    private func encode(into out: inout ByteBuffer, digest: any ByteDigest) {
        out.append("{\"format\":1,\"log\":\"")
        out.append(string: logID)
        out.append("\",\"position\":")
        out.append(decimal: position)
        out.append(",\"created\":")
        out.append(decimal: created)
        out.append(",\"files\":[\n")
        for (index, file) in files.enumerated() {
            if index > 0 { out.append(",\n") }
            JSONSeal.beginEntry(name: file.name, sha256: file.sha256, byteCount: file.byteCount, into: &out)
            out.append(byte: 0x7D)
        }
        JSONSeal.append(to: &out, digest: digest)
    }

    /// Reads the entry's bytes.
    /// - Parameter file: the backup, for the fault's text.
    /// - Throws: `JournalFault` damage or a newer format.
    init(decoding bytes: UnsafeRawBufferPointer, of file: String, digest: any ByteDigest) throws(JournalFault) {
        try JSONSeal.check(bytes, file: file, newest: Self.version, digest: digest)
        self.init(logID: "", position: 0, created: 0, files: [])
        do throws(JSONFault) { try read(bytes) } catch {
            // The list stands behind the first block.
            let offset = TarFormat.blockSize + UInt64(clamping: error.offset)
            throw .damage(file: file, offset: offset, reason: error.reason)
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        var reader = JSONReader(bytes)
        var header = self
        var names: Set<String> = []
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": _ = try reader.number()
            case "position": header.position = try reader.number()
            case "created": header.created = try reader.number()
            case "log": header.logID = try reader.string()
            case "sha256": _ = try reader.string()
            case "files":
                try reader.array { (reader) throws(JSONFault) in
                    let entry = try Self.entry(&reader)
                    guard names.insert(entry.name).inserted else { throw reader.fault("a file that is named twice") }
                    header.files.append(entry)
                }
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        self = header
    }

    private static func entry(_ reader: inout JSONReader) throws(JSONFault) -> Entry {
        var (name, sum) = ("", "")
        var byteCount: UInt64 = 0
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "name": name = try reader.string()
            case "sha256": sum = try reader.string()
            case "bytes": byteCount = try reader.number()
            default: throw reader.fault("an unknown key")
            }
        }
        guard BackupFileName.isSound(name) else { throw reader.fault("a name that no file of a data directory has") }
        if let content = BackupFileName.content(ofBlob: name), content != sum {
            throw reader.fault("a blob whose name is not its checksum")
        }
        return Entry(name: name, sha256: sum, byteCount: byteCount)
    }
}
