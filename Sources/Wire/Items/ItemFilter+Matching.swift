import Bytes
import ChatModel

extension ItemFilter {
    /// Whether all terms hold for an object as our lines have it. A field that is not there, or of another kind, holds for
    /// no term. O(length × terms).
    package func matches(_ json: UnsafeRawBufferPointer) -> Bool {
        var scanner = ItemScanner(json)
        var held = 0
        while let field = try? scanner.next() {
            for term in terms where field.name.elementsEqual(term.field.utf8) {
                guard term.holds(field.value) else { return false }
                held += 1
            }
        }
        return held == terms.count
    }
}

extension ItemFilter.Term {
    fileprivate func holds(_ value: ItemScanner.Value) -> Bool {
        switch (literal, value) {
        case (.number(let wanted), .number(let text, _)):
            guard let number = DecimalNumber(text) else { return false }
            return comparison.holds(number.compare(wanted))
        case (.bool(let wanted), .bool(let flag)): return comparison.holds(flag == wanted ? 0 : 1)
        case (.string(let wanted, let time), .string(let inside, let hasEscapes)):
            guard hasEscapes else { return holds(inside, wanted, time) }
            var text = ByteBuffer(capacity: inside.count)
            guard JSONString.unescape(inside, into: &text) else { return false }
            return holds(text.readable, wanted, time)
        default: return false
        }
    }

    private func holds(_ text: UnsafeRawBufferPointer, _ wanted: [UInt8], _ time: Timestamp?) -> Bool {
        if let time, let own = Timestamp(text) {
            return comparison.holds(own < time ? -1 : own == time ? 0 : 1)
        }
        if text.elementsEqual(wanted) { return comparison.holds(0) }
        // UTF-8 sorts as code points do.
        return comparison.holds(text.lexicographicallyPrecedes(wanted) ? -1 : 1)
    }
}
