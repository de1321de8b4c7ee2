import Bytes

/// A `msg` line with a text, as a search looks at it. A view on the line's bytes: valid only while they are; deliberately
/// not `Sendable`.
package struct MessageLine {
    private let line: UnsafeRawBufferPointer
    /// The inside of the text's JSON string.
    private let text: UnsafeRawBufferPointer

    /// Reads a timeline's line, given without its LF; nil for other events and for a message that has no text, as when it
    /// was deleted. O(length), allocates nothing.
    package init?(_ line: UnsafeRawBufferPointer) {
        guard line.count > Self.head.utf8CodeUnitCount, line.starts(with: Self.head) else { return nil }
        var at = Self.head.utf8CodeUnitCount
        // Outside of strings there are no quotes, so that every one that is found opens a string.
        while let quote = ByteFinder.first(0x22, in: line, from: at) {
            guard let end = Self.end(ofStringIn: line, from: quote + 1) else { return nil }
            if UnsafeRawBufferPointer(rebasing: line[..<quote]).ends(with: Self.key) {
                (self.line, text) = (line, UnsafeRawBufferPointer(rebasing: line[quote + 1..<end]))
                return
            }
            at = end + 1
        }
        return nil
    }

    /// The text without escapes: where it stands, or, when there were some, in `buffer`, whose bytes are replaced.
    package func text(in buffer: inout ByteBuffer) -> UnsafeRawBufferPointer {
        if ByteFinder.first(0x5C, in: text) == nil { return text }
        buffer.clear()
        return JSONString.unescape(text, into: &buffer) ? buffer.readable : text
    }

    /// Whether `by=` is one of `names`, byte by byte.
    package func isBy(_ names: [[UInt8]]) -> Bool {
        var scanner = FieldScanner(line, from: Self.head.utf8CodeUnitCount)
        while let field = scanner.next() {
            guard field.key.elementsEqual("by".utf8) else { continue }
            return names.contains { field.value.elementsEqual($0) }
        }
        return false
    }

    private static let head: StaticString = "EV msg "
    private static let key: StaticString = " text="

    /// As `JSONString.end`, faster where the string ends at the first quote.
    private static func end(ofStringIn line: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let quote = ByteFinder.first(0x22, in: line, from: start) else { return nil }
        if quote == start || line[quote - 1] != 0x5C { return quote }
        return JSONString.end(in: line, from: start)?.offset
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).isEqual(to: text)
    }

    fileprivate func ends(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: self[(count - text.utf8CodeUnitCount)...]).isEqual(to: text)
    }

    /// The lengths are the same.
    private func isEqual(to text: StaticString) -> Bool {
        elementsEqual(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
