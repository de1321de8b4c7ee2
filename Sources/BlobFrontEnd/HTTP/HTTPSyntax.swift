/// Character classes and small forms of RFC 9110 and RFC 3986.
package enum HTTPSyntax {
    /// `tchar` (RFC 9110 section 5.6.2).
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// What may stand in a field's value (RFC 9110 section 5.5).
    static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// ASCII digits alone, as a number; `max` for one that does not fit; nil for anything else.
    static func number(_ text: Substring.UTF8View) -> UInt64? {
        if text.isEmpty { return nil }
        var value: UInt64 = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (tens, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, above) = tens.addingReportingOverflow(UInt64(byte - 0x30))
            value = over || above ? .max : sum
            if value == .max, text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return .max }
        }
        return value
    }

    /// A path with query: visible ASCII without what RFC 3986 leaves out, `%` only before two hexadecimal digits.
    static func isPath(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var digitsDue = 0
        for byte in text {
            if digitsDue > 0 {
                guard isHex(byte) else { return false }
                digitsDue -= 1
                continue
            }
            switch byte {
            case 0x25: digitsDue = 2
            case 0x22, 0x23, 0x3C, 0x3E, 0x5B...0x5E, 0x60, 0x7B...0x7D: return false
            case 0x21...0x7E: continue
            default: return false
            }
        }
        return digitsDue == 0
    }

    /// `uri-host [":" port]` (RFC 9110 section 7.2), not empty.
    static func isHost(_ text: Substring.UTF8View) -> Bool {
        var host = text
        if host.first == 0x5B {
            guard let close = host.firstIndex(of: 0x5D) else { return false }
            let inside = host[host.index(after: host.startIndex)..<close]
            guard !inside.isEmpty, inside.allSatisfy({ isHex($0) || $0 == 0x3A || $0 == 0x2E }) else { return false }
            host = host[host.index(after: close)...]
            return host.isEmpty || host.first == 0x3A && host.dropFirst().allSatisfy(isDigit)
        }
        let name = host.prefix { $0 != 0x3A }
        return !name.isEmpty && name.allSatisfy(isHostByte) && host[name.endIndex...].dropFirst().allSatisfy(isDigit)
    }

    /// What a hexadecimal digit stands for.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool { hexValue(byte) != nil }
}
