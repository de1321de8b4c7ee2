import ChatTesting
import Foundation
import SystemIO
import Testing

@Suite("fcd backup and fcd restore", .timeLimit(.minutes(10)))
struct BackupTests {
    private let holder = TemporaryDirectory()
    private var file: String { holder.path + "/backup" }
    private var target: String { holder.path + "/restored" }

    /// A daemon with a room of `ann`'s, texts and a blob in it.
    private func begun(_ settings: [String] = []) throws -> (daemon: RunningDaemon, ann: TestClient) {
        let daemon = try RunningDaemon(.init(settings: settings))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        for number in 0..<20 { try ann.ok("SEND #room \(number)") }
        let blob = try #require(try ann.upload(Array(repeating: 7, count: 100_000))["blob"])
        try ann.ok("SEND blob=\(blob) #room")
        return (daemon, ann)
    }

    private func backup(_ daemon: RunningDaemon, to file: String? = nil) throws -> FcdRun {
        try FcdRun(["backup", file ?? self.file, "--json"], data: daemon.data)
    }

    private func restore(_ file: String? = nil, to target: String? = nil) throws -> FcdRun {
        try FcdRun(["restore", file ?? self.file], data: target ?? self.target)
    }

    /// A daemon on what was restored.
    private func restarted(_ target: String? = nil) throws -> RunningDaemon {
        try RunningDaemon(.init(data: target ?? self.target))
    }

