import ChatClient
import Testing
import Wire

@Suite("Lists that come in pages")
struct PagerTests {
    private func rows(_ seqs: ClosedRange<Int>) -> [ServerLine] {
        seqs.compactMap { ServerLine("ROW @a msg conv=#a seq=\($0)") }
    }

    private func end(_ more: String) throws -> ServerLine { try #require(ServerLine("OK @a n=1 more=\(more)")) }

    @Test func `History goes back page by page and comes out oldest first`() throws {
        var pager = HistoryPager(conversation: "#a", last: 250)
        #expect(try pager.next()?.line() == "HISTORY limit=200 #a\n")
        pager.take(rows: rows(801...1000), end: try end("yes"))
        #expect(try pager.next()?.line() == "HISTORY limit=50 before=801 #a\n")
        pager.take(rows: rows(751...800), end: try end("yes"))
        #expect(try pager.next() == nil)
        #expect(pager.rows.map { $0.number("seq") } == (751...1000).map { UInt64($0) })
    }

    @Test func `What was found goes back page by page and comes out oldest first`() throws {
        var pager = HistoryPager(conversation: "#a", last: 250, words: "tea limit=5")
        #expect(try pager.next()?.line() == "SEARCH limit=200 #a tea limit=5\n")
        pager.take(rows: rows(801...1000).reversed(), end: try end("yes"))
        #expect(try pager.next()?.line() == "SEARCH limit=50 before=801 #a tea limit=5\n")
        pager.take(rows: rows(751...800).reversed(), end: try end("yes"))
        #expect(try pager.next() == nil)
        #expect(pager.rows.map { $0.number("seq") } == (751...1000).map { UInt64($0) })
    }

    @Test func `It ends where there is no more`() throws {
        var pager = HistoryPager(conversation: "#a", last: 250)
        pager.take(rows: rows(2...9), end: try end("no"))
        #expect(try pager.next() == nil)
    }

    @Test func `A server that leads in a circle does not keep it going`() throws {
        var pager = HistoryPager(conversation: "#a", last: 5000)
        pager.take(rows: rows(10...20), end: try end("yes"))
        pager.take(rows: rows(10...20), end: try end("yes"))
        #expect(try pager.next() == nil)
        var empty = HistoryPager(conversation: "#a", last: 5000)
        empty.take(rows: [], end: try end("yes"))
        #expect(try empty.next() == nil)
    }

    @Test func `Nothing wanted is nothing asked`() throws {
        let pager = HistoryPager(conversation: "#a", last: 0)
        #expect(try pager.next() == nil)
    }

    @Test func `A list goes on behind its last row`() throws {
        var pager = ListPager("CONVS", key: "conv")
        #expect(pager.next()?.line() == "CONVS limit=200\n")
        let row = try #require(ServerLine("ROW @a conv conv=#b"))
        pager.take(rows: [row], end: try end("yes"))
        #expect(pager.next()?.line() == "CONVS limit=200 after=#b\n")
        pager.take(rows: [row], end: try end("yes"))
        #expect(pager.next() == nil, "it led nowhere")
    }
}
