import ChatModel

/// Takes a line apart into words and rest. Works on bytes: a mark or joiner never hides a blank.
///
/// The line must have passed `Characters.areAllowed`, so that TAB is the only control left: it is no blank, and in a word
/// it makes the line a bad one.
struct WordScanner {
    let line: UnsafeRawBufferPointer
    /// Offset of what comes next.
    var at = 0

    init(_ line: UnsafeRawBufferPointer) { self.line = line }

    mutating func skipBlanks() {
        while at < line.count, line[at] == 0x20 { at += 1 }
    }

    /// The next word, nil when only blanks are left.
    /// - Throws: BAD-LINE when there is a TAB in it.
    mutating func word() throws(Refusal) -> UnsafeRawBufferPointer? {
        skipBlanks()
        guard let base = line.baseAddress, at < line.count else { return nil }
        var end = at
        while end < line.count {
            let byte = base.load(fromByteOffset: end, as: UInt8.self)
            if byte == 0x20 { break }
            if byte == 0x09 {
                at = end
                throw Self.tab
            }
            end &+= 1
        }
        defer { at = end }
        return end == at ? nil : UnsafeRawBufferPointer(start: base + at, count: end - at)
    }

    /// The next word.
    /// - Throws: BAD-ARG with `field=name` when there is none.
    mutating func argument(_ name: String) throws(Refusal) -> UnsafeRawBufferPointer {
        guard let word = try word() else { throw .badArg(name, "it is missing") }
        return word
    }

    /// Everything behind the one blank that follows the last argument; nil when there is nothing.
    mutating func rest() -> UnsafeRawBufferPointer? {
        let start = at + 1
        guard start < line.count else { return nil }
        at = line.count
        return UnsafeRawBufferPointer(rebasing: line[start...])
    }

    /// - Throws: BAD-ARG when there are words left.
    mutating func end() throws(Refusal) {
        skipBlanks()
        guard at < line.count else { return }
        if line[at...].contains(0x09) { throw Self.tab }
        if let key = optionKey() {
            throw .badArg(Self.name(of: key), "options stand directly after the verb, before the arguments")
        }
        throw Refusal(.badArg, "there are too many words")
    }

    /// The key when an option (`key=`) begins here; moves nothing.
    func optionKey() -> UnsafeRawBufferPointer? {
        var end = at
        while end < line.count {
            switch line[end] {
            case 0x61...0x7A, 0x30...0x39, 0x2D: end += 1
            case 0x3D where end > at: return UnsafeRawBufferPointer(rebasing: line[at..<end])
            default: return nil
            }
        }
        return nil
    }

    /// A key as `field=` names it; a very long one is cut.
    static func name(of key: UnsafeRawBufferPointer) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: key.prefix(32)), as: UTF8.self)
    }

    static var tab: Refusal { .badLine("a TAB may stand in text only; words are parted by blanks") }
}
