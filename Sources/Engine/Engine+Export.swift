import Bytes
import ChatCore
import ChatModel
import Wire

/// EXPORT: everything of one's own, page by page: first what the account has, then what it said, conversation by
/// conversation, also where it is no member any more, then its items (protocol.md, EXPORT).
extension Engine {
    /// Bytes of lines that are looked at for one page.
    private static let exportStep = 256 * 1024

    func export(from place: ExportPlace?, limit: Int, of number: AccountNumber) -> Reply {
        guard let account = content.state.account(number) else { return .refused(.needAuth) }
        let spoken = account.spoken.filter { content.state.exists($0) }.sorted()
        guard let place else {
            let rows = possessions(of: account)
            let next = (spoken + account.itemCollections.map(\.log)).first
            return .done(rows: rows, ending(rows.count, next.map { ExportPlace(conversation: $0, seq: 0) }))
        }
        if CollectionNumber(log: place.conversation) != nil {
            return exportItems(of: account, from: place, limit: limit)
        }
        let (lines, count, next) = messages(of: account.names, in: spoken, from: place, limit: limit)
        let items = account.itemCollections.first.map { ExportPlace(conversation: $0.log, seq: 0) }
        return .page(lines, ending(count, next ?? items))
    }

    private func ending(_ count: Int, _ next: ExportPlace?) -> [KeyValue] {
        [.number("n", count), .flag("more", next != nil)] + (next.map { [.word("next", $0.text)] } ?? [])
    }

    private func possessions(of account: Account) -> [Row] {
        let state = content.state
        var rows: [Row] = []
        if case .done(_, let fields)? = try? state.decideProfile(of: nil, by: account.number) {
            rows.append(Row("user", fields))
        }
        let lists = [
            state.decideSessions(of: account.number, current: nil) { _ in false },
            state.decideTokens(of: account.number),
            state.decideBlocks(of: account.number),
        ]
        for case .done(let more, _) in lists { rows += more }
        rows += state.uploads(of: account).map { Row("blob", State.fields(of: $0)) }
        return rows
            + ([.lobby] + account.conversations).map { number in
                let conversation = state.conversation(number)
                let role = conversation.role(of: account.number)?.rawValue ?? ""
                return Row(
                    "conv",
                    [
                        .word("conv", conversation.name), .word("role", role),
                        .number("unread", state.unread(in: number, by: account.number)),
                    ]
                )
            }
    }

    /// Its items, collection by collection, behind all messages.
    private func exportItems(of account: Account, from place: ExportPlace, limit: Int) -> Reply {
        var (rows, count) = ([UInt8](), 0)
        for number in account.itemCollections where number.log >= place.conversation {
            let collection = content.state.collection(number)
            let start = number.log == place.conversation ? place.seq + 1 : 1
            let rest = content.itemLog(number).scan(from: start, budget: Self.exportStep) { seq, bytes in
                guard let line = ItemLine(bytes), !line.isDeletion,
                    collection.item(String(decoding: line.id, as: UTF8.self))?.owner == account.number
                else { return true }
                var row = ByteBuffer(capacity: bytes.count + 16)
                ItemRenderer.appendRow(line, into: &row)
                rows.append(contentsOf: row.readable)
                count += 1
                return count < limit && rows.count < Self.exportStep
            }
            if let rest {
                let next = ExportPlace(conversation: number.log, seq: rest - 1)
                return .page(LineCopy(rows), ending(count, next))
            }
        }
        return .page(LineCopy(rows), ending(count, nil))
    }

    private func messages(
        of names: [String],
        in spoken: [ConversationNumber],
        from place: ExportPlace,
        limit: Int
    ) -> (lines: LineCopy, count: Int, next: ExportPlace?) {
        var out = ByteBuffer(capacity: 4096)
        var (count, looked) = (0, 0)
        for number in spoken where number >= place.conversation {
            let timeline = content.timeline(number)
            var seq = number == place.conversation ? place.seq + 1 : 1
            seq = max(seq, content.state.conversation(number).firstSeq)
            while seq < timeline.nextSeq {
                if count == limit || looked > Self.exportStep {
                    return (LineCopy(Array(out.readable)), count, ExportPlace(conversation: number, seq: seq - 1))
                }
                guard content.state.conversation(number).messages.isMessage(seq) else {
                    (seq, looked) = (seq + 1, looked + 64)
                    continue
                }
                timeline.withLine(seq) { line in
                    looked += line.count + 256
                    guard let by = EventParser.parse(line)?.by, names.contains(by) else { return }
                    out.append(line)
                    out.append(byte: 0x0A)
                    count += 1
                }
                seq += 1
            }
        }
        return (LineCopy(Array(out.readable)), count, nil)
    }
}
