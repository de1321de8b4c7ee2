/// The `key=value`s of a line of ours that was written down, read back. A view: valid while the bytes are.
package struct RecordedFields {
    private let bytes: UnsafeRawBufferPointer
    private let start: Int

    /// Fields from `start` on, blanks in front allowed.
    package init(_ bytes: UnsafeRawBufferPointer, from start: Int) { (self.bytes, self.start) = (bytes, start) }

    /// The value of the first `key=`, without quotes and escapes; nil when there is none. O(length).
    package subscript(key: String) -> String? {
        var scanner = FieldScanner(bytes, from: start)
        while let field = scanner.next() {
            guard field.key.elementsEqual(key.utf8) else { continue }
            return field.isQuoted ? JSONString.decoded(field.value) : String(decoding: field.value, as: UTF8.self)
        }
        return nil
    }
}
