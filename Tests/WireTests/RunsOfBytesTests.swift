import Bytes
import ChatModel
import Testing
import Wire

/// What is looked at many bytes at once says of every place what a look at single bytes says.
@Suite("Runs of bytes")
struct RunsOfBytesTests {
    private static let plain = Array("0123456789".utf8)
    private static let lengths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 40, 63, 64, 65, 100]

    /// Plain bytes with `odd` at each place in turn.
    private func forEachPlace(of odd: [UInt8], _ body: ([UInt8], Int) throws -> Void) rethrows {
        for length in Self.lengths {
            for place in 0..<length {
                let bytes = (0..<length).map { Self.plain[$0 % 10] }
                try body(Array(bytes[..<place]) + odd + Array(bytes[(place + 1)...]), place)
            }
        }
    }

    private func written(_ write: (inout ByteBuffer) -> Void) -> String {
        var out = ByteBuffer()
        write(&out)
        return String(decoding: out.readable, as: UTF8.self)
    }

    @Test(arguments: [0x00, 0x0A, 0x1F, 0x7F, 0x80, 0xFF] as [UInt8])
    func `a control or a broken byte is found at every place of a line`(byte: UInt8) {
        forEachPlace(of: [byte]) { bytes, place in
            #expect(!bytes.withUnsafeBytes { Characters.areAllowed(in: $0) }, "\(bytes.count) \(place)")
        }
    }

    @Test(arguments: ["\t", " ", "~", "\"", "\\", "é", "€", "😀"])
    func `what may stand in a line may stand at every place of it`(character: String) {
        forEachPlace(of: Array(character.utf8)) { bytes, place in
            #expect(bytes.withUnsafeBytes { Characters.areAllowed(in: $0) }, "\(bytes.count) \(place)")
            let count = bytes.withUnsafeBytes { Characters.scalarCount($0) }
            #expect(count == String(decoding: bytes, as: UTF8.self).unicodeScalars.count)
        }
    }

    @Test(arguments: [
        ("\"", "\\\""), ("\\", "\\\\"), ("\t", "\\u0009"), ("\u{7F}", "\\u007f"), ("\u{85}", "\\u0085"),
        ("\u{202E}", "\\u202e"), ("é", "é"), ("!", "!"), ("#", "#"), ("[", "["), ("]", "]"), (" ", " "),
    ])
    func `a character is escaped at every place of a text or at none`(character: String, shown: String) {
        forEachPlace(of: Array(character.utf8)) { bytes, place in
            let line = written { out in bytes.withUnsafeBytes { JSONString.append($0, into: &out) } }
            let count = bytes.count - character.utf8.count
            let digits = (0...count).map { String($0 % 10) }
            let expected = digits[..<place].joined() + shown + digits[(place + 1)...].joined()
            #expect(line == "\"\(expected)\"", "\(bytes.count) \(place)")
        }
    }

    @Test(arguments: [" ", "\"", "\t", "\u{7F}", "\u{85}", "\u{2003}"])
    func `a word with such a character stands in quotes, wherever in the word it is`(character: String) {
        forEachPlace(of: Array(character.utf8)) { bytes, place in
            let word = written { out in ValueRenderer.append(word: String(decoding: bytes, as: UTF8.self), into: &out) }
            #expect(word.hasPrefix("\"") && word.hasSuffix("\""), "\(bytes.count) \(place)")
        }
    }

    @Test(arguments: ["!", "#", "é", "-", "~", "\\"])
    func `any other word stands bare`(character: String) {
        forEachPlace(of: Array(character.utf8)) { bytes, _ in
            let given = String(decoding: bytes, as: UTF8.self)
            #expect(written { out in ValueRenderer.append(word: given, into: &out) } == given)
        }
    }

    @Test func `a time is written as it is, whatever was written before`() {
        var times = TimeWriter()
        for milliseconds in [Int64.min, 0, 0, 1, 1_790_000_000_123, 1_790_000_000_123, 1_790_000_000_124, .max, 0] {
            let time = Timestamp(milliseconds: milliseconds)
            #expect(written { out in times.append(time, into: &out) } == time.text)
        }
    }

    @Test func `a message of text alone reads as its event does`() {
        for reply in [nil, 7] as [Seq?] {
            let message = TextMessage(
                conversation: .lobby,
                seq: 12,
                time: Timestamp(milliseconds: 1_790_000_000_123),
                by: AccountNumber(3),
                text: ArenaRange(offset: 2, count: 3),
                reply: reply,
                nonce: nil
            )
            var times = TimeWriter()
            let arena = Array("..a\"c..".utf8)
            let short = arena.withUnsafeBytes { arena in
                written { out in
                    EventRenderer.render(
                        message,
                        conversation: "#lobby",
                        by: "a b",
                        arena: arena,
                        times: &times,
                        into: &out
                    )
                }
            }
            let names = EventNames(conversation: "#lobby", by: "a b")
            let long = arena.withUnsafeBytes { arena in
                written { out in EventRenderer.render(message.event, names: names, arena: arena, into: &out) }
            }
            #expect(short == long)
        }
    }
}
