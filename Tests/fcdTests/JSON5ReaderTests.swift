import FoundationEssentials
import Testing

@testable import fcd

@Suite("JSON5") struct JSON5ReaderTests {
    private func value(_ text: String) -> ConfigValue? { JSON5Reader(Array(text.utf8)).value }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("+7", 7), ("-12", -12), ("1e3", 1000), ("1.0", 1), ("0x1F", 31),
            ("-0XfF", -255),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("5.", 5), ("1500e-2", 15),
        ] as [(String, Int)]
    )
    func `whole numbers, however they are written`(text: String, number: Int) {
        #expect(value(text) == .integer(number))
    }

    @Test(
        arguments: [
            (".5", 0.5), ("-1.25e1", -12.5), ("1.5e-3", 0.0015), ("9223372036854775808", 9_223_372_036_854_775_808),
            ("0xFFFFFFFFFFFFFFFFFF", 0x1p72), ("1e400", .infinity), ("-Infinity", -.infinity),
        ] as [(String, Double)]
    )
    func `other numbers`(text: String, number: Double) {
        #expect(value(text) == .fraction(number))
    }

    @Test(arguments: [
        "01", "1.2.3", "1e", "1e+", ".", "+", "-", "0x", "0xg", "1_000", "--1", "- 1", "1a", "+true", "१",
    ])
    func `what looks like a number is none`(text: String) {
        #expect(value(text) == nil)
    }

    @Test(
        arguments: [
            (#""a\n\t\r\b\f\v\0\\\/\"\'\q""#, "a\n\t\r\u{8}\u{c}\u{b}\0\\/\"'q"), (#"'it'"#, "it"), (#"'"'"#, "\""),
            (#"'\x41\u00e9\ud83d\ude00'"#, "Aé😀"), ("'a\\\nb\\\r\nc\\\u{2028}d'", "abcd"), (#"'\08'"#, nil),
            (#"'\1'"#, nil),
            (#"'\x4'"#, nil), (#"'\u12g4'"#, nil), (#"'\ud800'"#, nil), (#"'\ud800\u0041'"#, nil), (#"'\udc00'"#, nil),
            (#"'\u+123'"#, nil), (#"'\"#, nil), (#"'\u"#, nil), ("'\u{2028}é'", "\u{2028}é"),
        ] as [(String, String?)]
    )
    func `texts and their escapes`(text: String, content: String?) {
        #expect(value(text) == content.map(ConfigValue.string))
    }

    @Test func `names are the same name whatever their escapes`() {
        #expect(JSON5Reader(Array(#"{a: {b: 1, "\u0062": 2}}"#.utf8)).doubled == "a.b")
    }

    @Test func `blanks of every kind stand between values`() {
        #expect(
            value("\u{feff}\u{a0}[\u{2003}1\u{3000},\u{b}\u{c}\r\n//x\n/**/2\u{2029}]")
                == .list([.integer(1), .integer(2)])
        )
    }

    @Test func `a blank ends a name`() {
        #expect(value("{a\u{a0}:1}") == .object(["a": .integer(1)]))
    }

    @Test func `what Foundation reads is read the same`() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for text in [
            "{a: [1, 2.5, null, true, 'x', {b: {}}], 'c-d': -0x10, $e_1: \"\\u00fc\", ü: .5,}", "[]", "{}",
            "[[],[1,],]",
        ] {
            let expected = try decoder.decode(Decoded.self, from: Data(text.utf8)).value
            #expect(value(text) == expected, "\(text)")
        }
    }

    /// A value as Foundation's decoder makes it.
    private struct Decoded: Decodable {
        let value: ConfigValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = .null
            } else if let boolean = try? container.decode(Bool.self) {
                value = .boolean(boolean)
            } else if let integer = try? container.decode(Int.self) {
                value = .integer(integer)
            } else if let fraction = try? container.decode(Double.self) {
                value = .fraction(fraction)
            } else if let string = try? container.decode(String.self) {
                value = .string(string)
            } else if let list = try? container.decode([Decoded].self) {
                value = .list(list.map(\.value))
            } else {
                value = .object(try container.decode([String: Decoded].self).mapValues(\.value))
            }
        }
    }
}
