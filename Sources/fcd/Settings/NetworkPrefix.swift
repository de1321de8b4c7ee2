/// An address, or a range of them as ADDRESS/BITS, IPv4 or IPv6.
struct NetworkPrefix: Sendable, Equatable, CustomStringConvertible {
    /// Address in network order, 4 or 16 bytes, the bits behind `length` zero.
    let bytes: [UInt8]
    /// Leading bits that count: 0 ... 32 or 0 ... 128.
    let length: Int
    let description: String

    /// Nil when `text` is no address, or bits are set behind the prefix.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NumericAddress(String($0)) }) else { return nil }
        let whole = address.bytes.count * 8
        var length = whole
        if parts.count == 2 {
            guard let given = decimal(parts[1], in: 0...whole) else { return nil }
            length = given
        }
        for bit in length..<whole where address.bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { return nil }
        (bytes, self.length) = (address.bytes, length)
        description = parts.count == 2 ? "\(address.text)/\(length)" : address.text
    }
}
