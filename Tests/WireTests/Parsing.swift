import Bytes
import ChatModel
import Wire

/// A parser and its arena, and short ways to what a test asks of them.
final class Parsing {
    static let hashers = Hashers(
        nonce: { bytes in bytes.reduce(17) { $0 &* 31 &+ UInt64($1) } },
        token: { bytes in TokenHash(a: bytes.reduce(3) { $0 &* 33 &+ UInt64($1) }, b: UInt64(bytes.count), c: 0, d: 0) }
    )
    let parser = CommandParser(hashers: hashers)
    var arena = ByteBuffer()

    func parse(_ line: [UInt8]) -> ParsedLine { line.withUnsafeBytes { parser.parse($0, arena: &arena) } }
    func parse(_ line: String) -> ParsedLine { parse(Array(line.utf8)) }

    /// The text of a message, as it stands in the arena.
    func text(_ send: Send) -> String? {
        send.text.map { String(decoding: arena.readable[$0.range], as: UTF8.self) }
    }
}

/// The command of a line, nil when it is none.
func command(_ line: String) -> Command? {
    if case .command(_, let command) = Parsing().parse(line) { command } else { nil }
}

/// The refusal of a line as `CODE field`, or what it was instead.
func refusal(_ line: [UInt8]) -> String {
    switch Parsing().parse(line) {
    case .refused(_, let refusal), .refusedUpload(_, let refusal, _):
        refusal.code.rawValue + (refusal.field.map { " " + $0 } ?? "")
    case .empty: "empty"
    case .ask: "ask"
    case .command: "command"
    }
}

func refusal(_ line: String) -> String { refusal(Array(line.utf8)) }

/// What a line renders to when it is refused.
func answer(_ line: [UInt8]) -> String {
    guard case .refused(let tag, let refusal) = Parsing().parse(line) else { return "" }
    return rendered { ReplyRenderer.render(.refused(refusal), tag: tag, into: &$0) }
}

/// The message of a SEND, its text beside it.
func send(_ line: String) -> (send: Send, text: String?)? {
    let parsing = Parsing()
    guard case .command(_, .send(let send)) = parsing.parse(line) else { return nil }
    return (send, parsing.text(send))
}

func rendered(_ render: (inout ByteBuffer) -> Void) -> String {
    var out = ByteBuffer()
    render(&out)
    return String(decoding: out.readable, as: UTF8.self)
}

func tag(_ text: String) -> Wire.Tag {
    Array(text.utf8).withUnsafeBytes { Wire.Tag($0) } ?? .none
}

/// SplitMix64: the same numbers in every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
