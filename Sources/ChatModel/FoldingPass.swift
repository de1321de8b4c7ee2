/// One text on its way through a `FoldingTable`, eight bytes a step: runs of ASCII are put into lower case together, other
/// scalars are looked up one by one.
///
/// No byte is read behind the end of the text. Whatever the bytes are, each is copied once, or looked up once as the first
/// of a scalar, which writes at most `FoldingTable.longest` bytes: room for so many of each is enough. A store may touch up
/// to `FoldedOutput.overhang` bytes more, and the end of the text is brought to the last ones of the room.
struct FoldingPass {
    /// Bytes of the room beyond those that may be written.
    static let slack = FoldedOutput.overhang + tailSize
    /// A step may read so many bytes: eight, and the last one may begin a scalar of four.
    private static let reach = 11
    private static let tailSize = 32

    private let from: UnsafeRawPointer
    private let length: Int
    private let tail: UnsafeMutableRawPointer
    private(set) var output: FoldedOutput
    /// Bytes at the beginning of the step that belong to a scalar of the step before.
    private var taken = 0

    /// - Parameter room: has `capacity` bytes, at least `text.count * longest + slack`.
    init(_ text: UnsafeRawBufferPointer, into room: UnsafeMutableRawPointer, capacity: Int) {
        // An empty text has no address, and none of it is read.
        (from, length) = (text.baseAddress ?? UnsafeRawPointer(room), text.count)
        tail = room + (capacity - Self.tailSize)
        output = FoldedOutput(room: room)
    }

    /// Folds all of it; false, and what was written means nothing, when marks do not stand in canonical order.
    mutating func run(_ table: FoldingTable.View) -> Bool {
        var (output, taken) = (self.output, 0)
        var at = 0
        while length &- at >= Self.reach {
            guard Self.step(from + at, 8, table, &output, &taken) else { return false }
            at &+= 8
        }
        let rest = length - at
        if rest > 0 {
            tail.initializeMemory(as: UInt8.self, repeating: 0, count: Self.tailSize)
            tail.copyMemory(from: from + at, byteCount: rest)
            for offset in stride(from: 0, to: rest, by: 8) {
                let bytes = UnsafeRawPointer(tail) + offset
                guard Self.step(bytes, min(8, rest - offset), table, &output, &taken) else { return false }
            }
        }
        self.output = output
        return true
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Folds the scalars that begin in the first `count` bytes, 1 to 8, of which `reach` can be read; false when marks do
    /// not stand in canonical order.
    @inline(__always)
    private static func step(
        _ bytes: UnsafeRawPointer,
        _ count: Int,
        _ table: FoldingTable.View,
        _ output: inout FoldedOutput,
        _ taken: inout Int
    ) -> Bool {
        let word = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        let plain = word & ~highBits
        // Of bytes below 0x80 none carries into the next, and the high bit says: at least A, and above Z.
        let upper = (plain &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(plain &+ 0x2525_2525_2525_2525) & highBits
        let lower = word | upper >> 2
        if word & highBits == 0, taken == 0 {
            output.write(lower, count)
            return true
        }
        // The high bit of every byte that is 11xxxxxx: the first one of a scalar.
        var leads = word & (word << 1) & highBits
        if count < 8 { leads &= (1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1 }
        // Where the run of ASCII begins that ends at the next of them.
        var start = taken
        while leads != 0 {
            let at = leads.trailingZeroBitCount >> 3
            leads &= leads &- 1
            output.write(lower &>> UInt64(truncatingIfNeeded: start &* 8), max(0, at &- start))
            let raw = UInt32(littleEndian: (bytes + at).loadUnaligned(as: UInt32.self))
            if raw & 0xE0 == 0xC0 {
                guard output.write(table.entry(ofTwo: raw), raw, table) else { return false }
                start = at &+ 2
            } else if raw & 0xF0 == 0xE0 {
                guard output.write(table.entry(ofThree: raw), raw, table) else { return false }
                start = at &+ 3
            } else {
                guard output.write(table.entry(ofFour: raw), raw, table) else { return false }
                start = at &+ 4
            }
        }
        output.write(lower &>> UInt64(truncatingIfNeeded: min(start, 7) &* 8), max(0, count &- start))
        taken = max(0, start &- 8)
        return true
    }
}
