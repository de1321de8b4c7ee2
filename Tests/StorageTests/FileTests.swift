import Foundation
import SystemIO
import Testing

@Suite("Files") struct FileTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path + "/file" }

    private func replace(_ bytes: [UInt8]) throws {
        let outcome: Result<Void, Errno> = bytes.withUnsafeBytes { bytes in
            do throws(Errno) { return .success(try File.replace(path, with: bytes)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    @Test func `a file is replaced as a whole, private, and leaves nothing beside it`() throws {
        try replace([1, 2, 3])
        try replace([4])
        #expect(try File.contents(of: path) == [4])
        #expect(try mode(path) == 0o600)
        #expect(try Directory.list(directory.path) == ["file"])
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `the whole content is read up to the limit and refused above it`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try replace(bytes)
        #expect(try File.contents(of: path, limit: count) == bytes)
        if count > 0 {
            #expect(throws: Errno(code: EFBIG, call: "read")) { try File.contents(of: path, limit: count - 1) }
        }
    }

    @Test func `a link in the place of a file is refused`() throws {
        try directory.write("target", [1])
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.path + "/target")
        #expect(throws: Errno(code: ELOOP, call: "open")) { _ = try File(path, .replace) }
        #expect(try directory.read("target") == [1])
    }

    @Test func `what exists is not created, what is missing is not opened`() throws {
        #expect(throws: Errno(code: ENOENT, call: "open")) { _ = try File(path, .update) }
        try replace([1])
        #expect(throws: Errno(code: EEXIST, call: "open")) { _ = try File(path, .create) }
    }

    @Test func `the parent of a path is found without the file system`() {
        #expect(["a/b", "b", "/b", "/a/b"].map { Directory.parent(of: $0) } == ["a", ".", "/", "/a"])
    }
}
