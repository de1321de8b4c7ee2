import ChatTesting
import Foundation
import Testing

@Suite("The read-me is true") struct ReadMeTests {
    @Test func `what it tells to paste works, and answers what it shows`() throws {
        let fences = MarkdownFence.all(in: Document.readMe.text)
        let pasted = try #require(fences.first { $0.lines.first?.contains("s_client") ?? false })
        let answers = try #require(fences.first { $0.label == "answers" })
        let daemon = try RunningDaemon()
        let script = pasted.lines.joined(separator: "\n")
            .replacingOccurrences(of: "127.0.0.1:7700", with: "127.0.0.1:\(daemon.chatPort)")
        let came = try lines(of: script)
        var values: [String: String] = [:]
        for (came, shown) in zip(came, answers.lines) {
            #expect(TranscriptPattern(shown).matches(came, values: &values), "\(came) is not \(shown)")
        }
        #expect(came.count == answers.lines.count)
    }

    /// What a shell prints for this script on its standard output. It is ended after 20 s.
    private func lines(of script: String) throws -> [String] {
        try shell(script, within: 20).split(whereSeparator: \.isNewline).map(String.init)
    }
}
