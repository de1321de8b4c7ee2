#if canImport(Glibc)
    import Glibc
#endif

/// Finds single bytes in raw bytes.
public enum ByteFinder {
    /// Offset of the first `byte` at `start` or behind it; nil when there is none. O(n), by memchr(3).
    @inlinable public static func first(
        _ byte: UInt8,
        in bytes: UnsafeRawBufferPointer,
        from start: Int = 0
    ) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        guard let hit = memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
        return UnsafeRawPointer(hit) - base
    }
}
