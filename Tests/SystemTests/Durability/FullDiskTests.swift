import ChatTesting
import Foundation
import SystemIO
import Testing

@Suite("A disk that is full, and has room again")
struct FullDiskTests {
    /// A small file system of its own; its files are in memory.
    private final class SmallDisk {
        let path: String
        private let directory = TemporaryDirectory()

        /// Nil where it may not be mounted.
        init?(megabytes: Int) throws {
            path = directory.path + "/disk"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let mount = ["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", path]
            guard try ChildProcess(mount).wait(atMost: 10) == 0 else { return nil }
        }

        deinit {
            // Lazily: a daemon may still be ending.
            _ = try? ChildProcess(["umount", "-l", path]).wait(atMost: 10)
        }

        /// Leaves room for about so many bytes.
        func fill(leaving bytes: UInt64) throws {
            let ballast = try File(path + "/ballast", .replace)
            let free = try Directory.freeBytes(path)
            let zeros = [UInt8](repeating: 0, count: Int(free - min(free, bytes)))
            try zeros.withUnsafeBytes { try ballast.write($0, at: 0) }
        }

        /// Empties the file that fills it: a removed one keeps its room while some process has it open.
        func free() throws { _ = try File(path + "/ballast", .replace) }
    }

    private static let cycles = 100

    @Test(.timeLimit(.minutes(10)))
    func `filled and freed a hundred times, it refuses, goes on after RESUME, and has each message once`() throws {
        guard let disk = try SmallDisk(megabytes: 20) else {
            try Test.cancel("no tmpfs can be mounted here")
        }
        let daemon = try RunningDaemon(.init(data: disk.path + "/data"))
        defer { daemon.kill() }
        let (ann, admin) = (try daemon.user("ann"), try daemon.operatorClient())
        let padding = String(repeating: "x", count: 2500)
        var texts: [String] = []
        for cycle in 0..<Self.cycles {
            try disk.fill(leaving: 24_000)
            var refused: String?
            while refused == nil, texts.count < (cycle + 1) * 100 {
                let text = "\(texts.count)-\(padding)"
                let reply = try ann.request("SEND nonce=n\(texts.count) #lobby \(text)")
                if reply.isOK { texts.append(text) } else { refused = reply.final.raw }
            }
            #expect(refused?.contains("No space left on device") == true, "\(cycle): \(refused ?? "never refused")")
            #expect(try daemon.fetch("/health").status == 503)
            #expect(try ann.rows("HISTORY limit=1 #lobby").first?.text == texts.last)
            // With the disk still full it may or may not work; it must not lie.
            if cycle.isMultiple(of: 7) { _ = try admin.request("ADMIN RESUME", within: 30) }
            try disk.free()
            try admin.ok("ADMIN RESUME", within: 30)
            let text = "\(texts.count)-\(padding)"
            // The one that was refused.
            try ann.ok("SEND nonce=n\(texts.count) #lobby \(text)")
            texts.append(text)
            if cycle % 10 == 9 { try admin.ok("ADMIN SNAPSHOT", within: 30) }
        }
        #expect(try ann.allTexts(of: "#lobby") == texts)
        try daemon.restart()
        #expect(try daemon.another(of: ann).allTexts(of: "#lobby") == texts)
        #expect(texts.count > Self.cycles * 5)
    }

    @Test func `fcd resume has it write again, and says when there is nothing to resume`() throws {
        let daemon = try RunningDaemon(.init(hasFaults: true))
        let ann = try daemon.user("ann")
        try daemon.faults.set(FileFault(.fail(28), isLasting: true, kinds: [.write], places: [.journal]))
        try ann.expectRefusal("SEND #lobby lost", "INTERNAL")
        let failed = try FcdRun(["resume"], data: daemon.data)
        #expect(failed.code == 1 && failed.errors.contains("No space left on device"), "\(failed)")
        try ann.expectRefusal("SEND #lobby lost, too", "INTERNAL")
        try daemon.faults.set(nil)
        #expect(try FcdRun(["resume"], data: daemon.data).code == 0)
        try ann.ok("SEND #lobby kept")
        #expect(try FcdRun(["resume"], data: daemon.data).code == 0, "a second time it does nothing")
        #expect(try ann.allTexts(of: "#lobby") == ["kept"])
        try daemon.restart()
        #expect(try daemon.another(of: ann).allTexts(of: "#lobby") == ["kept"])
    }
}
