/// A short word as a number, so that tables of verbs and keys are searched without strings.
struct PackedWord: Equatable {
    private let value: UInt128

    /// Nil for no bytes or more than 16. With `upper`, ASCII letters count as capitals.
    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer, upper: Bool) {
        guard !bytes.isEmpty, bytes.count <= 16 else { return nil }
        var value: UInt128 = 0
        for byte in bytes {
            let isLower = byte >= 0x61 && byte <= 0x7A
            value = value << 8 | UInt128(upper && isLower ? byte - 0x20 : byte)
        }
        self.value = value
    }

    init?(_ word: String) {
        var copy = word
        guard let packed = copy.withUTF8({ PackedWord(UnsafeRawBufferPointer($0), upper: false) }) else { return nil }
        self = packed
    }
}
