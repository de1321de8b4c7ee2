/// An account, counted from 1 in the order of making; never reused once it was written down. Rights go by it, never by a name in a line.
public struct AccountNumber: Hashable, Comparable, Sendable {
    public let raw: UInt32
    @inlinable public init(_ raw: UInt32) { self.raw = raw }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }
    /// The server itself: `by=server`.
    @inlinable public static var server: Self { AccountNumber(0) }
    /// Whoever speaks over the control socket: `by=operator`.
    @inlinable public static var `operator`: Self { AccountNumber(.max) }

    /// Whether it can be an account's: neither the server nor the operator.
    @inlinable public var isAccount: Bool { self != .server && self != .operator }
}

/// A conversation, counted from 1 in the order of making; never reused. `#lobby` is number 1.
public struct ConversationNumber: Hashable, Comparable, Sendable {
    public let raw: UInt32
    @inlinable public init(_ raw: UInt32) { self.raw = raw }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }
    /// The one that is always there, and everybody is in.
    @inlinable public static var lobby: Self { ConversationNumber(1) }
}

/// The position of an event in its conversation, from 1, without gaps (protocol.md, Events).
public typealias Seq = UInt64

/// SHA-256 of a token; the token itself is shown once and kept nowhere.
package struct TokenHash: Hashable, Sendable {
    package let a, b, c, d: UInt64
    package init(a: UInt64, b: UInt64, c: UInt64, d: UInt64) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        [a, b, c, d].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Nil unless `hex` is 64 hexadecimal digits.
    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }) else { return nil }
        var words: [UInt64] = []
        var rest = Substring(hex)
        for _ in 0..<4 {
            guard let word = UInt64(rest.prefix(16), radix: 16) else { return nil }
            words.append(word)
            rest = rest.dropFirst(16)
        }
        self.init(a: words[0], b: words[1], c: words[2], d: words[3])
    }
}

/// A stretch of bytes in the arena that travels with a batch of commands; text is never copied into a string.
public struct ArenaRange: Hashable, Sendable {
    public let offset: UInt32
    public let count: UInt32
    @inlinable public init(offset: Int, count: Int) {
        self.offset = UInt32(clamping: offset)
        self.count = UInt32(clamping: count)
    }
    @inlinable public var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
