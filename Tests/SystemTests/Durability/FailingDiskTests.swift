import ChatTesting
import Glibc
import SystemIO
import Testing

@Suite("A disk that fails")
struct FailingDiskTests {
    private struct Point: Sendable, CustomStringConvertible {
        let fault: FileFault
        let call: FileCall
        /// It is set to writing again instead of started anew.
        let resumes: Bool
        var description: String { "\(fault), \(call)\(resumes ? ", resumed" : "")" }
    }

    /// Runs the scenario with the fault, looks at the server that has suffered it, and at what comes after.
    private func suffer(_ point: Point) throws -> Bool {
        let daemon = try RunningDaemon(unstarted: .init(hasFaults: true))
        try daemon.faults.set(point.fault)
        let scenario = Scenario(daemon)
        let about = Comment("\(point)")
        scenario.beforeEnd = {
            let isReadOnly = try ReadOnlyView(scenario: scenario, about: about).check()
            guard point.resumes, isReadOnly else { return true }
            try daemon.faults.set(nil)
            try daemon.operatorClient().ok("ADMIN RESUME", within: 30)
            #expect(try daemon.fetch("/health").status == 200)
            return false
        }
        try scenario.run()
        let wasHit = daemon.faults.hits > 0
        try daemon.faults.set(nil)
        if let failure = scenario.ledger.startFailure {
            #expect(failure.contains("fcd ended with 1 ") || failure.contains("fcd ended with 2 "), about)
            #expect(
                failure.contains(": Input/output error") || failure.contains(": No space left"),
                "\(about): \(failure)"
            )
        } else {
            #expect(scenario.ledger.loss == nil, "\(about): \(String(describing: scenario.ledger.loss))")
        }
        try Aftermath(scenario: scenario, about: about).check()
        return wasHit
    }

    private func suffer(_ points: [Point]) async {
        let hits = Lock(0)
        await Points.each(points) { point in if try suffer(point) { hits.withLock { $0 += 1 } } }
        print("failed at \(hits.withLock { $0 }) of \(points.count) points")
        #expect(hits.withLock { $0 } >= points.count * 9 / 10, "of \(points.count)")
    }

    @Test func `a call that fails once: nothing is acknowledged that is not on disk, and nothing that was is lost`()
        async throws
    {
        let calls = try listedCalls()
        let points = Points.chosen(from: calls).flatMap { number in
            (Points.all ? [false, true] : [number.isMultiple(of: 2)]).map { resumes in
                Point(fault: FileFault(.fail(EIO), at: number), call: calls[number - 1], resumes: resumes)
            }
        }
        await suffer(points)
    }

    @Test func `a disk that is full from some call on`() async throws {
        let calls = try listedCalls()
        let grows = calls.filter { [.open, .write, .mkdir].contains($0.kind) }
        let numbers = Points.all ? Array(1...grows.count) : stride(from: 3, to: grows.count, by: 17).map { $0 }
        let points = numbers.map { number in
            let fault = FileFault(.fail(ENOSPC), at: number, isLasting: true, kinds: [.open, .write, .mkdir])
            return Point(fault: fault, call: grows[number - 1], resumes: number.isMultiple(of: 2))
        }
        await suffer(points)
    }

    @Test(arguments: [FileCall.Kind.write, .fdatasync])
    func `a log that cannot be begun is not served; one that is there is, for reading`(kind: FileCall.Kind) throws {
        let daemon = try RunningDaemon(unstarted: .init(hasFaults: true))
        // The first write makes the segment, and at the second start is that of the recovery.
        let fault = FileFault(.fail(EIO), at: kind == .write ? 2 : 1, kinds: [kind], places: [.journal])
        try daemon.faults.set(fault)
        let failure = #expect(throws: RunningDaemon.Failure.self) { try daemon.start() }
        #expect(failure?.description.hasPrefix("fcd ended with 1 before READY") == true)
        #expect(
            failure?.description.contains("fcd: the journal cannot be begun: journal/") == true,
            "\(String(describing: failure))"
        )
        try daemon.faults.set(nil)
        try daemon.start()
        let ann = try daemon.user("ann")
        try ann.ok("SEND #lobby one")
        daemon.kill()
        try daemon.faults.set(fault)
        try daemon.start()
        #expect(try daemon.fetch("/health").status == 503)
        let again = try daemon.another(of: ann)
        #expect(try again.allTexts(of: "#lobby") == ["one"])
        try again.expectRefusal("SEND #lobby two", "INTERNAL")
        try daemon.operatorClient().ok("ADMIN RESUME", within: 30)
        try again.ok("SEND #lobby two")
        try daemon.restart()
        #expect(try daemon.another(of: ann).allTexts(of: "#lobby") == ["one", "two"])
    }

    @Test func `RESUME is OK when a record got to disk, not before`() throws {
        let daemon = try RunningDaemon(.init(hasFaults: true))
        let (ann, admin) = (try daemon.user("ann"), try daemon.operatorClient())
        try daemon.faults.set(FileFault(.fail(EIO), isLasting: true, kinds: [.fdatasync], places: [.journal]))
        try ann.expectRefusal("SEND #lobby lost", "INTERNAL")
        try admin.expectRefusal("ADMIN RESUME", "INTERNAL")
        #expect(try daemon.fetch("/health").status == 503)
        try daemon.faults.set(nil)
        try admin.ok("ADMIN RESUME", within: 30)
        try ann.ok("SEND #lobby kept")
        #expect(try ann.allTexts(of: "#lobby") == ["kept"])
    }

    @Test(arguments: [FileFault(.shortWrite, isLasting: true), FileFault(.interrupt, isLasting: true)])
    func `writes that are cut short and calls that are interrupted are no faults`(fault: FileFault) throws {
        let daemon = try RunningDaemon(unstarted: .init(hasFaults: true))
        try daemon.faults.set(fault)
        let scenario = Scenario(daemon, fillsAhead: true)
        try scenario.run()
        #expect(scenario.ledger.isWhole, "\(scenario.ledger)")
        #expect(scenario.ledger.heard == scenario.texts["#room"])
        #expect(daemon.faults.hits > 100)
        try Aftermath(scenario: scenario, about: "\(fault)").check()
        #expect(!daemon.errors.contains(" error ") && !daemon.errors.contains(" warning "), "\(daemon.errors)")
    }

    @Test(arguments: [1, 2])
    func `a file that cannot be stored is refused alone`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"], hasFaults: true))
        let ann = try daemon.user("ann")
        for kind in [FileCall.Kind.open, .write, .fsync, .rename, .mkdir] {
            try daemon.faults.set(FileFault(.fail(EIO), kinds: [kind], places: [.blobs]))
            let refused = try ann.upload(noise(3000, seed: 1), "name=x")
            #expect(refused.code == "INTERNAL" && daemon.faults.hits == 1, "\(kind): \(refused)")
            try daemon.faults.set(FileFault(.fail(ENOSPC), kinds: [kind], places: [.blobs]))
            #expect(try ann.upload(noise(3000, seed: 1), "name=x").code == "BUSY", "\(kind)")
            try daemon.faults.set(nil)
            try ann.ok("SEND #lobby after \(kind)")
            #expect(try daemon.fetch("/health").status == 200)
        }
        let put = try ann.upload(noise(3000, seed: 1), "name=x")
        #expect(try daemon.fetch(path(of: put["url"]), token: ann.token).body == noise(3000, seed: 1))
        #expect(blobFiles(daemon).count == 1, "nothing half is left: \(blobFiles(daemon))")
    }

    @Test func `a snapshot that cannot be written is refused alone, and the one before counts`() throws {
        let daemon = try RunningDaemon(.init(hasFaults: true))
        let (ann, admin) = (try daemon.user("ann"), try daemon.operatorClient())
        try ann.ok("SEND #lobby first")
        try admin.ok("ADMIN SNAPSHOT", within: 30)
        let snapshot = SnapshotDirectory(daemon)
        for kind in [FileCall.Kind.open, .write, .fsync, .rename] {
            try ann.ok("SEND #lobby before \(kind)")
            try daemon.faults.set(FileFault(.fail(EIO), kinds: [kind], places: [.snapshot]))
            let refusal = try admin.expectRefusal("ADMIN SNAPSHOT", "INTERNAL")
            #expect(refusal.raw.contains("Input/output error") && daemon.faults.hits == 1)
            try daemon.faults.set(nil)
            try ann.ok("SEND #lobby after \(kind)")
            #expect(snapshot.generation == 1)
            #expect(try daemon.fetch("/health").status == 200)
        }
        #expect(snapshot.files == snapshot.named, "nothing half is left")
        let texts = try ann.allTexts(of: "#lobby")
        try daemon.restart()
        #expect(try daemon.another(of: ann).allTexts(of: "#lobby") == texts && texts.count == 9)
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        #expect(snapshot.files == snapshot.named)
    }
}
