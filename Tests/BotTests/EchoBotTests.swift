import ChatTesting
import Foundation
import Testing

/// The example bots of etc/bots, against the real daemon.
@Suite("The echo bots", .serialized)
struct EchoBotTests {
    /// A bot of etc/bots, as protocol.md says to start it.
    enum Bot: String, CaseIterable, Sendable {
        case shell = "echo.sh"
        case python = "echo.py"
        case swift = "echo.swift"

        static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("etc/bots")

        var path: String { Self.folder.appendingPathComponent(rawValue).path }

        /// The command, without its arguments; the Swift one is built into `folder`.
        func command(in folder: String) throws -> [String] {
            switch self {
            case .shell: return ["bash", path]
            case .python: return ["python3", path]
            case .swift:
                let program = folder + "/echo"
                let compiler = try ChildProcess(["swiftc", path, "-o", program], errors: folder + "/errors")
                let code = compiler.wait(atMost: 120)
                try #require(code == 0, "\(readWhole(folder + "/errors"))")
                return [program]
            }
        }
    }

    @Test(arguments: Bot.allCases)
    func `It answers with the text, and after a lost connection what was asked meanwhile`(_ bot: Bot) throws {
        let folder = TemporaryDirectory()
        let command = try bot.command(in: folder.path)
        // The bot connects again to the same port, so the server must keep it.
        let daemon = try RunningDaemon()
        let ada = try daemon.user("ada")
        try ada.ok("SUB #lobby")
        let certificate = daemon.data + "/tls/certificate.pem"
        let relay = try Relay(to: daemon.chatPort)
        let errors = folder.path + "/bot-errors"
        let process = try ChildProcess(command + ["127.0.0.1", "\(relay.port)", certificate], errors: errors)
        defer { process.signal(SIGKILL) }
        ada.patience = 20
        // Nobody tells when the bot listens: it is asked until it answers.
        let first = try polling(atMost: 20) { () -> ReceivedLine? in
            try ada.ok("SEND #lobby !echo hello مرحبا 你 \"quoted\" \\ :)")
            return answer(to: ada, "hello مرحبا 你 \"quoted\" \\ :)", within: 1)
        }
        let bots = try #require(first, "\(readWhole(errors))")["by"]
        #expect(bots?.hasPrefix("guest-") == true)
        relay.cut()
        try ada.ok("SEND #lobby !echo while away")
        try ada.ok("SEND #lobby nothing for a bot")
        relay.mend()
        let second = answer(to: ada, "while away", within: 30)
        #expect(second != nil && second?["by"] == bots && second?["reply"] != nil, "\(readWhole(errors))")
        #expect(process.exitCode == nil)
    }

    private func answer(to client: TestClient, _ text: String, within seconds: Double) -> ReceivedLine? {
        polling(atMost: seconds) {
            let event = try? client.event("msg", within: seconds)
            return event?["text"] == text ? event : nil
        }
    }

    @Test(arguments: Bot.allCases)
    func `It is under 60 lines`(_ bot: Bot) throws {
        let text = readWhole(bot.path)
        #expect(!text.isEmpty && text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
    }
}
