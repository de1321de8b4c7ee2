import Bytes
import Foundation
import Storage
import SystemIO
import Testing

/// A checksum for tests: four FNV-1a sums with different beginnings.
struct TestDigest: ByteDigest {
    private var sums: [UInt64] = [1, 2, 3, 4]

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        for index in sums.indices {
            for byte in bytes { sums[index] = (sums[index] ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
    }

    mutating func hex() -> String {
        sums.map { String(repeating: "0", count: 16 - String($0, radix: 16).count) + String($0, radix: 16) }.joined()
    }
}

@Suite("Snapshot files") struct SnapshotStoreTests {
    private let directory = TemporaryDirectory()

    private var files: SnapshotFiles { SnapshotFiles(directory: directory.storage) { TestDigest() } }

    private func store() throws -> SnapshotStore {
        SnapshotStore(directory: directory.storage, manifest: try files.manifest()) { TestDigest() }
    }

    private func write(_ stem: String, _ text: String, holds: UInt64, _ store: inout SnapshotStore) throws {
        try store.open(stem)
        try append(text, to: &store)
        try store.close(holds: holds)
    }

    private func append(_ text: String, to store: inout SnapshotStore) throws {
        var bytes = ByteBuffer()
        bytes.append(string: text)
        try store.append(bytes.readable)
    }

    /// What a start would read: texts by stem.
    private func texts(in path: String? = nil) throws -> [String: String] {
        let files = SnapshotFiles(directory: Directory(path ?? directory.path)) { TestDigest() }
        guard let manifest = try files.manifest() else { return [:] }
        var texts: [String: String] = [:]
        var buffer = ByteBuffer()
        for entry in manifest.files {
            try files.read(entry, into: &buffer)
            texts[entry.stem] = String(decoding: buffer.readable, as: UTF8.self)
        }
        return texts
    }

    private func names(_ path: String? = nil) -> [String] {
        let all = FileManager.default.enumerator(atPath: path ?? directory.path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".json") || $0.hasSuffix(".tmp") }.sorted()
    }

    private func first() throws -> SnapshotManifest {
        var store = try store()
        store.begin()
        try write("accounts-000", "old accounts", holds: 7, &store)
        try write("timeline/2/000000000001", "lines", holds: 8, &store)
        return try store.commit(logID: "abc", sequence: 7, through: 8)
    }

    @Test func `what is committed is read back, and belongs to its owner alone`() throws {
        let manifest = try first()
        #expect(try files.manifest() == manifest)
        #expect(manifest.files.map(\.name) == ["accounts-000.1.json", "timeline/2/000000000001.1.json"])
        #expect(manifest.files.map(\.holds) == [7, 8] && manifest.through == 8 && manifest.generation == 1)
        #expect(try texts() == ["accounts-000": "old accounts", "timeline/2/000000000001": "lines"])
        for name in names() { #expect(try mode(directory.path + "/" + name) == 0o600, "\(name)") }
        for name in ["timeline", "timeline/2"] { #expect(try mode(directory.path + "/" + name) == 0o700) }
    }

    @Test func `an end between any two steps leaves the old snapshot or the new one, whole`() throws {
        _ = try first()
        let old = try texts()
        let copies = TemporaryDirectory()
        var count = 0
        func keep() throws {
            count += 1
            try FileManager.default.copyItem(atPath: directory.path, toPath: "\(copies.path)/\(count)")
        }
        var store = try store()
        store.begin()
        try keep()
        for (stem, text) in [("accounts-000", "new accounts"), ("timeline/3/000000000001", "other lines")] {
            try store.open(stem)
            try keep()
            try append(text, to: &store)
            try keep()
            try store.close(holds: 20)
            try keep()
        }
        try store.keep("timeline/2/000000000001", holds: 20)
        try keep()
        for copy in 1...count {
            let path = "\(copies.path)/\(copy)"
            #expect(try texts(in: path) == old, "step \(copy)")
            let again = SnapshotFiles(directory: Directory(path)) { TestDigest() }
            let cleaner = SnapshotStore(directory: Directory(path), manifest: try again.manifest()) { TestDigest() }
            try cleaner.removeLeftovers()
            #expect(names(path) == ["accounts-000.1.json", "manifest.json", "timeline/2/000000000001.1.json"])
            #expect(try texts(in: path) == old)
        }
        _ = try store.commit(logID: "abc", sequence: 19, through: 20)
        #expect(try texts()["accounts-000"] == "new accounts" && texts().count == 3)
        #expect(!names().contains("accounts-000.1.json"), "what was replaced is removed")
    }

    @Test func `a file that is kept is not touched`() throws {
        _ = try first()
        let path = directory.path + "/timeline/2/000000000001.1.json"
        let before = try FileManager.default.attributesOfItem(atPath: path)
        var store = try store()
        store.begin()
        try store.keep("timeline/2/000000000001", holds: 99)
        let manifest = try store.commit(logID: "abc", sequence: 99, through: 99)
        let after = try FileManager.default.attributesOfItem(atPath: path)
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
        #expect(manifest.files.map(\.holds) == [99])
        #expect(names() == ["manifest.json", "timeline/2/000000000001.1.json"])
    }

    @Test func `a snapshot that is given up leaves nothing behind`() throws {
        _ = try first()
        let before = names()
        var store = try store()
        store.begin()
        try write("accounts-000", "new", holds: 9, &store)
        try store.open("server")
        store.abort()
        #expect(names() == before)
        #expect(try texts()["accounts-000"] == "old accounts")
    }

    @Test(arguments: ["accounts-000.1.json", "timeline/2/000000000001.1.json"])
    func `a file that is changed, cut, longer or missing is named`(name: String) throws {
        _ = try first()
        let sound = try directory.read(name)
        var changed = sound
        changed[3] ^= 1
        for bytes in [changed, Array(sound.dropLast()), sound + [0x0A], []] {
            try directory.write(name, bytes)
            try expectDamage(name)
        }
        try FileManager.default.removeItem(atPath: directory.path + "/" + name)
        try expectDamage(name)
    }

    private func expectDamage(_ name: String) throws {
        do {
            _ = try texts()
            Issue.record("a damaged file was taken")
        } catch let fault as JournalFault {
            guard case .damage(let file, _, _) = fault else { throw fault }
            #expect(file == "snapshot/" + name)
        }
    }

    @Test func `a manifest that is changed anywhere or cut anywhere is refused`() throws {
        _ = try first()
        let sound = try directory.read("manifest.json")
        for index in sound.indices {
            var changed = sound
            changed[index] ^= 0x10
            try directory.write("manifest.json", changed)
            #expect(throws: JournalFault.self, "byte \(index)") { try files.manifest() }
            try directory.write("manifest.json", Array(sound[..<index]))
            #expect(throws: JournalFault.self, "cut at \(index)") { try files.manifest() }
        }
    }

    @Test func `a manifest of a newer format is refused as such`() throws {
        try directory.write("manifest.json", Array("{\"format\":2,\"whatever\":[]}".utf8))
        #expect(throws: JournalFault.newerFormat(file: "snapshot/manifest.json", version: 2)) { try files.manifest() }
    }

    @Test func `no manifest is no snapshot`() throws {
        #expect(try files.manifest() == nil)
        #expect(try !files.hasAny())
        try directory.write("accounts-000.1.json", [0x7B])
        #expect(try files.hasAny())
    }

    @Test(arguments: ["", "x.json", ".1.json", "/a.1.json", "A.1.json", "a.01.json", "a..1.json", "../a.1.json", "a.1"])
    func `a name that none of ours is refused`(name: String) {
        #expect(SnapshotFileName(name) == nil)
    }
}
