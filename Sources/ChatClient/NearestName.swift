/// The known name nearest to a misspelt one, for error messages.
package enum NearestName {
    /// The first of the nearest among `names`, when it is near enough to be meant: at most a third of its letters
    /// differ, or `name` is its beginning.
    package static func of(_ name: String, among names: [String]) -> String? {
        if let longer = names.first(where: { name.count >= 3 && $0.hasPrefix(name) }) { return longer }
        let ranked = names.map { (name: $0, distance: distance(name, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 3) ? best.name : nil
    }

    /// Letters to insert, delete, replace or swap with their neighbour to make `a` of `b`. O(|a|·|b|), at most 64
    /// letters of each.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.unicodeScalars.prefix(64)), Array(b.unicodeScalars.prefix(64)))
        var (older, last) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
                row.append(cost)
            }
            (older, last) = (last, row)
        }
        return last[b.count]
    }
}
