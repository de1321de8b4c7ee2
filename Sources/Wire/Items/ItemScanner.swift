import Bytes
import ChatModel

/// What is wrong with an item's object.
package struct ItemFault: Error, Sendable {
    /// The field it is about; nil for the object as a whole.
    package let field: String?
    package let reason: String

    package var refusal: Refusal { .badArg(field ?? "json", reason) }
}

/// Goes over the fields of an item's object (RFC 8259): strings, numbers and booleans under names of their own, nothing
/// nested. Never deeper than the object itself, whatever it is given. A view: valid while the bytes are.
package struct ItemScanner {
    package enum Value {
        /// The inside of the string; its escapes are sound.
        case string(UnsafeRawBufferPointer, hasEscapes: Bool)
        /// As written; a sound number.
        case number(UnsafeRawBufferPointer, isInteger: Bool)
        case bool(Bool)
    }

    private let bytes: UnsafeRawBufferPointer
    private var at = 0
    private var count = 0
    private var isOver = false

    /// Fields of one item at most, and bytes of the name of one.
    package static let fieldLimit = 256
    package static let nameLimit = 64

    /// - Parameter bytes: well-formed UTF-8.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next field; nil behind the last.
    /// - Throws: `ItemFault` naming the field.
    package mutating func next() throws(ItemFault) -> (name: UnsafeRawBufferPointer, value: Value)? {
        if isOver { return nil }
        if count == 0 {
            guard take(0x7B) else { throw fault("an object is expected: {\"name\":\"Tea\",\"price\":2.5}") }
            if take(0x7D) { return try end() }
        } else if !take(0x2C) {
            guard take(0x7D) else { throw fault("a comma or } is expected at byte \(at)") }
            return try end()
        }
        count += 1
        if count > Self.fieldLimit { throw fault("at most \(Self.fieldLimit) fields") }
        let name = try name()
        guard take(0x3A) else { throw fault("a colon is expected at byte \(at)", name) }
        return (name, try value(name))
    }

    private mutating func end() throws(ItemFault) -> (name: UnsafeRawBufferPointer, value: Value)? {
        isOver = true
        skipBlanks()
        if at < bytes.count { throw fault("something follows the object at byte \(at)") }
        return nil
    }

    private mutating func name() throws(ItemFault) -> UnsafeRawBufferPointer {
        guard take(0x22) else { throw fault("a field's name in quotes is expected at byte \(at)") }
        guard let close = JSONString.end(in: bytes, from: at) else { throw fault("a string is not closed") }
        let name = UnsafeRawBufferPointer(rebasing: bytes[at..<close.offset])
        at = close.offset + 1
        guard Self.isSound(name: name) else {
            throw fault("a field's name is 1 to 64 bytes of letters, digits, - _ . or of other scripts")
        }
        return name
    }

    /// Whether a field may be called like this: nothing in it parts words, ends strings or has to be escaped.
    package static func isSound(name: UnsafeRawBufferPointer) -> Bool {
        guard (1...nameLimit).contains(name.count) else { return false }
        var at = 0
        while at < name.count {
            guard let scalar = Characters.scalar(in: name, at: at) else { return false }
            if scalar.value < 0x80 {
                guard isNameByte(name[at]) else { return false }
            } else if Characters.isWhiteSpace(scalar.value) || Characters.isEscaped(scalar.value) {
                return false
            }
            at += scalar.length
        }
        return true
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    private mutating func value(_ name: UnsafeRawBufferPointer) throws(ItemFault) -> Value {
        skipBlanks()
        guard at < bytes.count else { throw fault("its value is missing", name) }
        switch bytes[at] {
        case 0x22: return try string(name)
        case 0x2D, 0x30...0x39: return try number(name)
        case 0x5B, 0x7B: throw fault("a string, number or boolean; nothing nested", name)
        default: break
        }
        if takeWord("true") { return .bool(true) }
        if takeWord("false") { return .bool(false) }
        if takeWord("null") { throw fault("null is no value; leave the field out", name) }
        throw fault("a string, number, true or false is expected", name)
    }

    private mutating func string(_ name: UnsafeRawBufferPointer) throws(ItemFault) -> Value {
        at += 1
        guard let close = JSONString.end(in: bytes, from: at) else { throw fault("the string is not closed", name) }
        let inside = UnsafeRawBufferPointer(rebasing: bytes[at..<close.offset])
        if close.hasEscapes, !JSONString.areEscapesSound(in: inside) {
            throw fault("an escape of the string is wrong", name)
        }
        if inside.contains(0x09) { throw fault("a TAB in a string is written \\t", name) }
        at = close.offset + 1
        return .string(inside, hasEscapes: close.hasEscapes)
    }

    private mutating func number(_ name: UnsafeRawBufferPointer) throws(ItemFault) -> Value {
        let start = at
        while at < bytes.count, Self.isNumberByte(bytes[at]) { at += 1 }
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
        guard let parts = DecimalNumber.Parts(text) else {
            throw fault("a number such as -12.5e3, at most \(DecimalNumber.limit) bytes", name)
        }
        return .number(text, isInteger: parts.isInteger)
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
        default: false
        }
    }

    private func fault(_ reason: String, _ name: UnsafeRawBufferPointer? = nil) -> ItemFault {
        ItemFault(field: name.map { String(decoding: $0, as: UTF8.self) }, reason: reason)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        let end = at + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[at..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: end - at))
        else { return false }
        at = end
        return true
    }

    private mutating func skipBlanks() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
    }
}
