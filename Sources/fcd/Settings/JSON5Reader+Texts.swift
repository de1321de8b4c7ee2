/// Texts in quotes, and what stands between the values.
extension JSON5Reader {
    /// What stands between the quotes, its escapes resolved.
    mutating func quoted() throws(Mistake) -> String {
        let (quote, start) = (bytes[at], at)
        at += 1
        var content: [UInt8] = []
        while let byte = current, byte != quote, byte != 0x0a {
            at += 1
            if byte == UInt8(ascii: "\\") {
                try escape(into: &content)
            } else {
                content.append(byte)
            }
        }
        guard current == quote else {
            at = start
            throw Mistake(text: "the quote opened here is not closed on its line")
        }
        at += 1
        return try text(of: content[...])
    }

    func text(of bytes: ArraySlice<UInt8>) throws(Mistake) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Mistake(text: "this is no UTF-8") }
        return text
    }

    /// What follows a backslash (JSON5, section 5.1). At the end of the file nothing does, which `quoted` reports.
    private mutating func escape(into content: inout [UInt8]) throws(Mistake) {
        guard let byte = current else { return }
        at += 1
        switch byte {
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0c)
        case UInt8(ascii: "n"): content.append(0x0a)
        case UInt8(ascii: "r"): content.append(0x0d)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0b)
        case UInt8(ascii: "x"): content += String(Character(try scalar(try hexadecimal(2)))).utf8
        case UInt8(ascii: "u"): content += String(Character(try unicodeEscape())).utf8
        case UInt8(ascii: "0") where current.map(Self.isDigit) != true: content.append(0)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): throw noEscape
        // The line goes on in the next one.
        case 0x0a: break
        case 0x0d: if current == 0x0a { at += 1 }
        case 0xe2 where bytes[at...].starts(with: [0x80, 0xa8]) || bytes[at...].starts(with: [0x80, 0xa9]): at += 2
        default: content.append(byte)
        }
    }

    /// Four digits behind `\u`, or twice that for the two halves of one character.
    private mutating func unicodeEscape() throws(Mistake) -> Unicode.Scalar {
        let first = try hexadecimal(4)
        guard (0xd800..<0xdc00).contains(first) else { return try scalar(first) }
        guard bytes[at...].starts(with: "\\u".utf8) else { throw noEscape }
        at += 2
        let second = try hexadecimal(4)
        guard (0xdc00..<0xe000).contains(second) else { throw noEscape }
        return try scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func hexadecimal(_ count: Int) throws(Mistake) -> UInt32 {
        let digits = bytes[at...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw noEscape }
        at += count
        return number
    }

    private func scalar(_ number: UInt32) throws(Mistake) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(number) else { throw noEscape }
        return scalar
    }

    private var noEscape: Mistake { Mistake(text: "the \\ before this begins no character") }

    /// Goes on to what is neither blank nor comment.
    mutating func blanks() throws(Mistake) {
        while let byte = current {
            if [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20].contains(byte) {
                at += 1
            } else if let count = wideBlankSize {
                at += count
            } else if bytes[at...].starts(with: "//".utf8) {
                while let next = current, next != 0x0a { at += 1 }
            } else if bytes[at...].starts(with: "/*".utf8) {
                try blockComment()
            } else {
                return
            }
        }
    }

    /// Bytes of the blank beyond ASCII that stands here.
    var wideBlankSize: Int? {
        guard let current, current >= 0x80 else { return nil }
        return Self.wideBlanks.first { bytes[at...].starts(with: $0) }?.count
    }

    /// Blanks beyond ASCII in UTF-8: byte order mark, separators of lines and paragraphs, and those of Unicode's kind Zs.
    private static let wideBlanks: [[UInt8]] =
        "\u{feff}\u{a0}\u{2028}\u{2029}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{202f}\u{205f}\u{3000}"
        .unicodeScalars.map { Array(String($0).utf8) }

    private mutating func blockComment() throws(Mistake) {
        let start = at
        at += 2
        while at < bytes.count, !bytes[at...].starts(with: "*/".utf8) { at += 1 }
        guard at < bytes.count else {
            at = start
            throw Mistake(text: "the comment opened here is not closed")
        }
        at += 2
    }
}
