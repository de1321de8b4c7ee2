import Foundation
import Storage
import SystemIO
import Testing

@Suite("Data directory") struct DataDirectoryTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path + "/a/data" }

    @Test func `a second holder is refused and told the first one's process, also through a link`() throws {
        let first = try DataDirectory(path)
        let link = directory.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let expected = DataDirectory.Fault.inUse(path: first.path, holder: getpid())
        for way in [path, link, path + "/../data/"] {
            #expect(throws: expected) { try DataDirectory(way) }
        }
        #expect(try String(contentsOfFile: path + "/lock", encoding: .utf8) == "\(getpid())\n")
        #expect("\(expected)".contains("\(getpid())"))
    }

    @Test func `deleting the lock file lets nobody in`() throws {
        let first = try DataDirectory(path)
        try FileManager.default.removeItem(atPath: path + "/lock")
        #expect(throws: DataDirectory.Fault.inUse(path: first.path, holder: getpid())) { try DataDirectory(path) }
        withExtendedLifetime(first) {}
    }

    @Test func `a lock file left behind keeps nobody out`() throws {
        try FileManager.default.createDirectory(atPath: path + "/journal", withIntermediateDirectories: true)
        try "1\n".write(toFile: path + "/lock", atomically: false, encoding: .utf8)
        let holder = try DataDirectory(path)
        #expect(try String(contentsOfFile: holder.path + "/lock", encoding: .utf8) == "\(getpid())\n")
    }

    @Test func `a holder that ends makes room for the next`() throws {
        do { _ = try DataDirectory(path) }
        #expect(throws: Never.self) { try DataDirectory(path) }
    }

    @Test func `everything is private whatever the umask`() async {
        await #expect(processExitsWith: .success) {
            for mask in [0, 0o777] as [mode_t] {
                let directory = TemporaryDirectory()
                umask(mask)
                let data = try DataDirectory(directory.path + "/data")
                let settings = JournalSettings(segmentSize: 2048, fillAfter: 512)
                let journal = FileJournal(directory: data.journal, settings: settings)
                _ = try journal.texts()
                var last: UInt64 = 0
                // Until the spare has been made, and perhaps used.
                #expect(
                    holds {
                        journal.append(["some text"], behind: last)
                        last += 1
                        let names = try? FileManager.default.contentsOfDirectory(atPath: data.journal.path)
                        return journal.reaches(last) && (names ?? []).count > 1
                    }
                )
                journal.seal()
                let all = FileManager.default.enumerator(atPath: data.path)?.allObjects as? [String] ?? []
                #expect(all.count >= 6)
                #expect(try mode(data.path) == 0o700)
                for name in all {
                    let isDirectory = ["journal", "blobs", "tls", "snapshot", "uploads"].contains(name)
                    #expect(try mode(data.path + "/" + name) == (isDirectory ? 0o700 : 0o600), "\(name)")
                }
                umask(0o022)
            }
        }
    }

    @Test func `a data directory that others may read is closed, somebody else's directory is left alone`() throws {
        try FileManager.default.createDirectory(
            atPath: path + "/journal",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        chmod(path, 0o755)
        _ = try DataDirectory(path)
        #expect(try mode(path) == 0o700 && mode(path + "/journal") == 0o700)
        let other = directory.path + "/other"
        try FileManager.default.createDirectory(atPath: other + "/things", withIntermediateDirectories: true)
        chmod(other, 0o755)
        _ = try DataDirectory(other)
        #expect(try mode(other) == 0o755)
    }

    @Test func `a file in the place of the directory is refused`() throws {
        try directory.write("file", [1])
        #expect(throws: DataDirectory.Fault.self) { try DataDirectory(directory.path + "/file") }
    }
}
