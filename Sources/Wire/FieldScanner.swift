/// Goes over the `key=value`s of a line of ours, from the left. A view: valid while the bytes are.
struct FieldScanner {
    struct Field {
        let key: UnsafeRawBufferPointer
        /// A word, or the inside of a JSON string.
        let value: UnsafeRawBufferPointer
        let isQuoted: Bool
    }

    let bytes: UnsafeRawBufferPointer
    private(set) var at: Int

    init(_ bytes: UnsafeRawBufferPointer, from start: Int) { (self.bytes, at) = (bytes, start) }

    /// The next field; nil at the end, and where what follows is no field.
    mutating func next() -> Field? {
        while at < bytes.count, bytes[at] == 0x20 { at += 1 }
        let start = at
        var equals = start
        while equals < bytes.count, bytes[equals] != 0x3D {
            if bytes[equals] == 0x20 { return nil }
            equals += 1
        }
        guard equals < bytes.count, equals > start else { return nil }
        let key = UnsafeRawBufferPointer(rebasing: bytes[start..<equals])
        var (first, end) = (equals + 1, equals + 1)
        if first < bytes.count, bytes[first] == 0x22 {
            first += 1
            guard let close = JSONString.end(in: bytes, from: first) else { return nil }
            at = close.offset + 1
            let inside = UnsafeRawBufferPointer(rebasing: bytes[first..<close.offset])
            return Field(key: key, value: inside, isQuoted: true)
        }
        while end < bytes.count, bytes[end] != 0x20 { end += 1 }
        at = end
        return Field(key: key, value: UnsafeRawBufferPointer(rebasing: bytes[first..<end]), isQuoted: false)
    }
}
