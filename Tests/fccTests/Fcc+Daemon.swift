import ChatTesting
import Foundation
import Testing

extension Fcc {
    /// As if `client` had signed in at `daemon`, under this profile.
    func signIn(_ client: TestClient, at daemon: RunningDaemon, profile name: String = "default") throws {
        let file = profile(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let pin = try #require(daemon.ready?["cert-sha256"])
        let text = """
            {"server": "127.0.0.1:\(daemon.chatPort)", "user": "\(client.user)", "token": "\(client.token)", "pin": "\(pin)"}
            """
        try Data(text.utf8).write(to: file)
    }

    /// The options that lead to `daemon` without a question.
    static func server(_ daemon: RunningDaemon) throws -> [String] {
        ["--server", "127.0.0.1:\(daemon.chatPort)", "--fingerprint", try #require(daemon.ready?["cert-sha256"])]
    }

    /// A command that must succeed; its standard output.
    @discardableResult
    func succeed(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws -> String {
        let run = try start(arguments, input: "").finish()
        #expect(run.code == 0, "\(arguments): \(run.err)", sourceLocation: location)
        return run.out
    }

    /// A file with this text in the program's own folder.
    func file(_ name: String, _ text: String) throws -> String {
        let url = home.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    /// The objects that `--json` printed, one a line.
    static func objects(_ output: String) throws -> [[String: any Sendable]] {
        try output.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable]
            return try #require(object)
        }
    }
}
