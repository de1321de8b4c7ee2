import ChatTesting
import Foundation

/// A text at the root of the repository.
enum Document: String {
    case manual = "protocol.md"
    case readMe = "README.md"

    /// Its whole text; empty when it cannot be read, which the tests that count its examples find.
    var text: String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        return (try? String(contentsOf: root.appendingPathComponent(rawValue), encoding: .utf8)) ?? ""
    }

    /// Its transcripts; none when one of its lines is not understood, which a test of its own finds.
    var transcripts: [Transcript] { (try? TranscriptParser.transcripts(inMarkdown: text)) ?? [] }
}
