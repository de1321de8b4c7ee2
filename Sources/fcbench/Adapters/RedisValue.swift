import Bytes

/// Values of RESP3 that are skipped, not looked at.
enum RedisValue {
    /// The place behind the value at `start`; nil when it is not whole, or nested deeper than any answer here.
    static func end(in bytes: UnsafeRawBufferPointer, from start: Int, depth: Int = 8) -> Int? {
        guard depth > 0, let lineEnd = LineSplitter.lineEnd(in: bytes, from: start) else { return nil }
        let next = lineEnd + 1
        // A size below zero is a value that is absent.
        let size = bytes.decimal(at: start + 1)?.value
        switch bytes[start] {
        case UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "!"):
            guard let size else { return next }
            return bytes.count - next >= size + 2 ? next + size + 2 : nil
        case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: ">"), UInt8(ascii: "%"):
            var at = next
            for _ in 0..<(size ?? 0) * (bytes[start] == UInt8(ascii: "%") ? 2 : 1) {
                guard let end = end(in: bytes, from: at, depth: depth - 1) else { return nil }
                at = end
            }
            return at
        default: return next
        }
    }
}
