import FoundationEssentials
import Testing

@testable import fcd

@Suite("Which source of a setting wins") struct PrecedenceTests {
    @Test func `file, environment, set and options win over each other in this order`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "fcd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "fcd.json5").path
        let text = "{limits: {text: 1, line: 1025, stall: 11}, listen: {plain: '127.0.0.1:1', chat: '127.0.0.1:2'}}"
        try Data(text.utf8).write(to: URL(filePath: file))
        let environment = ["FCD_LIMITS_TEXT": "2", "FCD_LIMITS_LINE": "1026", "FCD_LISTEN_PLAIN": "127.0.0.1:3"]
        let arguments = [
            "--plain", "127.0.0.1:5", "--config", file, "--set", "limits.text=3", "--set", "listen.plain=127.0.0.1:4",
        ]
        guard case .serve(let request) = try Invocation.parse(arguments, environment: environment) else {
            throw UsageFault.contradiction("not serve")
        }
        let loaded = try request.sources.load()
        #expect(loaded.settings.limits.text == 3)
        #expect(loaded.settings.limits.line == 1026)
        #expect(loaded.settings.limits.stall == 11)
        #expect(loaded.settings.limits.replies == 262_144)
        #expect(loaded.settings.listen.plain == .ipv4("127.0.0.1", port: 5))
        #expect(loaded.settings.listen.chat == [.ipv4("127.0.0.1", port: 2)])
        #expect(loaded.origins["limits.text"] == .set)
        #expect(loaded.origins["limits.line"] == .environment("FCD_LIMITS_LINE"))
        #expect(loaded.origins["limits.stall"] == .file(file))
        #expect(loaded.origins["listen.plain"] == .option("--plain"))
        #expect(loaded.origins["limits.replies"] == nil)
    }

    @Test func `a wrong value is refused even when a later source would win`() {
        var sources = SettingSources()
        sources.environment = ["FCD_LIMITS_TEXT": "0"]
        sources.sets = [.init(origin: .set, name: "limits.text", text: "5")]
        #expect(throws: UsageFault.self) { try sources.load() }
    }

    @Test func `settings without effect are those given whose part is not built`() throws {
        var sources = SettingSources()
        sources.environment = ["FCD_LIMITS_SIGN_UPS": "60", "FCD_LIMITS_TEXT": "5"]
        sources.sets = [
            .init(origin: .set, name: "snapshot.interval", text: "300"),
            .init(origin: .set, name: "auth.signup", text: "invite"),
        ]
        #expect(try sources.load().withoutEffect == ["limits.sign-ups"])
        sources.environment = [:]
        #expect(try sources.load().withoutEffect == [])
    }
}
