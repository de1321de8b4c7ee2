/// Which of a few known names somebody probably meant.
enum NearestName {
    /// The name of `known` nearest to `given`, the first of equals; "" when `known` is empty.
    ///
    /// Case and `_` do not count, and a name given without its group is compared with last parts too.
    /// Cost: one edit distance for each known name; only the first 64 bytes of `given` are looked at.
    static func of(_ given: String, among known: [String]) -> String {
        let wanted = folded(given)
        let isPart = !wanted.contains(UInt8(ascii: "."))
        var best = (name: "", distance: Int.max)
        for name in known {
            let whole = folded(name)
            var distance = distance(wanted, whole)
            if isPart, let dot = whole.lastIndex(of: UInt8(ascii: ".")) {
                distance = min(distance, 1 + Self.distance(wanted, Array(whole[(dot + 1)...])))
            }
            if distance < best.distance { best = (name, distance) }
        }
        return best.name
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.prefix(64).map { byte in
            switch byte {
            case 0x41...0x5a: byte + 0x20
            case UInt8(ascii: "_"): UInt8(ascii: "-")
            default: byte
            }
        }
    }

    /// Edits from `a` to `b`: a byte put in, taken out or replaced, or two neighbours swapped.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
