/// The words of a typed command, one after the other.
struct TypedWords {
    private var left: Substring

    init(_ text: Substring) { left = text }

    mutating func next() -> String? {
        skip()
        let word = left.prefix { !$0.isWhitespace }
        left = left.dropFirst(word.count)
        return word.isEmpty ? nil : Self.bare(word)
    }

    /// A message's number, when one comes next.
    mutating func number() -> UInt64? {
        var ahead = self
        guard let word = ahead.next(), let number = WordList.number(word) else { return nil }
        self = ahead
        return number
    }

    /// Passes over `word` when it comes next.
    mutating func skip(_ word: String) -> Bool {
        var ahead = self
        guard ahead.next() == word else { return false }
        self = ahead
        return true
    }

    mutating func onOff() -> Bool? {
        switch next() {
        case "on": true
        case "off": false
        default: nil
        }
    }

    /// A name copied from the screen brings its isolation along, which does not belong to it.
    private static func bare(_ word: Substring) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: word.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) })
        return String(scalars)
    }

    /// A word that may stand in quotes, or have blanks behind a backslash.
    mutating func path() -> String? {
        skip()
        guard let first = left.first else { return nil }
        if first == "\"" || first == "'" {
            let inner = left.dropFirst()
            guard let end = inner.firstIndex(of: first), end > inner.startIndex else { return nil }
            left = inner[inner.index(after: end)...]
            return String(inner[..<end])
        }
        var out = ""
        while let character = left.first, !character.isWhitespace {
            left = left.dropFirst()
            if character == "\\", let next = left.first {
                left = left.dropFirst()
                out.append(next)
            } else {
                out.append(character)
            }
        }
        return out
    }

    /// Everything left; nil when nothing is.
    var rest: String? {
        let text = left.drop { $0.isWhitespace }
        return text.isEmpty ? nil : String(text)
    }

    private mutating func skip() { left = left.drop { $0.isWhitespace } }
}
