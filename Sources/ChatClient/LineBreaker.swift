/// Cuts input into lines as it comes; the last one needs no line end.
package struct LineBreaker {
    private var rest: [UInt8] = []
    /// Lines over this many bytes are a fault of the input, not to be kept in memory.
    package let limit: Int

    /// - Parameter limit: bytes of a line at most.
    package init(limit: Int) { self.limit = limit }

    /// Whether the line under way has passed the limit.
    package var isOverlong: Bool { rest.count > limit }

    /// The lines that are complete with `bytes`, without LF and without one CR before it. O(n).
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            rest.append(contentsOf: bytes[start..<end])
            lines.append(trimmed())
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...])
        return lines
    }

    /// The last line, when the input ended without a line end.
    package mutating func finish() -> [UInt8]? { rest.isEmpty ? nil : trimmed() }

    private mutating func trimmed() -> [UInt8] {
        if rest.last == 0x0D { rest.removeLast() }
        defer { rest = [] }
        return rest
    }
}
