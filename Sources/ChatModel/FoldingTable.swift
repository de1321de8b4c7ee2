/// What every scalar folds to (`TextFolding`), so that text is folded by looking up.
///
/// An entry is the number of bytes that take the scalar's place, times 2 to the 24th, and what has to be changed in the
/// scalar's first three bytes, by exclusive or, so that they are these: all scalars that stay as they are have the same
/// entry, and pages of them are there once. What has more bytes, or is a mark that is kept, is `long`.
struct FoldingTable: Sendable {
    /// The low bytes are an offset in `long`: the combining classes of the first and the last scalar, a count, and so many
    /// bytes, behind which 16 more can be read.
    static let long: UInt32 = 0x8000_0000
    static let longHead = 3

    /// Number of the page of each 64 scalars; there is one for every number of 21 bits.
    private let pages: [UInt16]
    /// 64 for each page. The first pages are those below U+0800, in order.
    private let entries: [UInt32]
    private let long: [UInt8]
    /// Bytes that one scalar folds to at most.
    let longest: Int

    /// Made when it is first asked for, which takes some 15 ms.
    static let shared = FoldingTable()

    /// The table where it lies: valid in the closure that it is given to. Whatever the bytes are, there is an entry.
    struct View {
        fileprivate let pages: UnsafePointer<UInt16>
        fileprivate let entries: UnsafePointer<UInt32>
        let long: UnsafePointer<UInt8>

        /// The entry of the scalar of two, three or four bytes that `raw` begins with, the first byte in the low bits.
        @inline(__always)
        func entry(ofTwo raw: UInt32) -> UInt32 { entries[Int((raw & 0x1F) << 6 | raw >> 8 & 0x3F)] }

        @inline(__always)
        func entry(ofThree raw: UInt32) -> UInt32 {
            let page = pages[Int((raw & 0x0F) << 6 | raw >> 8 & 0x3F)]
            return entries[Int(page) << 6 | Int(raw >> 16 & 0x3F)]
        }

        @inline(__always)
        func entry(ofFour raw: UInt32) -> UInt32 {
            let high = (raw & 0x07) << 12 | (raw >> 8 & 0x3F) << 6
            let page = pages[Int(high | raw >> 16 & 0x3F)]
            return entries[Int(page) << 6 | Int(raw >> 24 & 0x3F)]
        }
    }

    func withView<Result>(_ body: (View) -> Result) -> Result {
        pages.withUnsafeBufferPointer { pages in
            entries.withUnsafeBufferPointer { entries in
                long.withUnsafeBufferPointer { long in
                    guard let pages = pages.baseAddress, let entries = entries.baseAddress, let long = long.baseAddress
                    else { preconditionFailure("no part of the table is empty") }
                    return body(View(pages: pages, entries: entries, long: long))
                }
            }
        }
    }

    private init() {
        var (pages, entries, long, longest) = ([UInt16](), [UInt32](), [UInt8](), 4)
        var known: [[UInt32]: UInt16] = [:]
        for page in UInt32(0)..<1 << 15 {
            // Above there is only Han, private use, and what is ignored, all on plane 14; and numbers that are no scalars.
            if page >= 0x30000 >> 6, page >> 10 != 14, let last = pages.last, page & 0x3FF != 0 {
                pages.append(last)
                continue
            }
            let scalars = page << 6...page << 6 | 63
            // Most pages are Han or nothing at all.
            let isSame = scalars.allSatisfy(TextFolding.staysTheSame)
            let slots =
                isSame
                ? [UInt32](repeating: page < 1024 ? 3 << 24 : 4 << 24, count: 64)
                : scalars.map { scalar in
                    let folded = Self.folded(scalar)
                    longest = max(longest, folded.bytes.count)
                    return Self.entry(Self.utf8(scalar), folded, &long)
                }
            let index = (page < 32 ? nil : known[slots]) ?? UInt16(clamping: entries.count >> 6)
            known[slots] = index
            if Int(index) == entries.count >> 6 { entries += slots }
            pages.append(index)
        }
        long += [UInt8](repeating: 0, count: 16)
        (self.pages, self.entries, self.long, self.longest) = (pages, entries, long, longest)
    }

    /// As the generalised UTF-8 has it: numbers that are no scalars, too, have bytes here.
    private static func utf8(_ number: UInt32) -> [UInt8] {
        func next(_ shift: UInt32) -> UInt8 { UInt8(0x80 | number >> shift & 0x3F) }
        switch number {
        case ..<0x80: return [UInt8(number)]
        case ..<0x800: return [UInt8(0xC0 | number >> 6), next(0)]
        case ..<0x1_0000: return [UInt8(0xE0 | number >> 12), next(6), next(0)]
        default: return [UInt8(0xF0 | number >> 18 & 0x07), next(12), next(6), next(0)]
        }
    }

    private static func folded(_ number: UInt32) -> (bytes: [UInt8], first: UInt8, last: UInt8) {
        if Unicode.Scalar(number) == nil { return (utf8(number), 0, 0) }
        var parts: [UInt32] = []
        TextFolding.appendFolded(number, to: &parts)
        return (
            TextFolding.utf8(parts), TextFolding.combiningClass(parts.first ?? 0),
            TextFolding.combiningClass(parts.last ?? 0)
        )
    }

    private static func entry(
        _ own: [UInt8],
        _ folded: (bytes: [UInt8], first: UInt8, last: UInt8),
        _ long: inout [UInt8]
    ) -> UInt32 {
        let bytes = folded.bytes
        let isShort = bytes.count <= 3 || bytes.count == 4 && own.count == 4 && own[3] == bytes[3]
        if isShort, folded.first == 0, folded.last == 0 {
            // A scalar of two bytes may fold to three: what is read as its third byte is another's, so it cannot be used.
            if bytes.count <= own.count {
                let changes = zip(own, bytes).prefix(3).map { $0 ^ $1 }
                return UInt32(bytes.count) << 24 | changes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
        }
        let offset = UInt32(long.count)
        long += [folded.first, folded.last, UInt8(clamping: bytes.count)] + bytes
        return Self.long | offset
    }
}
