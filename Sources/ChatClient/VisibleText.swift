/// Text of others made safe for a terminal or a file: what would steer a terminal shows as `\u{202e}` instead.
package enum VisibleText {
    /// `text` on one line: every control, separator, bidirectional control and invisible mark is spelled out. O(n).
    package static func line(_ text: String) -> String {
        var out = ""
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isCombining(scalar) ? marks + 1 : 0
            if JSONText.isEscaped(scalar) || isInvisible(scalar) || marks > marksShown {
                out += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// The same for a message of several lines: its later lines are indented, so that none can pass for another
    /// message. A TAB stays.
    package static func block(_ text: String, indent: String) -> String {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { tabbed(Substring($0)) }.joined(separator: "\n" + indent)
    }

    /// `text` between a first-strong isolate and its end, when it holds right-to-left letters: what it does to the
    /// order of letters ends with it (UAX 9). `text` is visible text already.
    package static func isolated(_ text: String) -> String {
        text.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}" + text + "\u{2069}" : text
    }

    /// Combining marks shown on one letter; more of them are spelled out, because they cover the lines around.
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

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
