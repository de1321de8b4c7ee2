/// One line of the server as a client reads it (protocol.md, Lines): first word, tag, words, keys, human text.
///
/// Tolerant, as a client must be: keys and kinds it does not know are kept and harm nobody. Total: every input gives a
/// line or nil, in O(n).
package struct ServerLine: Equatable, Sendable {
    /// The first word of a server line, one of seven.
    package enum Word: String, Equatable, Sendable, CaseIterable {
        case hello = "HI"
        case ok = "OK"
        case error = "ERR"
        case row = "ROW"
        case ask = "ASK"
        case event = "EV"
        case bye = "BYE"
    }

    /// A `key=value` of the line, the value decoded.
    package struct Field: Equatable, Sendable {
        package let key: String
        package let value: String
        /// Whether the value stood in quotes; `42` and `"42"` are told apart by this.
        package let isQuoted: Bool

        package init(key: String, value: String, isQuoted: Bool) {
            (self.key, self.value, self.isQuoted) = (key, value, isQuoted)
        }
    }

    package var word: Word
    /// The tag of the request that is answered, without its `@`.
    package var tag: String?
    /// The words that are no keys: the code of an ERR or BYE, the kind of a ROW or EV, what an ASK wants.
    package var words: [String]
    /// In the order of the line.
    package var fields: [Field]
    /// What stands behind ` - ` outside quotes.
    package var human: String?

    package init(word: Word, tag: String? = nil, words: [String] = [], fields: [Field] = [], human: String? = nil) {
        (self.word, self.tag, self.words, self.fields, self.human) = (word, tag, words, fields, human)
    }

    /// Parses a line without its LF; one CR at the end is dropped. Nil for what is no server line: another first word,
    /// invalid UTF-8, an unclosed or malformed quoted value.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(text)
    }

    /// The same from text.
    package init?(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.last == 0x0D { bytes.removeLast() }
        var scanner = ServerLineScanner(bytes)
        guard let word = Word(rawValue: scanner.word()) else { return nil }
        self.init(word: word)
        if scanner.peek == UInt8(ascii: "@") { tag = String(scanner.word().dropFirst()) }
        guard scanner.parts(into: &self) else { return nil }
    }

    /// The value of `key`, the first when it stands twice; nil when it is missing.
    package subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

    /// The first word behind the tag: code of an ERR or BYE, kind of a ROW or EV.
    package var kind: String? { words.first }

    /// The value of `key` as a number; nil when it is missing or no plain decimal number that fits.
    package func number(_ key: String) -> UInt64? {
        guard let value = self[key], !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt64(value)
    }
}

/// Walks over the bytes of one line; nothing here looks at characters, so a combining mark hides no blank.
private struct ServerLineScanner {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// The bytes to the next blank, which is passed over.
    mutating func word() -> String {
        let end = bytes[at...].firstIndex(of: 0x20) ?? bytes.count
        defer {
            at = end
            skipBlanks()
        }
        return String(decoding: bytes[at..<end], as: UTF8.self)
    }

    /// Everything behind first word and tag; false when it is malformed.
    mutating func parts(into line: inout ServerLine) -> Bool {
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "-"), at + 1 == bytes.count || bytes[at + 1] == 0x20 {
                line.human = String(decoding: bytes[min(at + 2, bytes.count)...], as: UTF8.self)
                return true
            }
            guard let key = key() else {
                line.words.append(word())
                continue
            }
            guard let field = field(key) else { return false }
            line.fields.append(field)
        }
        return true
    }

    /// Passes over `key=`; nil, and nothing passed over, when no key begins here.
    private mutating func key() -> String? {
        var end = at
        while end < bytes.count, Self.isKey(bytes[end]) { end += 1 }
        guard end > at, end < bytes.count, bytes[end] == UInt8(ascii: "=") else { return nil }
        defer { at = end + 1 }
        return String(decoding: bytes[at..<end], as: UTF8.self)
    }

    private static func isKey(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    private mutating func field(_ key: String) -> ServerLine.Field? {
        if key == "json" {
            defer { at = bytes.count }
            return .init(key: key, value: String(decoding: bytes[at...], as: UTF8.self), isQuoted: false)
        }
        guard peek == UInt8(ascii: "\"") else { return .init(key: key, value: word(), isQuoted: false) }
        guard let value = quoted() else { return nil }
        guard at == bytes.count || bytes[at] == 0x20 else { return nil }
        skipBlanks()
        return .init(key: key, value: value, isQuoted: true)
    }

    private mutating func skipBlanks() { while at < bytes.count, bytes[at] == 0x20 { at += 1 } }

    /// A JSON string (RFC 8259, 7), from its opening quote to behind its closing one.
    private mutating func quoted() -> String? {
        var value: [UInt8] = []
        at += 1
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"): guard escape(into: &value) else { return nil }
            default: value.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into value: inout [UInt8]) -> Bool {
        guard at < bytes.count else { return false }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(byte)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = scalar() else { return false }
            value.append(contentsOf: Array(String(scalar).utf8))
        default: return false
        }
        return true
    }

    /// What `\uXXXX` (or a pair of them) stands for, read from behind the `u`; a lone surrogate gives U+FFFD.
    private mutating func scalar() -> Unicode.Scalar? {
        guard let first = unit() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let pair = at + 1 < bytes.count && bytes[at] == UInt8(ascii: "\\") && bytes[at + 1] == UInt8(ascii: "u")
        guard first < 0xDC00, pair else { return "\u{FFFD}" }
        let back = at
        at += 2
        guard let second = unit() else { return nil }
        guard (0xDC00...0xDFFF).contains(second) else {
            at = back
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    /// Four hex digits.
    private mutating func unit() -> UInt32? {
        guard bytes.count - at >= 4 else { return nil }
        var value: UInt32 = 0
        for byte in bytes[at..<at + 4] {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
        }
        at += 4
        return value
    }
}
