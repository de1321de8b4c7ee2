/// An address, or a range of them as ADDRESS/BITS, IPv4 or IPv6.
package struct NetworkPrefix: Sendable, Hashable, CustomStringConvertible {
    /// Address in network order, 4 or 16 bytes, the bits behind `length` zero.
    package let bytes: [UInt8]
    /// Leading bits that count: 0 ... 32 or 0 ... 128.
    package let length: Int
    /// Its one spelling; a single address stands without its length.
    package let description: String

    /// Nil when `text` is no address, or bits are set behind the prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NumericAddress(String($0)) }) else { return nil }
        let whole = address.bytes.count * 8
        var length = whole
        if parts.count == 2 {
            guard let given = Self.length(parts[1].utf8), given <= whole else { return nil }
            length = given
        }
        for bit in length..<whole where address.bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { return nil }
        (bytes, self.length) = (address.bytes, length)
        description = length == whole ? address.text : "\(address.text)/\(length)"
    }

    /// Whether an address is one of these; never one of the other family.
    package func contains(_ address: NumericAddress) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        let (whole, rest) = (length / 8, length % 8)
        guard address.bytes[..<whole] == bytes[..<whole] else { return false }
        return rest == 0 || (address.bytes[whole] ^ bytes[whole]) >> UInt8(8 - rest) == 0
    }

    /// One to three digits without leading zeros.
    private static func length(_ digits: Substring.UTF8View) -> Int? {
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if digits.first == 0x30, digits.count > 1 { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
}
