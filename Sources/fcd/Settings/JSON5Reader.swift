/// Reads a JSON5 text (https://spec.json5.org) and tells the place of a mistake, and names given twice in one object.
///
/// The decoder of FoundationEssentials would tell neither on Linux, and costs 1.5 MB with every start, whether there is a
/// file or not. Nesting is bounded.
struct JSON5Reader {
    /// What the text says; nil with a mistake. Of two members with one name, the first.
    private(set) var value: ConfigValue?
    /// The first mistake with its line and column, counted from 1 in bytes.
    private(set) var trouble: String?
    /// The first name that an object has twice, with the names of the objects around it: `limits.text`.
    private(set) var doubled: String?

    let bytes: [UInt8]
    var at = 0
    /// Names of the objects around the place.
    private var path: [String] = []

    struct Mistake: Error {
        let text: String
    }

    /// Cost: one pass over `bytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        do throws(Mistake) {
            let value = try value(depth: 0)
            try blanks()
            if at < bytes.count { throw Mistake(text: "nothing may follow the last }") }
            self.value = value
        } catch {
            trouble = "\(place): \(error.text)"
        }
    }

    private var place: String {
        let before = bytes[..<min(at, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return "line \(before.count { $0 == 0x0a } + 1), column \(before.count - lineStart + 1)"
    }

    var current: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func value(depth: Int) throws(Mistake) -> ConfigValue {
        if depth > 64 { throw Mistake(text: "this is nested too deeply") }
        try blanks()
        switch current {
        case UInt8(ascii: "{"): return try members(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quoted())
        case nil: throw Mistake(text: "the file ends where a value is expected")
        default: return try bare()
        }
    }

    private mutating func members(depth: Int) throws(Mistake) -> ConfigValue {
        at += 1
        var members: [String: ConfigValue] = [:]
        while true {
            try blanks()
            if current == UInt8(ascii: "}") { break }
            let name = try memberName()
            path.append(name)
            let isNew = members[name] == nil
            if !isNew, doubled == nil { doubled = path.joined(separator: ".") }
            try blanks()
            guard current == UInt8(ascii: ":") else { throw expected("a : after the name") }
            at += 1
            let value = try value(depth: depth + 1)
            if isNew { members[name] = value }
            path.removeLast()
            try blanks()
            if current == UInt8(ascii: ",") {
                at += 1
            } else if current == UInt8(ascii: "}") {
                break
            } else {
                throw expected("a , or a }")
            }
        }
        at += 1
        return .object(members)
    }

    private mutating func list(depth: Int) throws(Mistake) -> ConfigValue {
        at += 1
        var items: [ConfigValue] = []
        while true {
            try blanks()
            if current == UInt8(ascii: "]") { break }
            items.append(try value(depth: depth + 1))
            try blanks()
            if current == UInt8(ascii: ",") {
                at += 1
            } else if current == UInt8(ascii: "]") {
                break
            } else {
                throw expected("a , or a ]")
            }
        }
        at += 1
        return .list(items)
    }

    private mutating func memberName() throws(Mistake) -> String {
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") { return try quoted() }
        let start = at
        while let byte = current, isLetterHere || (at > start && Self.isDigit(byte)) { at += 1 }
        if at == start { throw expected("a name") }
        if current == UInt8(ascii: "-") || current == UInt8(ascii: ".") {
            throw Mistake(text: "a name with - or . in it stands in quotes")
        }
        return try text(of: bytes[start..<at])
    }

    /// A word or a number.
    private mutating func bare() throws(Mistake) -> ConfigValue {
        let start = at
        while let byte = current, isLetterHere || Self.isDigit(byte) || "+-.".utf8.contains(byte) { at += 1 }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default: break
        }
        if let number = JSON5Number.value(of: word) { return number }
        at = start
        if word.isEmpty { throw expected("a value") }
        let isLikeNumber = word.utf8.contains(where: Self.isDigit) && !Self.isLetter(word.utf8.first ?? 0)
        throw Mistake(text: "the value \(word.prefix(40)) \(isLikeNumber ? "is no number" : "stands in quotes")")
    }

    private func expected(_ what: String) -> Mistake {
        guard at < bytes.count else { return Mistake(text: "the file ends where \(what) is expected") }
        return Mistake(text: "\(what) is expected")
    }

    private var isLetterHere: Bool { current.map(Self.isLetter) == true && wideBlankSize == nil }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Also `_`, `$` and every byte of a letter beyond ASCII.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5a, 0x61...0x7a, 0x80...0xff, UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}
