/// The blocks of a tar archive of regular files, as pax(1) describes them (ustar interchange format).
///
/// A header says nothing but name, size and time, and everything else in it is fixed. So whoever knows these three from
/// elsewhere can make it anew and compare all of its bytes, and has nothing to parse.
enum TarFormat {
    static let blockSize: UInt64 = 512
    /// Zeros at the end of an archive.
    static let endSize: UInt64 = 1024
    /// Bytes that a name may have.
    static let longestName = 100
    /// Sizes from here on do not fit into the octal digits and are written as a number to the base of 256, which GNU tar
    /// and libarchive read as well.
    private static let octalSizes: UInt64 = 1 << 33

    /// The header of a regular file of mode 0600.
    /// - Parameter seconds: since 1970.
    static func header(name: String, byteCount: UInt64, seconds: UInt64) -> [UInt8] {
        precondition(name.utf8.count <= longestName, "names of a data directory are short")
        var block = [UInt8](repeating: 0, count: Int(blockSize))
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(name, at: 0)
        for (text, offset) in [("0000600", 100), ("0000000", 108), ("0000000", 116)] { put(text, at: offset) }
        if byteCount < octalSizes {
            put(octal(byteCount, 11), at: 124)
        } else {
            block[124] = 0x80
            for index in 0..<8 { block[128 + index] = UInt8(truncatingIfNeeded: byteCount >> UInt64(56 - index * 8)) }
        }
        put(octal(min(seconds, octalSizes - 1), 11), at: 136)
        put("        0", at: 148)
        put("ustar", at: 257)
        put("00", at: 263)
        for offset in [329, 337] { put("0000000", at: offset) }
        // The sum counts its own field as blanks.
        let sum = block.reduce(UInt64(0)) { $0 + UInt64($1) }
        put(octal(sum, 6), at: 148)
        block[154] = 0
        return block
    }

    /// The size that a header states; nil when it is none or the size is not written as here.
    static func size(statedBy block: UnsafeRawBufferPointer) -> UInt64? {
        guard block.count == Int(blockSize), block[257...].starts(with: "ustar".utf8), block[135] == 0 else {
            return nil
        }
        return UInt64(String(decoding: block[124..<135], as: UTF8.self), radix: 8)
    }

    /// Zeros behind a content of so many bytes.
    static func padding(behind byteCount: UInt64) -> UInt64 { (blockSize - byteCount % blockSize) % blockSize }

    /// Bytes that a file takes, header and padding included; nil beyond what can be counted.
    static func length(of byteCount: UInt64) -> UInt64? {
        let (sum, overflow) = byteCount.addingReportingOverflow(blockSize + padding(behind: byteCount))
        return overflow ? nil : sum
    }

    private static func octal(_ value: UInt64, _ width: Int) -> String {
        let digits = String(value, radix: 8)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
