import ChatTesting
import Foundation
import Testing

@Suite("Certificates (B40)", .timeLimit(.minutes(10)))
struct CertificateTests {
    private func status(_ daemon: RunningDaemon) throws -> [String: String] {
        let rows = try daemon.operatorClient().rows("ADMIN STATUS")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["key"] ?? "", $0["value"] ?? "") })
    }

    /// Sends SIGHUP and waits until it was dealt with; what STATUS says then.
    private func reload(_ daemon: RunningDaemon) throws -> [String: String] {
        let before = try status(daemon)["reload.time"]
        daemon.process?.signal(SIGHUP)
        let after = try polling(atMost: 10) { () -> [String: String]? in
            let now = try status(daemon)
            return now["reload.time"] == before ? nil : now
        }
        return try #require(after)
    }

    private func shown(_ daemon: RunningDaemon) throws -> Set<String> {
        [try shownFingerprint(port: daemon.chatPort), try shownFingerprint(port: daemon.blobsPort)]
    }

    private func refusals(_ daemon: RunningDaemon) -> [Substring] {
        daemon.errors.split(separator: "\n").filter { $0.contains(" error reload ") }
    }

    @Test(arguments: [1, 2])
    func `a bad pair is refused as a whole, with one line, on both ports, and a good one is taken by both`(
        loops: Int
    ) throws {
        let files = try Certificates()
        let options = RunningDaemon.Options(
            settings: files.settings + ["loops=\(loops)"],
            wrapper: Certificates.wrapper
        )
        let daemon = try RunningDaemon(options)
        let first = try #require(daemon.ready?["cert-sha256"])
        let ann = try daemon.user("ann")
        for (number, fault) in Certificates.Fault.allCases.enumerated() {
            try files.clear()
            try files.spoil(fault)
            let status = try reload(daemon)
            #expect(status["reload.state"] == "refused", "\(fault)")
            #expect(status["reload.reason"]?.contains(".pem") == true, "\(fault): \(status)")
            #expect(status["certificate.sha256"] == first)
            #expect(try shown(daemon) == [first], "\(fault)")
            #expect(refusals(daemon).count == number + 1, "\(fault): \(daemon.errors)")
        }
        try files.clear()
        try files.put(Certificates.pair())
        let status = try reload(daemon)
        #expect(status["reload.state"] == "ok" && status["reload.reason"] == nil)
        let new = try #require(status["certificate.sha256"])
        #expect(new != first)
        #expect(try shown(daemon) == [new])
        try ann.ok("SEND #lobby the old session stays")
        #expect(refusals(daemon).count == Certificates.Fault.allCases.count)
    }

    @Test(arguments: Certificates.Fault.allCases)
    func `at the start a bad pair is a clear end with 2, and check says the same`(fault: Certificates.Fault) throws {
        let files = try Certificates()
        try files.clear()
        try files.spoil(fault)
        for command in [[], ["check"]] {
            let run = try FcdRun(command + files.settings.flatMap { ["--set", $0] }, wrapper: Certificates.wrapper)
            #expect(run.code == 2, "\(fault), \(command): \(run.errors)")
            #expect(run.errors.hasPrefix("fcd: ") && run.errors.contains(".pem"), "\(fault): \(run.errors)")
        }
    }

    @Test func `a half-written configuration keeps the good new certificate out as well`() throws {
        let (files, file) = (try Certificates(), ConfigurationFile())
        try file.write("{ limits: { text: 100 } }")
        let daemon = try RunningDaemon(.init(settings: files.settings, arguments: ["--config", file.path]))
        let first = try #require(daemon.ready?["cert-sha256"])
        try files.put(Certificates.pair())
        for text in ["{ limits: { text: 2", "", "{ limits: { txt: 5 } }", "{ limits: { text: 0 } }"] {
            try file.write(text)
            let status = try reload(daemon)
            #expect(
                status["reload.state"] == "refused" && status["reload.reason"]?.contains(file.path) == true,
                "\(text)"
            )
            #expect(try shown(daemon) == [first])
            #expect(try daemon.client().hi?["text"] == "100")
        }
        try file.write("{ limits: { text: 200 } }")
        #expect(try reload(daemon)["reload.state"] == "ok")
        #expect(try shown(daemon) != [first] && daemon.client().hi?["text"] == "200")
    }

    @Test func `a bad certificate keeps good new settings out as well`() throws {
        let (files, file) = (try Certificates(), ConfigurationFile())
        try file.write("{ limits: { text: 100 } }")
        let daemon = try RunningDaemon(.init(settings: files.settings, arguments: ["--config", file.path]))
        try files.spoil(.keyOfAnother)
        try file.write("{ limits: { text: 200 } }")
        #expect(try reload(daemon)["reload.state"] == "refused")
        #expect(try daemon.client().hi?["text"] == "100")
    }

    @Test func `a reload takes the paths that the file names now`() throws {
        let (old, new, file) = (try Certificates(), try Certificates(), ConfigurationFile())
        func text(_ files: Certificates) -> String {
            "{ tls: { certificate: \"\(files.certificate)\", key: \"\(files.key)\" } }"
        }
        try file.write(text(old))
        let daemon = try RunningDaemon(.init(arguments: ["--config", file.path]))
        let first = try #require(daemon.ready?["cert-sha256"])
        try file.write(text(new))
        let status = try reload(daemon)
        #expect(status["reload.state"] == "ok" && status["certificate.sha256"] != first)
        #expect(try shown(daemon) == [status["certificate.sha256"] ?? ""])
        #expect(!daemon.errors.contains("taken at a restart only"))
    }

    @Test func `a certificate that ends within 14 days is warned of, at the start and after a reload`() throws {
        let files = try Certificates()
        try files.put(Certificates.pair(valid: -60...864_000))
        let daemon = try RunningDaemon(.init(settings: files.settings))
        #expect(daemon.errors.contains("the certificate expires soon days=9") || daemon.errors.contains("days=10"))
        #expect(try status(daemon)["certificate.expires-soon"] == "yes")
        try files.put(Certificates.pair(valid: -60...8_640_000))
        #expect(try reload(daemon)["certificate.expires-soon"] == "no")
        try files.put(Certificates.pair(valid: -60...172_900))
        #expect(try reload(daemon)["certificate.expires-soon"] == "yes")
        #expect(holds(within: 5) { daemon.errors.contains("the certificate expires soon days=2") })
    }

    @Test func `the certificate made at the first start stays the same, and its loss is no reload`() throws {
        let daemon = try RunningDaemon()
        let first = try #require(daemon.ready?["cert-sha256"])
        #expect(try reload(daemon)["certificate.sha256"] == first)
        try FileManager.default.removeItem(atPath: daemon.data + "/tls/key.pem")
        #expect(try reload(daemon)["reload.state"] == "refused")
        #expect(try shown(daemon) == [first])
    }

    @Test(arguments: [1, 2])
    func `a hundred reloads under load lose no message and no handshake`(loops: Int) throws {
        let files = try Certificates()
        let daemon = try RunningDaemon(.init(settings: files.settings + ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ben.ok("SUB #lobby")
        let pairs = try (0..<10).map { _ in try Certificates.pair() }
        for round in 0..<100 {
            // Not both files at once: a half new pair is refused, and the next signal finds the whole one.
            try files.put(pairs[round % pairs.count])
            daemon.process?.signal(SIGHUP)
            for reply in try ann.pipeline((0..<20).map { "SEND #lobby \(round) \($0)" }) { #expect(reply.isOK) }
            try daemon.client().ok("PING \(round)")
        }
        #expect(try reload(daemon)["reload.state"] == "ok")
        let texts = try ben.events("msg", count: 2000, within: 60).map { $0.text ?? "" }
        #expect(texts == (0..<100).flatMap { round in (0..<20).map { "\(round) \($0)" } })
        #expect(try shown(daemon) == [try #require(status(daemon)["certificate.sha256"])])
        #expect(daemon.isAlive)
    }
}
