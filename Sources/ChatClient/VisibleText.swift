/// Text of others made safe for a terminal or a file: what would steer a terminal shows as `\u{202e}` instead.
package enum VisibleText {
    /// `text` on one line: every control, separator, bidirectional control and invisible mark is spelled out, and of a
    /// heap of marks on one letter only the number is told. O(n).
    package static func line(_ text: String) -> String {
        var out = ""
        var marks = 0
        for scalar in text.unicodeScalars {
            if isCombining(scalar) {
                marks += 1
                if marks > marksShown { continue }
            } else {
                appendHeap(marks, to: &out)
                marks = 0
            }
            if JSONText.isEscaped(scalar) || isInvisible(scalar) {
                out += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        appendHeap(marks, to: &out)
        return out
    }

    private static func appendHeap(_ marks: Int, to out: inout String) {
        if marks > marksShown { out += "(+\(marks - marksShown) marks)" }
    }

    /// The same for a message of several lines: its later lines are indented, so that none can pass for another
    /// message. A TAB stays.
    package static func block(_ text: String, indent: String) -> String {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { tabbed(Substring($0)) }.joined(separator: "\n" + indent)
    }

    /// `text` between a first-strong isolate and its end: what it does to the order of letters ends with it (UAX 9), and
    /// what stands around does nothing to it. `text` is visible text already.
    package static func isolated(_ text: String) -> String { "\u{2068}" + text + "\u{2069}" }

    /// Combining marks shown on one letter; more of them are only counted, because they cover the lines around.
    private static let marksShown = 8

    private static func tabbed(_ text: Substring) -> String {
        let parts = text.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
        return parts.map { line(String($0)) }.joined(separator: "\t")
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0001: true
        default: false
        }
    }
}
