import ChatTesting
import Foundation
import Testing

@Suite("What the manual shows of curl is true") struct CurlTests {
    /// One line that is typed, and what comes.
    private struct Example {
        let command: String
        var answer: [String] = []
    }

    private func examples() -> [Example] {
        var found: [Example] = []
        for line in MarkdownFence.all(in: Document.manual.text).filter({ $0.label == "curl" }).flatMap(\.lines) {
            if line.hasPrefix("$ ") {
                found.append(Example(command: String(line.dropFirst(2))))
            } else {
                found[found.count - 1].answer.append(line)
            }
        }
        return found
    }

    @Test func `each command answers what stands below it`() throws {
        let daemon = try RunningDaemon()
        let ada = try daemon.user("ada")
        let put = try ada.upload(Array("roses\n".utf8), type: "text/plain", "name=list.txt")
        let examples = examples()
        #expect(examples.count >= 5)
        let environment = [
            "PATH": "/usr/bin:/bin", "TOKEN": ada.token, "URL": put["url"] ?? "",
            "CERT": daemon.data + "/tls/certificate.pem",
            "BLOBS": ada.hi?["blobs"] ?? "",
        ]
        for example in examples {
            let came = try lines(of: example.command, environment)
            #expect(came.count == example.answer.count, "\(example.command): \(came)")
            for (line, shown) in zip(came, example.answer) {
                var values: [String: String] = [:]
                #expect(TranscriptPattern(shown).matches(line, values: &values), "\(line) is not \(shown)")
            }
        }
    }

    /// What a shell prints for this command. It is ended after 20 s.
    private func lines(of command: String, _ environment: [String: String]) throws -> [String] {
        try shell(command, environment: environment, within: 20).split(whereSeparator: \.isNewline).map(String.init)
    }
}
