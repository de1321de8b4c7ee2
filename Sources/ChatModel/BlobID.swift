/// The name of a blob: 128 random bits, written `b_` and 22 of `A-Z a-z 0-9 - _`. Compared whole: every id has one
/// spelling (protocol.md, Blobs).
package struct BlobID: Hashable, Sendable {
    private let value: UInt128
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// Letters behind `b_`: two bits in the first, six in each other.
    private static let digits = 22

    package init(high: UInt64, low: UInt64) { value = UInt128(high) << 64 | UInt128(low) }

    /// Nil unless `bytes` are the spelling of an id.
    package init?(_ bytes: some Collection<UInt8>) {
        let value =
            bytes.withContiguousStorageIfAvailable { Self.value(of: $0) }
            ?? Array(bytes).withUnsafeBufferPointer { Self.value(of: $0) }
        guard let value else { return nil }
        self.value = value
    }

    /// Not generic, as that is ten times as slow in another target.
    private static func value(of bytes: UnsafeBufferPointer<UInt8>) -> UInt128? {
        guard bytes.count == digits + 2, bytes[0] == 0x62, bytes[1] == 0x5F else { return nil }
        var value: UInt128 = 0
        for index in 2..<bytes.count {
            guard let digit = Self.value(of: bytes[index]), index > 2 || digit < 4 else { return nil }
            value = value << 6 | digit
        }
        return value
    }

    package var text: String {
        var letters = Array("b_".utf8)
        for index in 0..<Self.digits {
            let shift = 6 * (Self.digits - 1 - index)
            letters.append(Self.alphabet[Int(truncatingIfNeeded: value >> UInt128(shift) & 63)])
        }
        return String(decoding: letters, as: UTF8.self)
    }

    private static func value(of byte: UInt8) -> UInt128? {
        switch byte {
        case 0x41...0x5A: UInt128(byte - 0x41)
        case 0x61...0x7A: UInt128(byte - 0x61) + 26
        case 0x30...0x39: UInt128(byte - 0x30) + 52
        case 0x2D: 62
        case 0x5F: 63
        default: nil
        }
    }
}
