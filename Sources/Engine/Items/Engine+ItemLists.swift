import Bytes
import ChatCore
import ChatModel
import Wire

/// An ITEMS under way.
struct ItemScan {
    let request: Request
    let query: ItemQuery
    /// Where to go on.
    var seq: Seq
    /// Rows found so far.
    var rows: [UInt8] = []
    var count = 0
    var more = false
}

/// ITEMS: in steps, so that no turn is long however large the collection is.
extension Engine {
    /// Bytes of lines that are looked at in one step.
    private static let itemStep = 256 * 1024
    /// Bytes of rows behind which a page ends, though more were asked for.
    private static let pageSize = 512 * 1024

    /// - Returns: nil when the answer comes later.
    func items(_ query: ItemQuery, _ request: Request) throws(Refusal) -> Reply? {
        let account = try account(of: request.connection)
        var seq: Seq = 1
        switch query.after {
        case .rev(let rev): seq = rev < .max ? rev + 1 : rev
        case .id(let id):
            if case .known = try content.state.findCollection(query.target, account) {
                let (_, item) = try content.state.findItem(query.target, id, by: account)
                seq = item.seq + 1
            }
        case nil: break
        }
        var scan = ItemScan(request: request, query: query, seq: seq)
        if let reply = try step(&scan) { return reply }
        itemScans.append(scan)
        return nil
    }

    /// One step of the scan that has waited longest.
    func stepItemScans() {
        guard !itemScans.isEmpty else { return }
        var scan = itemScans.removeFirst()
        guard isOpen(scan.request.connection) else { return }
        do throws(Refusal) {
            if let reply = try step(&scan) { send(reply, to: scan.request) } else { itemScans.append(scan) }
        } catch {
            send(.refused(error), to: scan.request)
        }
    }

    /// The right is checked at every step: it may be lost meanwhile.
    private func step(_ scan: inout ItemScan) throws(Refusal) -> Reply? {
        if isBlind { try checkNeedsNoState(scan.request.command) }
        let account = try account(of: scan.request.connection)
        guard case .known(let number) = try content.state.findCollection(scan.query.target, account) else {
            return page(scan)
        }
        let next = content.itemLog(number).scan(from: scan.seq, budget: Self.itemStep) { _, bytes in
            guard let line = ItemLine(bytes), !line.isDeletion else { return true }
            if let filter = scan.query.filter, !filter.matches(line.json) { return true }
            if scan.count == scan.query.limit || scan.rows.count > Self.pageSize {
                scan.more = true
                return false
            }
            var row = ByteBuffer(capacity: bytes.count + 16)
            ItemRenderer.appendRow(line, into: &row)
            scan.rows.append(contentsOf: row.readable)
            scan.count += 1
            return true
        }
        guard let next, !scan.more else { return page(scan) }
        scan.seq = next
        return nil
    }

    private func page(_ scan: ItemScan) -> Reply { .lines(LineCopy(scan.rows), count: scan.count, more: scan.more) }
}
