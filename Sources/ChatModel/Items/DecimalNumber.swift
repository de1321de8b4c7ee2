/// A number of JSON as it is written, compared exactly by value: no digit is lost, however many there are.
package struct DecimalNumber: Sendable, Equatable {
    private let isNegative: Bool
    /// Significant ones, without zeros at either end; none is zero.
    private let digits: [UInt8]
    /// The value is 0.DIGITS times ten to the power of this.
    private let exponent: Int

    /// Bytes of a number, and of its exponent's digits, at most.
    package static let limit = 64
    private static let exponentDigits = 4

    /// Nil for what is no number of JSON (RFC 8259, section 6), or longer than `limit`.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let parts = Parts(bytes) else { return nil }
        var digits: [UInt8] = []
        digits.append(contentsOf: bytes[parts.whole])
        digits.append(contentsOf: bytes[parts.fraction])
        let leading = digits.prefix { $0 == 0x30 }.count
        digits.removeFirst(leading)
        while digits.last == 0x30 { digits.removeLast() }
        self.digits = digits
        isNegative = parts.isNegative && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : parts.whole.count - leading + parts.exponent
    }

    /// Below, at or above 0.
    package func compare(_ other: DecimalNumber) -> Int {
        if isNegative != other.isNegative { return isNegative ? -1 : 1 }
        let order = compareMagnitude(other)
        return isNegative ? -order : order
    }

    private func compareMagnitude(_ other: DecimalNumber) -> Int {
        if digits.isEmpty || other.digits.isEmpty {
            return (digits.isEmpty ? 0 : 1) - (other.digits.isEmpty ? 0 : 1)
        }
        if exponent != other.exponent { return exponent < other.exponent ? -1 : 1 }
        if digits == other.digits { return 0 }
        return digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
    }

    /// Where the parts of a number stand.
    package struct Parts {
        package let isNegative: Bool
        let whole: Range<Int>
        let fraction: Range<Int>
        let exponent: Int
        package let isInteger: Bool

        package init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count <= DecimalNumber.limit else { return nil }
            func digits(from start: Int) -> Range<Int> {
                var end = start
                while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
                return start..<end
            }
            isNegative = bytes.first == 0x2D
            whole = digits(from: isNegative ? 1 : 0)
            guard !whole.isEmpty, whole.count == 1 || bytes[whole.lowerBound] != 0x30 else { return nil }
            var at = whole.upperBound
            var fraction = at..<at
            if at < bytes.count, bytes[at] == 0x2E {
                fraction = digits(from: at + 1)
                if fraction.isEmpty { return nil }
                at = fraction.upperBound
            }
            self.fraction = fraction
            var exponent: Int?
            if at < bytes.count, bytes[at] | 0x20 == 0x65 {
                at += 1
                let sign: UInt8? = at < bytes.count && (bytes[at] == 0x2B || bytes[at] == 0x2D) ? bytes[at] : nil
                let power = digits(from: sign == nil ? at : at + 1)
                guard !power.isEmpty, power.count <= DecimalNumber.exponentDigits else { return nil }
                let size = bytes[power].reduce(0) { $0 * 10 + Int($1 - 0x30) }
                exponent = sign == 0x2D ? -size : size
                at = power.upperBound
            }
            guard at == bytes.count else { return nil }
            isInteger = fraction.isEmpty && exponent == nil
            self.exponent = exponent ?? 0
        }
    }
}
