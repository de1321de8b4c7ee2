import Wire

/// Asks for a list page by page (protocol.md, Lists: `after=` and `limit=`, `more=` in the OK).
package struct ListPager {
    private let request: Request
    private let pages: RequestCommand.Pages
    private var after: String?
    private var isComplete = false

    /// - Parameter request: without `after=` and `limit=`.
    package init(_ request: Request, pages: RequestCommand.Pages) { (self.request, self.pages) = (request, pages) }

    /// - Parameters:
    ///   - verb: CONVS, LIST, …
    ///   - key: the key that names a row, which `after=` continues from.
    package init(_ verb: StaticString, key: String) { self.init(Request(fixed: verb), pages: .row(key)) }

    /// The next page's request; nil when the list is complete.
    package func next() -> Request? {
        if isComplete { return nil }
        if pages == .one { return request }
        var page = request
        page.options += [.init("limit", "200")] + (after.map { [.init("after", $0)] } ?? [])
        return page
    }

    /// Takes a page; one that brings nothing new to continue from is the last.
    package mutating func take(rows: [ServerLine], end: ServerLine) {
        let last: String?
        switch pages {
        case .one: last = nil
        case .row(let key): last = rows.last?[key]
        case .next: last = end["next"]
        }
        isComplete = end["more"] != "yes" || last == nil || last == after
        after = last
    }
}
