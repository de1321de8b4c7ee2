import Bytes
import ChatModel

/// Reads `where=`: `field op value [and …]`.
struct WhereParser {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0
    private var number = 1

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// - Throws: `Refusal` BAD-ARG with `field=where`, saying what is wrong and in which term.
    static func parse(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> ItemFilter {
        var parser = WhereParser(bytes)
        var terms = [try parser.term()]
        while true {
            parser.skipBlanks()
            if parser.at == bytes.count { return ItemFilter(terms: terms) }
            guard parser.takeAnd() else { throw parser.fault("\"and\" or the end is expected behind it") }
            parser.number += 1
            if parser.number > ItemFilter.limit { throw parser.fault("at most \(ItemFilter.limit) terms") }
            terms.append(try parser.term())
        }
    }

    private func fault(_ reason: String) -> Refusal { .badArg("where", "term \(number): \(reason)") }

    private mutating func term() throws(Refusal) -> ItemFilter.Term {
        skipBlanks()
        let start = at
        while at < bytes.count, ItemScanner.isNameByte(bytes[at]) { at += 1 }
        let name = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
        guard ItemScanner.isSound(name: name) else {
            throw fault("a field's name is expected: price>2 and name=\"Tea\"")
        }
        skipBlanks()
        guard let comparison = comparison() else { throw fault("one of = != < <= > >= is expected behind the name") }
        skipBlanks()
        let literal = try literal()
        if case .bool = literal, comparison != .equal, comparison != .notEqual {
            throw fault("true and false are compared by = and != only")
        }
        return ItemFilter.Term(
            field: String(decoding: name, as: UTF8.self),
            comparison: comparison,
            literal: literal
        )
    }

    private mutating func comparison() -> ItemFilter.Comparison? {
        for length in [2, 1] where bytes.count - at >= length {
            let word = String(decoding: bytes[at..<at + length], as: UTF8.self)
            guard let found = ItemFilter.Comparison(rawValue: word) else { continue }
            at += length
            return found
        }
        return nil
    }

    private mutating func literal() throws(Refusal) -> ItemFilter.Literal {
        guard at < bytes.count else { throw fault("a value is expected at the end") }
        if bytes[at] == 0x22 {
            guard let close = JSONString.end(in: bytes, from: at + 1) else { throw fault("the string is not closed") }
            let inside = UnsafeRawBufferPointer(rebasing: bytes[at + 1..<close.offset])
            var text = ByteBuffer(capacity: inside.count)
            guard JSONString.unescape(inside, into: &text) else { throw fault("an escape of the string is wrong") }
            at = close.offset + 1
            return .string(Array(text.readable), Timestamp(text.readable))
        }
        let start = at
        while at < bytes.count, bytes[at] != 0x20 { at += 1 }
        let word = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
        if word.elementsEqual("true".utf8) { return .bool(true) }
        if word.elementsEqual("false".utf8) { return .bool(false) }
        if let number = DecimalNumber(word) { return .number(number) }
        guard !word.contains(where: { [0x22, 0x3C, 0x3D, 0x3E, 0x21].contains($0) }) else {
            throw fault("a value is a number, true, false, a time, a word, or a string in quotes")
        }
        return .string(Array(word), Timestamp(word))
    }

    private mutating func takeAnd() -> Bool {
        guard bytes.count - at > 3, bytes[at + 3] == 0x20,
            bytes[at..<at + 3].elementsEqual("and".utf8) || bytes[at..<at + 3].elementsEqual("AND".utf8)
        else { return false }
        at += 3
        return true
    }

    private mutating func skipBlanks() {
        while at < bytes.count, bytes[at] == 0x20 { at += 1 }
    }
}
