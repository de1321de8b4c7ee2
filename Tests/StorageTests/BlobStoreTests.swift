import Storage
import SystemIO
import Testing

@Suite("Blob files") struct BlobStoreTests {
    private let directory = TemporaryDirectory()
    private let content = String(repeating: "ab", count: 32)

    private func put(_ store: BlobStore, _ bytes: [UInt8], as content: String) throws {
        let file = try store.begin()
        for byte in bytes { try withUnsafeBytes(of: byte) { try file.append($0) } }
        try store.store(file, as: content)
    }

    private func read(_ store: BlobStore, _ content: String, at offset: UInt64 = 0) -> [UInt8]? {
        try? [UInt8](unsafeUninitializedCapacity: 100) { room, count in
            count = try store.read(content, into: UnsafeMutableRawBufferPointer(room), at: offset)
        }
    }

    /// Files that stand under a content's name, and unfinished ones.
    private func names() throws -> [String] {
        try Directory.list(directory.path).flatMap { name in
            name.utf8.count == 2 ? try Directory.list(directory.path + "/" + name).map { name + $0 } : [name]
        }
    }

    @Test func `have their content's name, and are read from any place`() throws {
        let store = BlobStore(directory: directory.storage)
        try put(store, [1, 2, 3, 4], as: content)
        #expect(try names() == [content])
        #expect(read(store, content) == [1, 2, 3, 4] && read(store, content, at: 2) == [3, 4])
        #expect(read(store, content, at: 9) == [] && read(store, String(repeating: "0", count: 64)) == nil)
        #expect(try mode(directory.path + "/ab") == 0o700)
        #expect(try mode(directory.path + "/ab/" + content.dropFirst(2)) == 0o600)
    }

    @Test func `a refused one goes, but not while another upload of the same bytes waits, or one was kept`() throws {
        let store = BlobStore(directory: directory.storage)
        try put(store, [1], as: content)
        try put(store, [1], as: content)
        store.settle(content, isKept: false)
        #expect(try names() == [content])
        store.settle(content, isKept: true)
        #expect(try names() == [content])
        try put(store, [1], as: content)
        store.settle(content, isKept: false)
        #expect(try names().isEmpty)
    }

    @Test func `one that has ended is removed, but not while another upload of the same bytes waits`() throws {
        let store = BlobStore(directory: directory.storage)
        try put(store, [1], as: content)
        store.settle(content, isKept: true)
        try put(store, [1], as: content)
        try store.remove(content)
        #expect(try names() == [content], "its record may be on its way")
        store.settle(content, isKept: true)
        #expect(try names() == [content])
        try store.remove(content)
        #expect(try names().isEmpty)
        #expect(throws: Errno.self) { try store.remove(content) }
    }

    @Test func `a discarded one leaves nothing`() throws {
        let store = BlobStore(directory: directory.storage)
        let file = try store.begin()
        #expect(try names().count == 1)
        file.discard()
        #expect(try names().isEmpty)
    }

    @Test func `at start unfinished and unknown ones are swept, nothing else`() throws {
        let store = BlobStore(directory: directory.storage)
        let other = String(repeating: "cd", count: 32)
        try put(store, [1], as: content)
        try put(store, [2], as: other)
        _ = try store.begin()
        try directory.write("note.txt", [1])
        #expect(try BlobStore(directory: directory.storage).sweep { $0 == other } == 2)
        #expect(try names() == [other, "note.txt"])
    }

    @Test func `where no file can be made the failure is told and nothing is left`() throws {
        let store = BlobStore(directory: Directory(directory.path + "/nowhere"))
        #expect(throws: Errno.self) { try store.begin() }
    }
}
