import CProcessor

/// The CRC-32C checksum (Castagnoli polynomial, RFC 3720 appendix B.4), eight bytes a step: by the processor's own
/// instruction where it has one, else by tables.
package enum CRC32C {
    /// Eight tables of 256 entries: `tables[k][b]` is the CRC of byte `b` followed by `k` zero bytes.
    private static let tables: [UInt32] = {
        var t = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
            t[byte] = crc
        }
        for k in 1..<8 {
            for byte in 0..<256 {
                let before = t[(k - 1) * 256 + byte]
                t[k * 256 + byte] = (before >> 8) ^ t[Int(before & 0xFF)]
            }
        }
        return t
    }()

    /// The checksum of `bytes`; `seed` is the checksum of what stands before them. O(n).
    package static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
        if hasInstruction { return ~fc_crc32c(~seed, bytes.baseAddress, bytes.count) }
        return checksumByTables(bytes, seed: seed)
    }

    private static let hasInstruction = fc_has_crc32c() != 0

    /// The same on a processor without the instruction.
    static func checksumByTables(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
        var crc = ~seed
        tables.withUnsafeBufferPointer { t in
            var at = 0
            while bytes.count - at >= 8 {
                let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian ^ UInt64(crc)
                crc =
                    t[7 * 256 + Int(word & 0xFF)] ^ t[6 * 256 + Int(word >> 8 & 0xFF)]
                    ^ t[5 * 256 + Int(word >> 16 & 0xFF)] ^ t[4 * 256 + Int(word >> 24 & 0xFF)]
                    ^ t[3 * 256 + Int(word >> 32 & 0xFF)] ^ t[2 * 256 + Int(word >> 40 & 0xFF)]
                    ^ t[256 + Int(word >> 48 & 0xFF)] ^ t[Int(word >> 56)]
                at += 8
            }
            while at < bytes.count {
                crc = (crc >> 8) ^ t[Int((crc ^ UInt32(bytes[at])) & 0xFF)]
                at += 1
            }
        }
        return ~crc
    }
}
