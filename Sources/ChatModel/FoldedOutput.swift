/// Where a `FoldingPass` writes to. There is room for what it writes, and for `overhang` bytes more.
struct FoldedOutput {
    /// Bytes that a store may touch behind what is written.
    static let overhang = 16
    private let room: UnsafeMutableRawPointer
    /// Bytes written.
    private(set) var count = 0
    /// Where the last mark that was kept ends, and its combining class.
    private var markEnd = -1
    private var markClass: UInt8 = 0

    init(room: UnsafeMutableRawPointer) { self.room = room }

    /// Writes the first `count` bytes of a word, 0 to 8.
    @inline(__always)
    mutating func write(_ word: UInt64, _ count: Int) {
        room.storeBytes(of: word.littleEndian, toByteOffset: self.count, as: UInt64.self)
        self.count &+= count
    }

    /// Writes what an entry makes of the scalar that begins with the bytes of `raw`; false when it is a mark that should
    /// stand in front of the one before it.
    @inline(__always)
    mutating func write(_ entry: UInt32, _ raw: UInt32, _ table: FoldingTable.View) -> Bool {
        if entry & FoldingTable.long != 0 { return writeLong(table.long + Int(entry & 0xFF_FFFF)) }
        room.storeBytes(of: (raw ^ entry & 0xFF_FFFF).littleEndian, toByteOffset: count, as: UInt32.self)
        count &+= Int(truncatingIfNeeded: entry >> 24)
        return true
    }

    /// Writes a long entry.
    @inline(__always)
    private mutating func writeLong(_ entry: UnsafePointer<UInt8>) -> Bool {
        let (first, last, size) = (entry[0], entry[1], Int(entry[2]))
        if first != 0, markEnd == count, first < markClass { return false }
        let bytes = UnsafeRawPointer(entry + FoldingTable.longHead)
        // Two or three jamo, six or nine bytes, are the rule; which of both nobody can foresee.
        var at = 0
        repeat {
            let part = bytes.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
            room.storeBytes(of: part, toByteOffset: count &+ at, as: SIMD16<UInt8>.self)
            at &+= 16
        } while at < size
        count &+= size
        if last != 0 { (markEnd, markClass) = (count, last) }
        return true
    }
}
