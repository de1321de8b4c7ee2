/// Finds the transcripts of a Markdown document and reads their lines. Pure.
package struct TranscriptParser {
    /// A line of a transcript that is none of the known forms.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let line: Int
        package let text: String
        package var description: String { "line \(line) is no line of a transcript: \(text)" }
    }

    /// Every block fenced as "transcript", in order.
    /// - Throws: `Fault` for the first line that is not understood.
    package static func transcripts(inMarkdown document: String) throws(Fault) -> [Transcript] {
        var found: [Transcript] = []
        for fence in MarkdownFence.all(in: document) where fence.label == "transcript" {
            var steps: [Transcript.Step] = []
            for (offset, text) in fence.lines.enumerated() {
                let line = fence.line + 1 + offset
                if let action = try action(of: text, at: line) {
                    steps.append(Transcript.Step(line: line, action: action))
                }
            }
            found.append(Transcript(heading: fence.heading, line: fence.line, steps: steps))
        }
        return found
    }

    /// nil: an empty line, or a remark for the reader.
    private static func action(of text: String, at line: Int) throws(Fault) -> Transcript.Action? {
        if text.allSatisfy({ $0 == " " }) { return nil }
        if text.hasPrefix("#") { return try directive(String(text.dropFirst(2)), at: line) }
        guard let mark = text.firstIndex(where: { $0 == ">" || $0 == "<" }) else {
            throw Fault(line: line, text: text)
        }
        let connection = String(text[..<mark])
        guard isName(connection) else { throw Fault(line: line, text: text) }
        var rest = text[text.index(after: mark)...]
        let isAround = text[mark] == "<" && rest.first == "~"
        if isAround { rest = rest.dropFirst() }
        if text[mark] == ">" {
            // Exactly one blank belongs to the notation; further ones are the client's.
            guard rest.isEmpty || rest.first == " " else { throw Fault(line: line, text: text) }
            return .send(connection: connection, line: String(rest.dropFirst()))
        }
        let said = String(rest.drop { $0 == " " })
        switch said {
        case "": throw Fault(line: line, text: text)
        case "...": return .skip(connection: connection)
        case "(closed)": return .expectEnd(connection: connection)
        default:
            let pattern = TranscriptPattern(said)
            return isAround
                ? .expectAround(connection: connection, pattern: pattern)
                : .expect(connection: connection, pattern: pattern)
        }
    }

    private static func directive(_ text: String, at line: Int) throws(Fault) -> Transcript.Action? {
        if text == "the server is killed and started again" { return .restart }
        if text.hasSuffix(" closes"), isName(String(text.dropLast(7))) {
            return .close(connection: String(text.dropLast(7)))
        }
        guard text.hasPrefix("given: ") else { return nil }
        let given = text.dropFirst(7)
        for ending in [" is signed up", " are signed up"] where given.hasSuffix(ending) {
            let names = given.dropLast(ending.count).split(separator: ",").map { String($0.drop { $0 == " " }) }
            guard !names.isEmpty, names.allSatisfy(isName) else { throw Fault(line: line, text: text) }
            return .signUp(names)
        }
        let words = given.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1] == "did", isName(String(words[0])) else {
            throw Fault(line: line, text: text)
        }
        return .prepare(connection: String(words[0]), request: String(words[2]))
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }
}
