import Wire

/// Asks for the newest messages of a conversation, or the newest with some words, page by page, from the newest back
/// (protocol.md, HISTORY and SEARCH).
package struct HistoryPager {
    /// Messages a page holds at most.
    package static let pageSize: UInt64 = 200

    private let conversation: String
    /// What is looked for; nil for every message.
    private let words: String?
    private var wanted: UInt64
    private var before: UInt64?
    private var pages: [[ServerLine]] = []
    private var isComplete: Bool

    /// - Parameters:
    ///   - last: how many messages at most.
    ///   - words: what is looked for, on one line; nil for every message.
    package init(conversation: String, last: UInt64, words: String? = nil) {
        (self.conversation, wanted, isComplete) = (conversation, last, last == 0)
        self.words = words
    }

    /// The next page's request; nil when all that was wanted, or all there is, has come.
    package func next() throws(Request.Fault) -> Request? {
        if isComplete { return nil }
        var options = [Request.Option("limit", "\(min(wanted, Self.pageSize))")]
        if let before { options.append(.init("before", "\(before)")) }
        let verb = words == nil ? "HISTORY" : "SEARCH"
        return try Request(verb, options: options, arguments: [conversation], rest: words)
    }

    /// Takes a page: its rows, as the server gives them, and its OK. A page that leads no further back ends it, so that it comes to
    /// an end whatever the server says.
    package mutating func take(rows: [ServerLine], end: ServerLine) {
        // Found ones come newest first.
        let rows = words == nil ? rows : rows.reversed()
        pages.append(rows)
        wanted -= min(wanted, UInt64(rows.count))
        let oldest = rows.first?.number("seq")
        let leadsOn = oldest.map { oldest in oldest > 1 && before.map { oldest < $0 } != false } ?? false
        isComplete = wanted == 0 || end["more"] != "yes" || !leadsOn
        before = oldest
    }

    /// All messages that have come, oldest first.
    package var rows: [ServerLine] { pages.reversed().flatMap { $0 } }
}
