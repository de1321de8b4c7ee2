import Bytes
import Glibc

/// Reading of raw bytes that all adapters share. Nothing here allocates, and every place is checked.
extension UnsafeRawBufferPointer {
    /// Whether `text` stands at `start`.
    @inline(__always)
    func has(_ text: StaticString, at start: Int = 0) -> Bool {
        guard let baseAddress, start >= 0, count - start >= text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress + start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// The decimal number at `start` and the place behind it; nil when there is no digit, or more than ten.
    @inline(__always)
    func decimal(at start: Int) -> (value: Int, end: Int)? {
        var (value, at) = (0, start)
        while at < count, case 0x30...0x39 = self[at] {
            if at - start == 10 { return nil }
            value = value * 10 + Int(self[at] - 0x30)
            at += 1
        }
        return at == start ? nil : (value, at)
    }

    /// The bytes of a range, which lies inside.
    @inline(__always)
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// Gives every whole line to `body`, without its LF and a CR before it; how many bytes that was.
    @inline(__always)
    func eachLine(_ body: (UnsafeRawBufferPointer) -> Void) -> Int {
        var start = 0
        while let end = LineSplitter.lineEnd(in: self, from: start) {
            let last = end > start && self[end - 1] == 0x0D ? end - 1 : end
            body(part(start..<last))
            start = end + 1
        }
        return start
    }
}
