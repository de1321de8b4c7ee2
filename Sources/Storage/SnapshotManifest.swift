import Bytes

/// The list of a snapshot's files, `snapshot/manifest.json`. It is written last: what it does not name does not count.
///
/// ```
/// {"format":1,"log":"…","generation":12,"sequence":4711,"through":4790,"files":[
/// {"name":"accounts-000.12.json","sha256":"…","bytes":812,"sequence":4711},
/// …
/// ],
/// "sha256":"…"}
/// ```
///
/// The last value is the checksum of everything before its line. A file's name is its stem and the generation that wrote
/// it, so that a new file never takes the place of one that the old manifest names.
package struct SnapshotManifest: Sendable, Equatable {
    package static let version: UInt64 = 1
    package static let fileName = "manifest.json"
    /// Below the data directory.
    package static let path = "snapshot/" + fileName
    static var shownName: String { path }

    package struct Entry: Sendable, Equatable {
        package let name: String
        package let sha256: String
        package let byteCount: UInt64
        /// Everything up to this global sequence that concerns the file is in it; of what follows some may be.
        package let holds: UInt64

        /// The name without generation and suffix.
        package var stem: String { SnapshotFileName(name)?.stem ?? name }
    }

    /// The log's identity.
    package var logID: String
    /// Counts snapshots.
    package var generation: UInt64
    /// Records at or below this may be gone from the journal.
    package var sequence: UInt64
    /// Nothing above this is in any file.
    package var through: UInt64
    package var files: [Entry]

    package init(logID: String, generation: UInt64, sequence: UInt64, through: UInt64, files: [Entry]) {
        (self.logID, self.generation, self.sequence) = (logID, generation, sequence)
        (self.through, self.files) = (through, files)
    }

    /// Appends the file. The log's identity and names are plain ASCII without quotes.
    func encode(into out: inout ByteBuffer, digest: any ByteDigest) {
        out.append("{\"format\":1,\"log\":\"")
        out.append(string: logID)
        out.append("\",\"generation\":")
        out.append(decimal: generation)
        out.append(",\"sequence\":")
        out.append(decimal: sequence)
        out.append(",\"through\":")
        out.append(decimal: through)
        out.append(",\"files\":[\n")
        for (index, file) in files.enumerated() {
            if index > 0 { out.append(",\n") }
            JSONSeal.beginEntry(name: file.name, sha256: file.sha256, byteCount: file.byteCount, into: &out)
            out.append(",\"sequence\":")
            out.append(decimal: file.holds)
            out.append(byte: 0x7D)
        }
        JSONSeal.append(to: &out, digest: digest)
    }

    /// The file.
    package func bytes(digest: any ByteDigest) -> [UInt8] {
        var bytes = ByteBuffer()
        encode(into: &bytes, digest: digest)
        return Array(bytes.readable)
    }

    /// Reads the file.
    /// - Throws: `JournalFault` damage or a newer format.
    init(decoding bytes: UnsafeRawBufferPointer, digest: any ByteDigest) throws(JournalFault) {
        try JSONSeal.check(bytes, file: Self.shownName, newest: Self.version, digest: digest)
        self.init(logID: "", generation: 0, sequence: 0, through: 0, files: [])
        do throws(JSONFault) { try read(bytes) } catch { throw Self.damage(error.offset, error.reason) }
    }

    private static func damage(_ offset: Int, _ reason: String) -> JournalFault {
        .damage(file: shownName, offset: UInt64(clamping: offset), reason: reason)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        var reader = JSONReader(bytes)
        var manifest = self
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format", "generation", "sequence", "through":
                let value = try reader.number()
                switch key {
                case "generation": manifest.generation = value
                case "sequence": manifest.sequence = value
                case "through": manifest.through = value
                default: break
                }
            case "log": manifest.logID = try reader.string()
            case "sha256": _ = try reader.string()
            case "files":
                try reader.array { (reader) throws(JSONFault) in manifest.files.append(try Self.entry(&reader)) }
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
        guard manifest.sequence <= manifest.through else { throw reader.fault("sequence above through") }
        self = manifest
    }

    private static func entry(_ reader: inout JSONReader) throws(JSONFault) -> Entry {
        var (name, sum) = ("", "")
        var (byteCount, holds): (UInt64, UInt64) = (0, 0)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "name": name = try reader.string()
            case "sha256": sum = try reader.string()
            case "bytes": byteCount = try reader.number()
            case "sequence": holds = try reader.number()
            default: throw reader.fault("an unknown key")
            }
        }
        guard SnapshotFileName(name) != nil else { throw reader.fault("a strange file name") }
        return Entry(name: name, sha256: sum, byteCount: byteCount, holds: holds)
    }
}
