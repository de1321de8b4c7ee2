import Wire

/// Asks for a list page by page (protocol.md, Lists: `after=` and `limit=`, `more=` in the OK).
package struct ListPager {
    private let verb: StaticString
    private let key: String
    private var after: String?
    private var isComplete = false

    /// - Parameters:
    ///   - verb: CONVS, LIST, …
    ///   - key: the key that names a row, which `after=` continues from.
    package init(_ verb: StaticString, key: String) { (self.verb, self.key) = (verb, key) }

    /// The next page's request; nil when the list is complete.
    package func next() -> Request? {
        if isComplete { return nil }
        let options = [Request.Option("limit", "200")] + (after.map { [.init("after", $0)] } ?? [])
        return Request(fixed: verb, options: options)
    }

    /// Takes a page; one that brings nothing new to continue from is the last.
    package mutating func take(rows: [ServerLine], end: ServerLine) {
        let last = rows.last?[key]
        isComplete = end["more"] != "yes" || last == nil || last == after
        after = last
    }
}
