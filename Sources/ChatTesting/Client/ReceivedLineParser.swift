/// The parser behind `ReceivedLine`: bytes in, one line out, nothing forgiven.
struct ReceivedLineParser {
    private let bytes: [UInt8]
    private let raw: String
    private var at = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        raw = String(decoding: bytes, as: UTF8.self)
    }

    mutating func line() throws(ReceivedLine.Malformed) -> ReceivedLine {
        try checkCharacters()
        let word = bareWord()
        guard !word.isEmpty, word.utf8.allSatisfy({ (65...90).contains($0) }) else { throw malformed("no first word") }
        var tag: String?
        var words: [String] = []
        var pairs: [(String, String)] = []
        while at < bytes.count {
            try oneBlank()
            if bytes[at] == UInt8(ascii: "-"), at + 1 == bytes.count || bytes[at + 1] == UInt8(ascii: " ") {
                let human = String(decoding: bytes.dropFirst(at + 2), as: UTF8.self)
                return ReceivedLine(raw: raw, word: word, tag: tag, words: words, pairs: pairs, human: human)
            }
            if bytes[at] == UInt8(ascii: "@"), tag == nil, words.isEmpty, pairs.isEmpty, word != "EV" {
                tag = String(bareWord().dropFirst())
            } else if let key = keyAhead() {
                guard !pairs.contains(where: { $0.0 == key }) else { throw malformed("\(key)= comes twice") }
                at += key.utf8.count + 1
                pairs.append((key, try value(of: key)))
            } else {
                guard pairs.isEmpty else { throw malformed("a word after the first pair") }
                words.append(bareWord())
            }
        }
        return ReceivedLine(raw: raw, word: word, tag: tag, words: words, pairs: pairs, human: nil)
    }

    private func malformed(_ why: String) -> ReceivedLine.Malformed { .init(raw: raw, why: why) }

    private mutating func oneBlank() throws(ReceivedLine.Malformed) {
        at += 1
        guard at < bytes.count, bytes[at] != UInt8(ascii: " ") else { throw malformed("more than one blank at \(at)") }
    }

    private mutating func bareWord() -> String {
        let end = bytes[at...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
        defer { at = end }
        return String(decoding: bytes[at..<end], as: UTF8.self)
    }

    private func keyAhead() -> String? {
        var end = at
        while end < bytes.count, isKeyByte(bytes[end]) { end += 1 }
        guard end > at, end < bytes.count, bytes[end] == UInt8(ascii: "=") else { return nil }
        return String(decoding: bytes[at..<end], as: UTF8.self)
    }

    private func isKeyByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
    }

    private mutating func value(of key: String) throws(ReceivedLine.Malformed) -> String {
        if key == "json" {
            defer { at = bytes.count }
            return String(decoding: bytes[at...], as: UTF8.self)
        }
        if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
            let value = try quoted(key)
            guard at == bytes.count || bytes[at] == UInt8(ascii: " ") else {
                throw malformed("\(key)= goes on after its quote")
            }
            if key == "text", at != bytes.count { throw malformed("text= is not last") }
            return value
        }
        let value = bareWord()
        guard !value.isEmpty else { throw malformed("\(key)= is empty and not quoted") }
        guard !value.utf8.contains(UInt8(ascii: "\"")) else { throw malformed("a quote inside bare \(key)=") }
        guard !value.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            throw malformed("white space in bare \(key)=")
        }
        guard key != "text" || (!raw.hasPrefix("EV ") && !raw.hasPrefix("ROW ")) else {
            throw malformed("text= is not quoted")
        }
        return value
    }

    /// A JSON string: `\"`, `\\` and `\u` with four lower-case digits, and no other escape.
    private mutating func quoted(_ key: String) throws(ReceivedLine.Malformed) -> String {
        var value: [UInt8] = []
        at += 1
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            guard at < bytes.count else { break }
            let escape = bytes[at]
            at += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): value.append(escape)
            case UInt8(ascii: "u"): value.append(contentsOf: try escapedScalar().utf8)
            default: throw malformed("escape \\\(Character(Unicode.Scalar(escape))) in \(key)=")
            }
        }
        throw malformed("\(key)= is not closed")
    }

    private mutating func escapedScalar() throws(ReceivedLine.Malformed) -> String {
        let digits = bytes[at..<min(at + 4, bytes.count)]
        let lowerCase = digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard digits.count == 4, lowerCase, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(code)
        else { throw malformed("\\u without four lower-case digits") }
        guard Self.mustBeEscaped(scalar) else { throw malformed("U+\(String(code, radix: 16)) needs no escape") }
        at += 4
        return String(scalar)
    }

    private func checkCharacters() throws(ReceivedLine.Malformed) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("not UTF-8") }
        for scalar in text.unicodeScalars where Self.mustBeEscaped(scalar) {
            throw malformed("raw U+\(String(scalar.value, radix: 16))")
        }
    }

    /// C0, DEL, C1, the line separators and the bidirectional controls.
    static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
