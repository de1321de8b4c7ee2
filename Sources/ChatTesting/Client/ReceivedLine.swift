/// One line as a server sent it, taken apart by the rules of protocol.md, "Lines".
///
/// Written apart from the product's own renderer and parser, and strict: a line that breaks a rule of the text (an
/// unescaped control, a value without a need for quotes in quotes is fine, a bare empty value is not) is refused, so
/// that every line a test reads is checked by the way.
package struct ReceivedLine: Sendable, CustomStringConvertible {
    /// The line without its line end.
    package let raw: String
    /// The first word: HI, OK, ERR, ROW, ASK, EV, BYE (of a daemon's standard output: READY).
    package let word: String
    package let tag: String?
    /// Words that stand alone: the code of an ERR, the kind of a ROW or EV.
    package let words: [String]
    /// The pairs in their order; a key that comes twice is malformed.
    package let pairs: [(key: String, value: String)]
    /// What stands after ` - `.
    package let human: String?

    package subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

    /// The kind of a ROW or EV, the code of an ERR or BYE, what an ASK asks.
    package var kind: String? { words.first }
    package var code: String? { words.first }
    /// The value of `seq=` as a number, or -1.
    package var seq: Int { number("seq") }
    package var text: String? { self["text"] }
    package var isOK: Bool { word == "OK" }
    package var isRefusal: Bool { word == "ERR" }
    package var description: String { raw }

    /// The value of a key as a number, or -1 when it is missing or none.
    package func number(_ key: String) -> Int { self[key].flatMap { Int($0) } ?? -1 }

    /// True when each of these pairs is on the line.
    package func has(_ expected: [String: String]) -> Bool {
        expected.allSatisfy { self[$0.key] == $0.value }
    }

    /// Takes a line apart.
    /// - Throws: `Malformed` with what is wrong.
    package init(_ bytes: some Sequence<UInt8>) throws(Malformed) {
        var parser = ReceivedLineParser(Array(bytes))
        self = try parser.line()
    }

    init(raw: String, word: String, tag: String?, words: [String], pairs: [(String, String)], human: String?) {
        self.raw = raw
        self.word = word
        self.tag = tag
        self.words = words
        self.pairs = pairs.map { (key: $0.0, value: $0.1) }
        self.human = human
    }

    /// A line that protocol.md does not allow.
    package struct Malformed: Error, CustomStringConvertible {
        package let raw: String
        package let why: String
        package var description: String { "malformed server line: \(why): \(raw.prefix(300))" }
    }
}
