/// A walk over a JSON5 text that finds where it goes wrong, and names given twice in one object.
///
/// It builds no values: the decoder of FoundationEssentials does, but tells no place on Linux. Nesting is bounded.
struct JSON5Outline {
    /// The first mistake with its line and column, counted from 1 in bytes; nil when none was found.
    private(set) var trouble: String?
    /// The first name that an object has twice, with the names of the objects around it: `limits.text`.
    private(set) var doubled: String?

    private let bytes: [UInt8]
    private var at = 0
    /// Names of the objects around the place.
    private var path: [String] = []

    private struct Mistake: Error {
        let text: String
    }

    /// Cost: one pass over `bytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        do throws(Mistake) {
            if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
            try value(depth: 0)
            try blanks()
            if at < bytes.count { throw Mistake(text: "nothing may follow the last }") }
        } catch {
            trouble = "\(place): \(error.text)"
        }
    }

    private var place: String {
        let before = bytes[..<min(at, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return "line \(before.count { $0 == 0x0a } + 1), column \(before.count - lineStart + 1)"
    }

    private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func value(depth: Int) throws(Mistake) {
        if depth > 64 { throw Mistake(text: "this is nested too deeply") }
        try blanks()
        switch current {
        case UInt8(ascii: "{"): try members(depth: depth)
        case UInt8(ascii: "["): try list(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try quoted()
        case nil: throw Mistake(text: "the file ends where a value is expected")
        default: try bare()
        }
    }

    private mutating func members(depth: Int) throws(Mistake) {
        at += 1
        var names: Set<[UInt8]> = []
        while true {
            try blanks()
            if current == UInt8(ascii: "}") { break }
            let name = try memberName()
            path.append(String(decoding: name, as: UTF8.self))
            if !names.insert(name).inserted, doubled == nil { doubled = path.joined(separator: ".") }
            try blanks()
            guard current == UInt8(ascii: ":") else { throw expected("a : after the name") }
            at += 1
            try value(depth: depth + 1)
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
    }

    private mutating func list(depth: Int) throws(Mistake) {
        at += 1
        while true {
            try blanks()
            if current == UInt8(ascii: "]") { break }
            try value(depth: depth + 1)
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
    }

    private mutating func memberName() throws(Mistake) -> [UInt8] {
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") { return try quoted() }
        let start = at
        while let byte = current, Self.isLetter(byte) || (at > start && Self.isDigit(byte)) { at += 1 }
        if at == start { throw expected("a name") }
        if current == UInt8(ascii: "-") || current == UInt8(ascii: ".") {
            throw Mistake(text: "a name with - or . in it stands in quotes")
        }
        return Array(bytes[start..<at])
    }

    /// The bytes between the quotes, escapes left as they are.
    private mutating func quoted() throws(Mistake) -> [UInt8] {
        let (quote, start) = (bytes[at], at)
        at += 1
        while let byte = current, byte != quote {
            if byte == 0x0a { break }
            at += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard current == quote else {
            at = start
            throw Mistake(text: "the quote opened here is not closed on its line")
        }
        at += 1
        return Array(bytes[(start + 1)..<(at - 1)])
    }

    private mutating func bare() throws(Mistake) {
        let start = at
        while let byte = current, Self.isLetter(byte) || Self.isDigit(byte) || "+-.".utf8.contains(byte) { at += 1 }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        let number = word.utf8.first { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
        if let number, Self.isDigit(number) || number == UInt8(ascii: ".") { return }
        if ["true", "false", "null", "NaN", "Infinity", "+Infinity", "-Infinity"].contains(word) { return }
        at = start
        throw word.isEmpty ? expected("a value") : Mistake(text: "the value \(word.prefix(40)) stands in quotes")
    }

    private mutating func blanks() throws(Mistake) {
        while let byte = current {
            if [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20].contains(byte) {
                at += 1
            } else if bytes[at...].starts(with: "//".utf8) {
                while let next = current, next != 0x0a { _ = next; at += 1 }
            } else if bytes[at...].starts(with: "/*".utf8) {
                try blockComment()
            } else {
                return
            }
        }
    }

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

    private func expected(_ what: String) -> Mistake {
        guard at < bytes.count else { return Mistake(text: "the file ends where \(what) is expected") }
        return Mistake(text: "\(what) is expected")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Also `_`, `$` and every byte of a letter beyond ASCII.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5a, 0x61...0x7a, 0x80...0xff, UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}
