/// Base64 with its padding (RFC 4648 section 4), read strictly.
enum Base64 {
    /// Nil for what is no base64.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var out: [UInt8] = []
        var (group, count, padding) = (UInt32(0), 0, 0)
        for byte in text {
            if byte == 0x3D {
                padding += 1
                group <<= 6
            } else {
                guard padding == 0, let value = value(of: byte) else { return nil }
                group = group << 6 | value
            }
            count += 1
            if count % 4 == 0 {
                guard padding <= 2, isClean(group, padding) else { return nil }
                let three = [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
                out += three.dropLast(padding)
                group = 0
            }
        }
        return out
    }

    /// Bits that stand for nothing are 0, so that every value has one spelling.
    private static func isClean(_ group: UInt32, _ padding: Int) -> Bool {
        switch padding {
        case 1: group & 0xFF == 0
        case 2: group & 0xFFFF == 0
        default: true
        }
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61) + 26
        case 0x30...0x39: UInt32(byte - 0x30) + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
