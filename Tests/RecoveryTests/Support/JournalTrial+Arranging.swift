import Foundation

extension RecordMap {
    /// A segment of these records, by their places, in this order.
    func arranged(_ list: [Int]) -> [UInt8] { list.reduce(into: Array(bytes[..<head])) { $0 += record($1) } }

    /// What must come of such a segment.
    func outcome(arranged list: [Int], file: String) -> Outcome {
        let size = list.reduce(head) { $0 + items[$1].length }
        return outcome(whole: zip(list, 0...).prefix { $0 == $1 }.count, size: size, intact: list, file: file)
    }

    /// What must come of a segment in which bytes were overwritten by others that stand in it elsewhere.
    func outcome(overwritten changed: [UInt8], file: String) -> Outcome {
        let intact = items.indices.filter { changed[items[$0].offset..<items[$0].end].elementsEqual(record($0)) }
        let whole = zip(intact, 0...).prefix { $0 == $1 }.count
        return outcome(whole: whole, size: (changed.lastIndex { $0 != 0 } ?? -1) + 1, intact: intact, file: file)
    }
}

extension JournalTrial {
    /// Writes the segment anew.
    func replace(with bytes: [UInt8]) throws {
        try truncate(to: 0)
        try put(bytes, at: 0)
    }
}
