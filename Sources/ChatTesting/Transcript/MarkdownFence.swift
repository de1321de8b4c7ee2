/// One block of a Markdown document between lines of three backticks.
package struct MarkdownFence: Sendable, Equatable {
    /// The word after the opening backticks; may be empty.
    package let label: String
    /// The nearest heading above, without its `#` marks.
    package let heading: String
    /// The line of the opening backticks, counted from 1.
    package let line: Int
    package let lines: [String]

    /// All blocks of `document`, in order. A block that is never closed ends with the document. Blocks fenced by more
    /// than three backticks are quotations of Markdown and are passed over.
    package static func all(in document: String) -> [MarkdownFence] {
        var fences: [MarkdownFence] = []
        var heading = ""
        var closing = ""
        var opened: (label: String, line: Int)?
        var lines: [String] = []
        func close() {
            guard let fence = opened else { return }
            if closing == "```" {
                fences.append(MarkdownFence(label: fence.label, heading: heading, line: fence.line, lines: lines))
            }
            opened = nil
            lines = []
        }
        for (index, text) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if opened != nil {
                if text == closing { close() } else { lines.append(String(text)) }
            } else if text.hasPrefix("```") {
                closing = String(text.prefix { $0 == "`" })
                opened = (String(text.dropFirst(closing.count)), index + 1)
            } else if text.hasPrefix("#") {
                heading = String(text.drop { $0 == "#" }.drop { $0 == " " })
            }
        }
        close()
        return fences
    }
}
