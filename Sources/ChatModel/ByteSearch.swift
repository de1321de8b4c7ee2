#if canImport(Glibc)
    import Glibc
#endif

/// Looks for bytes in bytes.
enum ByteSearch {
    /// Whether `needle`, which is not empty, is somewhere in `bytes`. Sixteen places are looked at together: where the
    /// first and the last byte of the needle stand in their distance, the rest is compared.
    static func contains(_ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, let wanted = needle.baseAddress, needle.count <= bytes.count else {
            return false
        }
        let (span, places) = (needle.count - 1, bytes.count - needle.count + 1)
        let first = needle[0]
        let (firsts, lasts) = (SIMD16(repeating: first), SIMD16(repeating: needle[span]))
        var at = 0
        while places - at >= 16 {
            // Both loads end before `bytes` does: at + 16 + span <= places + span == bytes.count.
            let starts = base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self) .== firsts
            let ends = base.loadUnaligned(fromByteOffset: at + span, as: SIMD16<UInt8>.self) .== lasts
            if isAny(starts .& ends) {
                for place in at..<at + 16 where memcmp(base + place, wanted, needle.count) == 0 { return true }
            }
            at += 16
        }
        while at < places {
            if bytes[at] == first, memcmp(base + at, wanted, needle.count) == 0 { return true }
            at += 1
        }
        return false
    }

    @inline(__always)
    private static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return halves.x | halves.y != 0
    }
}
