import ChatModel

/// A line behind its verb: the options read, the arguments still to be taken. A view: valid while the line is.
struct Request {
    let verb: Verb
    var words: WordScanner
    private var present = OptionKeys()
    private var escaped = OptionKeys()
    /// The options that are there, in the order of the line; no verb takes more than eight.
    private var found: [8 of Stretch] = .init(repeating: Stretch(key: 0, start: 0, count: 0))
    private var foundCount = 0

    private struct Stretch {
        let key: Int32
        let start: Int32
        let count: Int32
    }

    /// Reads the options that follow the verb.
    /// - Throws: BAD-ARG naming the option that is unknown, twice there or malformed; BAD-LINE for a TAB in one.
    init(_ verb: Verb, _ words: WordScanner) throws(Refusal) {
        try self.init(verb, words, named: verb.rawValue, allowing: verb.options)
    }

    /// The same for a verb under another verb, which has a name and options of its own.
    init(_ verb: Verb, _ words: WordScanner, named name: String, allowing allowed: OptionKeys) throws(Refusal) {
        (self.verb, self.words) = (verb, words)
        while true {
            self.words.skipBlanks()
            guard let key = self.words.optionKey() else { return }
            guard let option = OptionKey(key), allowed.contains(option) else {
                throw .badArg(WordScanner.name(of: key), "\(name) has no such option")
            }
            guard !present.contains(option), foundCount < 8 else { throw .badArg(option.word, "it is there twice") }
            self.words.at += key.count + 1
            present.insert(option)
            try readValue(of: option)
        }
    }

    private mutating func readValue(of option: OptionKey) throws(Refusal) {
        let line = words.line
        var (start, end) = (words.at, words.at)
        if start < line.count, line[start] == 0x22 {
            start += 1
            guard let close = JSONString.end(in: line, from: start) else {
                throw .badArg(option.word, "the string is not closed")
            }
            end = close.offset
            words.at = end + 1
            guard words.at == line.count || line[words.at] == 0x20 else {
                throw .badArg(option.word, "a blank must follow the string")
            }
            if close.hasEscapes {
                escaped.insert(option)
                let inside = UnsafeRawBufferPointer(rebasing: line[start..<end])
                guard JSONString.areEscapesSound(in: inside) else {
                    throw .badArg(option.word, "an escape of the string is wrong")
                }
            }
        } else {
            while end < line.count, line[end] != 0x20 { end += 1 }
            words.at = end
        }
        if line[start..<end].contains(0x09) { throw WordScanner.tab }
        // Lines are far below 2 GiB: the parser refuses longer ones.
        found[foundCount] = Stretch(
            key: Int32(option.rawValue),
            start: Int32(clamping: start),
            count: Int32(clamping: end - start)
        )
        foundCount += 1
    }

    /// Whether there is any option.
    var hasOptions: Bool { foundCount > 0 }

    func has(_ key: OptionKey) -> Bool { present.contains(key) }

    subscript(key: OptionKey) -> OptionValue? {
        guard present.contains(key) else { return nil }
        var index = 0
        while found[index].key != Int32(key.rawValue) { index += 1 }
        let (start, count) = (Int(found[index].start), Int(found[index].count))
        return OptionValue(
            raw: UnsafeRawBufferPointer(rebasing: words.line[start..<start + count]),
            hasEscapes: escaped.contains(key)
        )
    }
}
