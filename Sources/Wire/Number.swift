/// Numbers from outside: ASCII digits only, no sign, no leading zeros (protocol.md, Lines).
package enum Number {
    /// The number written in `bytes`; nil for anything else and for what does not fit.
    package static func parse(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard let first = bytes.first, first != 0x30 || bytes.count == 1, bytes.count <= 20 else { return nil }
        var value: UInt64 = 0
        for byte in bytes {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (tens, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, above) = tens.addingReportingOverflow(UInt64(byte - 0x30))
            if over || above { return nil }
            value = sum
        }
        return value
    }
}
