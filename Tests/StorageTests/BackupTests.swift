import Bytes
import Foundation
import Storage
import SystemIO
import Testing

@Suite("A backup's file") struct BackupTests {
    private let directory = TemporaryDirectory()
    private var data: String { directory.path + "/data" }
    private var file: String { directory.path + "/backup" }

    /// Writes files below the data directory.
    private func put(_ files: [(name: String, text: String)]) throws {
        for (name, text) in files {
            let path = URL(fileURLWithPath: data + "/" + name)
            let folder = path.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
    }

    /// Writes a backup that says it holds these files.
    private func write(_ files: [(name: String, text: String)]) throws {
        let header = BackupHeader(
            logID: "log",
            position: 7,
            created: 1_700_000_000_000,
            files: files.map { .init(name: $0.name, sha256: digest($0.text), byteCount: UInt64($0.text.utf8.count)) }
        )
        guard var writer = try BackupWriter(file) else {
            Issue.record("another process writes it")
            return
        }
        try writer.write(header, from: data, contents: [:]) { TestDigest() }
    }

    private func digest(_ text: String) -> String {
        var digest = TestDigest()
        Array(text.utf8).withUnsafeBytes { digest.update($0) }
        return digest.hex()
    }

    /// What a restore finds, by name.
    private func unpacked() throws -> [String: String] {
        let target = directory.path + "/target"
        try? FileManager.default.removeItem(atPath: target)
        try Directory.create(target)
        try BackupReader(file) { TestDigest() }.unpack(into: target)
        var found: [String: String] = [:]
        for name in FileManager.default.enumerator(atPath: target)?.compactMap({ $0 as? String }) ?? [] {
            let path = target + "/" + name
            let isDirectory = try Directory.kind(of: path) == .directory
            #expect(try mode(path) == (isDirectory ? 0o700 : 0o600), "\(name)")
            if !isDirectory { found[name] = String(decoding: try directory.read("target/" + name), as: UTF8.self) }
        }
        return found
    }

    private let files = [
        ("journal/000000000001.log", "fcd-journal 1 1\n"), ("snapshot/timeline/2/000000000001.3.json", "{}\n"),
        ("tls/key.pem", ""), ("audit.log", String(repeating: "x", count: 512)),
    ]

    @Test func `gives back what was written, in files that only their owner may read`() throws {
        try put(files)
        try write(files)
        #expect(try mode(file) == 0o600)
        #expect(try unpacked() == Dictionary(uniqueKeysWithValues: files))
        #expect(try BackupReader(file) { TestDigest() }.header.position == 7)
        #expect(try Directory.list(directory.path).sorted() == ["backup", "data", "target"])
    }

    @Test func `is refused with its place when any byte is another, or it ends early`() throws {
        try put(files)
        try write(files)
        let whole = try directory.read("backup")
        for offset in stride(from: 0, to: whole.count, by: 11) {
            var changed = whole
            changed[offset] ^= 1 << UInt8(offset % 8)
            try directory.write("backup", changed)
            let fault = #expect(throws: JournalFault.self, "byte \(offset)") { try unpacked() }
            guard case .damage(file, let place, _)? = fault else {
                // A changed digit of the version may say that it is newer.
                guard case .newerFormat? = fault else {
                    Issue.record("\(offset): \(String(describing: fault))")
                    continue
                }
                continue
            }
            // The list is read to its end before it is believed.
            #expect(place <= UInt64(max(offset, 1536)), "the place is not behind the changed byte \(offset)")
        }
        for count in stride(from: 0, to: whole.count, by: 101) {
            try directory.write("backup", Array(whole[..<count]))
            let fault = #expect(throws: JournalFault.self) { try unpacked() }
            guard case .damage(file, let place, _)? = fault else {
                Issue.record("\(count): \(String(describing: fault))")
                continue
            }
            #expect(place <= UInt64(count))
        }
        try directory.write("backup", whole + [0])
        #expect(throws: JournalFault.self) { try unpacked() }
    }

    @Test func `of a newer version is refused as such`() throws {
        try put(files)
        try write(files)
        let whole = String(decoding: try directory.read("backup"), as: UTF8.self)
        try directory.write("backup", Array(whole.replacing("{\"format\":1,", with: "{\"format\":2,").utf8))
        #expect(throws: JournalFault.newerFormat(file: file, version: 2)) { try unpacked() }
    }

    @Test(arguments: [
        "../x", "journal/../../x", "/etc/passwd", "journal/1.log", "journal/000000000001.log.tmp", "journal/spare",
        "snapshot/../x.1.json", "snapshot/.1.json", "snapshot//a.1.json", "snapshot/a/.1.json", "snapshot/A.1.json",
        "blobs/ab", "blobs/ab/cd", "blobs/AB/" + String(repeating: "c", count: 62), "tls/a/b", "tls/.hidden",
        "tls/a b", "lock", "control.sock", "backup.json", "", ".", "tls/" + String(repeating: "a", count: 97),
    ])
    func `holds no name that a data directory cannot have`(name: String) throws {
        #expect(!BackupHeader.mayHold(name))
        try put([("audit.log", "text")])
        try write([("audit.log", "text")])
        let bytes = try directory.read("backup")
        let text = String(decoding: bytes[512...], as: UTF8.self)
        let list = String(text.prefix(while: { $0 != "\0" })).replacing("audit.log", with: name)
        try directory.write("backup", sealed(list) + Array(bytes[1024...]))
        let fault = #expect(throws: JournalFault.self) { try unpacked() }
        guard case .damage(file, _, "a name that no file of a data directory has")? = fault else {
            Issue.record("\(name): \(String(describing: fault))")
            return
        }
    }

    /// The first entry with a list of somebody else's making, whose checksum is right.
    private func sealed(_ list: String) -> [UInt8] {
        let body = list.components(separatedBy: "\n],\n")[0]
        let whole = body + "\n],\n\"sha256\":\"\(digest(body))\"}\n"
        var header = [UInt8]("backup.json".utf8) + [UInt8](repeating: 0, count: 501)
        let size = String(whole.utf8.count, radix: 8)
        header.replaceSubrange(124..<135, with: Array((String(repeating: "0", count: 11 - size.count) + size).utf8))
        header.replaceSubrange(257..<262, with: "ustar".utf8)
        let padding = (512 - whole.utf8.count % 512) % 512
        return header + Array(whole.utf8) + [UInt8](repeating: 0, count: padding)
    }

    @Test func `whose list names a file twice, or more bytes than there are, is refused`() throws {
        try put([("audit.log", "text")])
        try write([("audit.log", "text")])
        let bytes = try directory.read("backup")
        let list = String(String(decoding: bytes[512...], as: UTF8.self).prefix(while: { $0 != "\0" }))
        let entry = "{\"name\":\"audit.log\",\"sha256\":\"\(digest("text"))\",\"bytes\":4}"
        for other in [entry + ",\n" + entry, entry.replacing(":4}", with: ":18446744073709551615}")] {
            try directory.write("backup", sealed(list.replacing(entry, with: other)) + Array(bytes[1024...]))
            #expect(throws: JournalFault.self) { try unpacked() }
        }
    }

    @Test func `is not written of a file that is missing, shorter or another than it should be, and leaves nothing`()
        throws
    {
        try put([("audit.log", "text")])
        for listed in [("audit.log", "texts"), ("audit.log", "test"), ("tls/key.pem", "text")] {
            #expect(throws: JournalFault.self) { try write([listed]) }
            #expect(try Directory.list(directory.path) == ["data"])
        }
    }

    @Test func `takes no other's place, and begins anew where an end in the middle left one`() throws {
        try directory.write("backup.tmp", Array("half".utf8))
        try put(files)
        try write(files)
        let whole = try directory.read("backup")
        #expect(throws: JournalFault.self) { try write([("audit.log", "text")]) }
        #expect(try directory.read("backup") == whole)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: directory.path).contains("backup.tmp"))
        guard let claim = try FileClaim(file + ".tmp") else {
            Issue.record("nobody else has it")
            return
        }
        if try BackupWriter(file) != nil { Issue.record("another process writes it") }
        withExtendedLifetime(claim) {}
    }
}
