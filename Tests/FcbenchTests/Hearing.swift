@testable import fcbench

/// What an adapter makes of a server's output, in words, however it is cut.
struct Hearing {
    static let payload = Payload(run: 0xBEEF, publisher: 3, sequence: 77, stamp: 0x0123_4567_89AB_CDEF)
    static let textCount = 40

    /// The text of `payload`.
    static var text: String {
        var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: textCount)
        bytes.withUnsafeMutableBytes { payload.write(into: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private(set) var words: [String] = []
    /// What was not whole.
    private(set) var rest: [UInt8] = []

    /// Gives `stream` to the adapter in pieces of `step` bytes, each behind what it left of those before.
    init(_ kind: ServerKind, _ stream: String, step: Int) {
        var left = Array(stream.utf8)[...]
        while !left.isEmpty {
            rest += left.prefix(step)
            left = left.dropFirst(step)
            let whole = rest.withUnsafeBytes { bytes in
                kind.scan(bytes, textCount: Self.textCount) { words.append(Self.word($0)) }
            }
            rest.removeFirst(whole)
        }
    }

    private static func word(_ notice: Notice) -> String {
        switch notice {
        case .delivery(let payload): payload == nil ? "foreign" : payload == Self.payload ? "delivery" : "wrong"
        case .acknowledgement(let sequence): "ack \(sequence)"
        case .ping(let word): "ping<\(String(decoding: word, as: UTF8.self))>"
        case .welcome: "welcome"
        case .ready: "ready"
        case .refusal: "refusal"
        case .farewell: "farewell"
        }
    }
}
