import Bytes
import ChatCore
import ChatModel
import Wire

/// ADMIN EXPORT and ADMIN IMPORT (protocol.md, The operator).
extension Engine {
    /// Bytes of lines that are looked at for one page.
    private static let exportPage = 128 * 1024

    func exportAll(from place: DataPlace) -> Reply {
        var out = ByteBuffer(capacity: Self.exportPage)
        let next = content.exported(from: place, budget: Self.exportPage, into: &out)
        var rows = ByteBuffer(capacity: out.count + 4096)
        var (count, at) = (0, 0)
        while let end = LineSplitter.lineEnd(in: out.readable, from: at) {
            rows.append("line json=")
            rows.append(UnsafeRawBufferPointer(rebasing: out.readable[at...end]))
            (at, count) = (end + 1, count + 1)
        }
        let fields: [KeyValue] = [.number("n", count), .flag("more", next != nil)]
        return .page(LineCopy(Array(rows.readable)), fields + (next.map { [.word("next", $0.text)] } ?? []))
    }

    /// One thing of an export, or a message of a sample. What is there already as it is wanted is `dup=yes`.
    func importRecord(_ record: ImportRecord) throws(Refusal) -> Reply {
        try checkWritable()
        switch record["kind"] {
        case nil where record["text"] != nil, "message": return try importMessage(record)
        case "account": return try importAccount(record)
        case "conversation": return try importConversation(record)
        case "member": return try importMember(record)
        case "collection": return try importCollection(record)
        case "item": return try importItem(record)
        // What the log was called means nothing here, and the bytes of files are not in an export.
        case "server", "blob": return .done([.flag("skipped", true)])
        default: throw .badArg("kind", "message, account, conversation, member, collection, item, blob or server")
        }
    }

    private func need(_ record: ImportRecord, _ key: String) throws(Refusal) -> String {
        guard let value = record[key], !value.isEmpty else { throw .badArg(key, "it is missing") }
        return value
    }

    private func importAccount(_ record: ImportRecord) throws(Refusal) -> Reply {
        let name = try need(record, "user")
        let decision = try content.state.decideImport(account: name, record, now: now)
        commit(decision.changes)
        return decision.reply
    }

    private func importConversation(_ record: ImportRecord) throws(Refusal) -> Reply {
        let decision = try content.state.decideImport(conversation: try need(record, "conv"), record, now: now)
        commit(decision.changes)
        return decision.reply
    }

    private func importMember(_ record: ImportRecord) throws(Refusal) -> Reply {
        let decision = try content.state.decideImport(
            member: try need(record, "user"),
            of: try need(record, "conv"),
            role: record["role"] ?? Role.member.rawValue,
            now: now
        )
        commit(decision.changes)
        return decision.reply
    }

    /// A message by its author's handle; of a sample by a name, for which there is an account then.
    private func importMessage(_ record: ImportRecord) throws(Refusal) -> Reply {
        let author: AccountNumber
        if record["kind"] == nil, record["by"] == nil {
            let (number, changes) = try content.state.decideImport(author: record["name"] ?? "", now: now)
            commit(changes)
            author = number
        } else {
            author = try content.state.importedAccount(try need(record, "by"), "by")
        }
        let text = record["text"] ?? ""
        var arena = ByteBuffer(capacity: text.utf8.count + 1)
        arena.append(string: text)
        let decision = try content.state.decideImport(
            message: record,
            by: author,
            text: record["text"] == nil ? nil : ArenaRange(offset: 0, count: text.utf8.count),
            now: now
        )
        switch decision {
        case .repeated(let sent):
            let name = content.state.name(of: sent.conversation)
            return .event(conversation: name, seq: sent.seq, time: sent.time, isRepeat: true)
        case .text(let message, _):
            commit(message.event, arena: arena.readable, together: false)
            return made(message.event)
        case .message(let event):
            commit(event, arena: arena.readable, together: false)
            return made(event)
        case .opening(let create, let message):
            commit(create, arena: arena.readable, together: true)
            commit(message, arena: arena.readable, together: false)
            return made(message)
        }
    }

    private func importCollection(_ record: ImportRecord) throws(Refusal) -> Reply {
        guard let schema = ItemSchema(text: record["schema"] ?? "") else { throw .badArg("schema", "it is none") }
        return try setSchema(try CommandParser.collection(named: try need(record, "coll")), schema)
    }

    /// An item as it was; it must not clash with one that is there.
    private func importItem(_ record: ImportRecord) throws(Refusal) -> Reply {
        let owner = try content.state.importedAccount(try need(record, "by"), "by")
        let target = try CommandParser.collection(named: try need(record, "coll"))
        let batch = RequestBatch()
        let id = try need(record, "id")
        guard ItemID.isSound(Array(id.utf8)) else { throw .badArg("id", "1 to 64 of A-Z a-z 0-9 - _ .") }
        let put = try CommandParser.item(target, id, record.json, &batch.arena)
        do throws(Refusal) { return try putItem(put, by: owner, batch) } catch {
            guard error.code == .conflict else { throw error }
            // Whatever it was compared with: the same again is none.
            let again = PutItem(target: target, id: id, rev: nil, json: put.json, fields: put.fields)
            if let same = try sameItem(again, by: owner, batch) { return same }
            throw Refusal(.exists, field: "id", "another item has this id")
        }
    }
}
