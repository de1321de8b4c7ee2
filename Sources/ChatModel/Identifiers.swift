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
    package var hex: String { String(unsafeUninitializedCapacity: Self.digits) { render(into: $0) } }

    /// Digits of `hex`.
    package static let digits = 64

    /// Writes `hex` to the front of `room`, which holds 64 bytes.
    /// - Returns: 64.
    package func render(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let words: InlineArray<4, UInt64> = [a, b, c, d]
        for at in 0..<Self.digits {
            let digit = UInt8(truncatingIfNeeded: words[at / 16] >> UInt64(60 - at % 16 * 4) & 15)
            room[at] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
        return Self.digits
    }

    /// Nil unless `hex` is 64 hexadecimal digits.
    package init?(hex: String) {
        var words = InlineArray<4, UInt64>(repeating: 0)
        var count = 0
        for byte in hex.utf8 {
            guard count < Self.digits, let digit = Self.value(of: byte) else { return nil }
            words[count / 16] = words[count / 16] << 4 | digit
            count += 1
        }
        guard count == Self.digits else { return nil }
        self.init(a: words[0], b: words[1], c: words[2], d: words[3])
    }

    private static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x41...0x46: UInt64(byte - 0x37)
        case 0x61...0x66: UInt64(byte - 0x57)
        default: nil
        }
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
