import Foundation

/// Where the records of an undamaged segment stand and what they say, read without any of the program's own code.
struct RecordMap {
    struct Item {
        let offset: Int
        let length: Int
        let sequence: UInt64
        /// What the record says was on disk when it was made.
        let durable: UInt64
        /// It belongs together with the one that follows.
        let together: Bool
        var end: Int { offset + length }
    }

    /// The segment's bytes up to the end of its records.
    let bytes: [UInt8]
    let items: [Item]
    /// Bytes of the first line.
    let head: Int

    init(_ segment: [UInt8]) {
        bytes = Array(segment[..<((segment.lastIndex { $0 != 0 } ?? -1) + 1)])
        var (items, at): ([Item], Int) = ([], 0)
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            defer { at += line.count + 1 }
            // The first line, and the one that names the next segment.
            if line.first == 0x66 { continue }
            let words = line.prefix(80).split(separator: 0x20, omittingEmptySubsequences: false)
            items.append(
                Item(
                    offset: at,
                    length: line.count + 1,
                    sequence: UInt64(String(decoding: words[0], as: UTF8.self)) ?? 0,
                    durable: UInt64(String(decoding: words[1], as: UTF8.self)) ?? 0,
                    together: words[2].elementsEqual([0x2B])
                )
            )
        }
        (self.items, head) = (items, items.first?.offset ?? at)
    }

    var end: Int { bytes.count }
    var first: UInt64 { items.first?.sequence ?? 0 }
    var last: UInt64 { items.last?.sequence ?? 0 }

    func record(_ index: Int) -> ArraySlice<UInt8> { bytes[items[index].offset..<items[index].end] }

    /// The record that the byte at `offset` belongs to; nil for the first line and for what stands behind the records.
    func index(at offset: Int) -> Int? {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low < items.count && items[low].offset <= offset ? low : nil
    }

    /// The first record of the group that `index` is in or would follow.
    func groupStart(_ index: Int) -> Int {
        var start = index
        while start > 0, items[start - 1].together { start -= 1 }
        return start
    }
}
