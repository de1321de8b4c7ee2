#if canImport(Glibc)
    import Glibc
#endif

/// Finds line ends in raw bytes (protocol.md, Lines). LF ends a line; nothing here looks at characters, so the result
/// does not depend on how the bytes were cut (`\r\n` is two bytes, a combining mark never hides a blank).
public enum LineSplitter {
    /// Offset of the first LF, or nil. O(n), by memchr(3).
    @inlinable public static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        guard let hit = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
        return UnsafeRawPointer(hit) - base
    }

    /// Bytes up to and with the last LF, 0 when there is none. O(n) from the end.
    @inlinable public static func wholeLines(in bytes: UnsafeRawBufferPointer) -> Int {
        var at = bytes.count
        while at > 0 {
            if bytes[at - 1] == 0x0A { return at }
            at -= 1
        }
        return 0
    }

    /// How many lines end in `bytes`. O(n).
    public static func lineCount(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    }

    /// Offset of the first byte of line number `index` (0 is the first), or nil when there are fewer LFs. O(n).
    @inlinable public static func offset(ofLine index: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        var (at, left) = (0, index)
        while left > 0 {
            guard let end = lineEnd(in: bytes, from: at) else { return nil }
            at = end + 1
            left -= 1
        }
        return at
    }
}