    private func names(below path: String) -> [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    @Test func `online: everything is there again, under a new identity of the log`() throws {
        let (daemon, ann) = try begun()
        let old = try #require(ann.hi?["log"])
        let run = try backup(daemon)
        #expect(run.code == 0 && run.output.contains("\"log\":\"\(old)\""), "\(run)")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try ann.ok("SEND #room later")
        #expect(try restore().code == 0)
        #expect(try FcdRun(["check"], data: target).code == 0)
        let copy = try restarted()
        let again = try copy.another(of: ann)
        #expect(try again.allTexts(of: "#room") == (0..<20).map(String.init) + [""])
        #expect(again.hi?["log"] != old)
        let blob = try #require(try again.rows("HISTORY limit=1 #room").last?["blob"])
        let address = path(of: try again.ok("BLOB \(blob)")["url"])
        #expect(try copy.fetch(address, token: ann.token).body == Array(repeating: 7, count: 100_000))
        #expect(copy.ready?["cert-sha256"] == daemon.ready?["cert-sha256"])
        #expect(readWhole(target + "/audit.log").contains(" BACKUP"))
        #expect(try again.request("SEND #room goes on").isOK)
    }

    @Test func `without a daemon a torn tail is left out and nothing is changed`() throws {
        let (daemon, ann) = try begun()
        daemon.kill()
        let journal = JournalFiles(daemon)
        try journal.write(Array(journal.records) + Array("torn".utf8))
        let before = try DirectoryContents(daemon.data)
        #expect(try backup(daemon).code == 0)
        #expect(try DirectoryContents(daemon.data) == before)
        #expect(try restore().code == 0)
        let copy = try restarted()
        #expect(try copy.another(of: ann).allTexts(of: "#room").count == 21)
        #expect(!copy.errors.contains("cut off"))
    }

    @Test func `tar lists the file, and the first entry tells what is in it`() throws {
        let (daemon, _) = try begun()
        #expect(try backup(daemon).code == 0)
        let listing = holder.path + "/listing"
        let tar = try ChildProcess(["tar", "tvf", file], output: listing, errors: listing)
        #expect(tar.wait(atMost: 10) == 0)
        let lines = readWhole(listing).split(separator: "\n")
        #expect(lines.first?.hasSuffix(" backup.json") == true, "\(lines)")
        #expect(lines.allSatisfy { $0.hasPrefix("-rw------- ") })
        #expect(lines.contains { $0.hasSuffix(" snapshot/manifest.json") })
        #expect(lines.contains { $0.contains(" journal/0") } && lines.contains { $0.contains(" blobs/") })
    }

    @Test func `nothing that another backup needs is removed until its connection ends`() throws {
        let (daemon, ann) = try begun(["snapshot.interval=86400"])
        let snapshot = SnapshotDirectory(daemon)
        let (first, second) = (try daemon.operatorClient(), try daemon.operatorClient())
        #expect(try first.ok("ADMIN BACKUP")["through"] != nil)
        let held = Set(snapshot.named).subtracting(["manifest.json"])
        let segments = Set(entries(of: daemon.data + "/journal"))
        #expect(try second.ok("ADMIN BACKUP")["through"] != nil)
        let other = try daemon.operatorClient()
        for number in 0..<3 {
            try ann.ok("SEND #room more \(number)")
            try other.ok("ADMIN SNAPSHOT")
        }
        #expect(Set(snapshot.files).isSuperset(of: held))
        #expect(Set(entries(of: daemon.data + "/journal")).isSuperset(of: segments))
        let clients = try other.rows("ADMIN CLIENTS").count
        first.close()
        #expect(try holds(within: 10) { try other.rows("ADMIN CLIENTS").count < clients })
        // The writer of snapshots hears of the end before it is asked for another one.
        try ann.ok("SEND #room and more")
        try other.ok("ADMIN SNAPSHOT")
        #expect(Set(snapshot.files).isSuperset(of: held), "the second still copies")
        #expect(Set(entries(of: daemon.data + "/journal")).isSuperset(of: segments))
        second.close()
        #expect(holds(within: 10) { snapshot.files == snapshot.named })
        #expect(holds(within: 10) { Set(entries(of: daemon.data + "/journal")).isDisjoint(with: segments) })
    }

    @Test func `under load, with snapshots due, it holds all that was acknowledged before and nothing behind its end`()
        throws
    {
        let daemon = try RunningDaemon(.init(settings: ["snapshot.journal-bytes=16384"]))
        let count = 20
        let tokens = try (0..<count).map { number in
            let user = try daemon.user("user\(number)")
            try user.ok("CREATE #r\(number)")
            return user.token
        }
        let isOver = Lock(false)
        let senders = (0..<count).map { number in
            StubbornSender(daemon, token: tokens[number], room: "#r\(number)", stem: "s\(number)")
        }
        let threads = senders.map { sender in
            SystemIO.Thread(name: "sender") {
                try? sender.run(count: 100_000, within: 60) { isOver.withLock { $0 } }
            }
        }
        var before: [[[String]]] = []
        for round in 0..<3 {
            let wanted = round * 40
            #expect(holds(within: 30) { senders[0].acknowledged.withLock { $0.count } > wanted })
            before.append(senders.map { sender in sender.acknowledged.withLock { $0.map(\.text) } })
            let run = try backup(daemon, to: "\(file)\(round)")
            #expect(run.code == 0, "\(run)")
        }
        isOver.withLock { $0 = true }
        for thread in threads { thread.join() }
        let sent = senders.map { sender in sender.acknowledged.withLock { $0.map(\.text) } }
        for round in 0..<3 {
            let place = "\(target)\(round)"
            let run = try restore("\(file)\(round)", to: place)
            #expect(run.code == 0, "\(run)")
            let position = try #require(run.output.split(separator: " ").first { $0.hasPrefix("position=") })
            let check = try FcdRun(["check"], data: place)
            let records = (Int(position.dropFirst(9)) ?? 0) + 1
            #expect(check.output.contains("data: sound, \(records) records"), "one more is the identity: \(check)")
            let copy = try restarted(place)
            for number in 0..<count {
                let client = try copy.client()
                try client.ok("AUTH token=\(tokens[number])")
                let texts = try client.allTexts(of: "#r\(number)")
                #expect(texts.starts(with: before[round][number]), "round \(round), #r\(number)")
                #expect(sent[number].starts(with: texts.prefix(sent[number].count)))
            }
        }
    }

    @Test func `twenty in a row leave no file and no segment behind in the data directory`() throws {
        let (daemon, ann) = try begun()
        var sizes: Set<UInt64> = []
        for number in 0..<20 {
            if number % 2 == 0 { try ann.ok("SEND #room again \(number)") }
            #expect(try backup(daemon, to: "\(file)\(number)").code == 0)
            let size = try FileManager.default.attributesOfItem(atPath: "\(file)\(number)")[.size] as? UInt64
            sizes.insert(size ?? 0)
        }
        let snapshot = SnapshotDirectory(daemon)
        #expect(holds(within: 10) { snapshot.files == snapshot.named })
        #expect(holds(within: 10) { entries(of: daemon.data + "/journal").filter { $0.hasSuffix(".log") }.count == 1 })
        #expect(try #require(sizes.max()) - #require(sizes.min()) < 20_000)
        #expect(try restore("\(file)19").code == 0)
    }

    @Test func `replaces no file, and a restore no directory in which there is anything`() throws {
        let (daemon, _) = try begun()
        #expect(try backup(daemon).code == 0)
        let whole = FileManager.default.contents(atPath: file)
        let second = try backup(daemon)
        #expect(second.code == 2 && second.errors.contains("is there already"), "\(second)")
        #expect(FileManager.default.contents(atPath: file) == whole)
        let before = try DirectoryContents(daemon.data)
        let running = try restore(to: daemon.data)
        #expect(running.code == 2 && running.errors.contains("is not empty"), "\(running)")
        #expect(try DirectoryContents(daemon.data) == before)
        try Data().write(to: URL(fileURLWithPath: holder.path + "/plain"))
        #expect(try restore(to: holder.path + "/plain").code == 2)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        #expect(try restore(to: target + "/").code == 0, "an empty directory is as good as none")
        #expect(try restore(holder.path + "/none", to: target + "2").code == 1)
        #expect(try backup(daemon, to: holder.path + "/none/backup").code == 1)
        #expect(!names(below: holder.path).contains { $0.hasSuffix(".tmp") || $0.contains(".restoring") })
    }

    @Test func `what is cut, changed or no backup is refused with 4 and leaves nothing`() throws {
        let (daemon, _) = try begun()
        #expect(try backup(daemon).code == 0)
        let whole = try #require(FileManager.default.contents(atPath: file))
        var changed = whole
        changed[whole.count / 2] ^= 1
        let newer = String(decoding: whole.prefix(2000), as: UTF8.self).replacing("\"format\":1", with: "\"format\":2")
        for (bytes, word) in [
            (whole.prefix(whole.count / 2), "offset \(whole.count / 2)"), (changed, "offset "), (Data(), "offset 0"),
            (Data("hello".utf8), "offset 5"), (Data(newer.utf8) + whole.dropFirst(2000), "newer"),
        ] {
            try bytes.write(to: URL(fileURLWithPath: holder.path + "/other"))
            let run = try restore(holder.path + "/other")
            #expect(run.code == 4 && run.errors.contains(holder.path + "/other") && run.errors.contains(word), "\(run)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: holder.path).sorted() == ["backup", "other"])
        }
    }

    @Test func `damaged data is backed up by no means: 4, with file and offset, and no file is left`() throws {
        let (daemon, _) = try begun()
        let blob = daemon.data + "/blobs/" + (try #require(blobFiles(daemon).first))
        var bytes = try #require(FileManager.default.contents(atPath: blob))
        bytes[5] ^= 1
        try bytes.write(to: URL(fileURLWithPath: blob))
        for isRunning in [true, false] {
            if !isRunning { daemon.kill() }
            let run = try backup(daemon)
            #expect(run.code == 4 && run.errors.contains("blobs/") && run.errors.contains("offset"), "\(run)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: holder.path).isEmpty)
        }
    }
}
