import Bytes
import ChatCore
import ChatModel
import Engine
import Persistence
import Wire

extension Content {
    /// Everything that can be told of it, as text: two contents with the same text answer the same.
    package func text(_ tokens: [UInt64], _ oldest: Timestamp) -> [String] {
        var out = ByteBuffer()
        ServerSnapshot(state).encode(into: &out)
        let gone = state.exists(.lobby) ? state.conversation(.lobby).messagesGone : 0
        for index in 0..<state.accountNumbers {
            let number = AccountNumber(UInt32(index + 1))
            if let account = state.account(number) {
                guard account.isRecorded else { continue }
                let uploads = state.uploads(of: account)
                let none = MonotonicTime(milliseconds: .max)
                // Nobody has anything left to read of what is gone.
                let read = account.lobbyRead
                account.lobbyRead = max(read, gone)
                defer { account.lobbyRead = read }
                AccountCodec.encode(account, at: 0, oldest: none, uploads: uploads, into: &out)
                account.nonces.forEach(since: MonotonicTime(milliseconds: 0)) { entry in
                    if entry.sent.time >= oldest { out.append(string: " \(entry)") }
                }
                out.append(string: " items \(account.itemCount)")
                out.append(
                    string: " owns \(account.ownedCount) \(state.account(handleKey: account.handle.key) == number)"
                )
            } else if let handle = state.expiredHandles[number] {
                AccountCodec.encode(expired: handle, number, at: 0, into: &out)
                out.append(string: " \(state.account(handleKey: handle) == number)")
            }
            out.append(byte: 0x0A)
        }
        for conversation in state.conversations {
            ConversationCodec.encode(conversation, at: 0, into: &out)
            let kept = conversation.messagesGone..<conversation.messages.count
            let ranks = kept.map { conversation.messages.seq(ofMessage: $0) ?? 0 }
            out.append(string: " \(ranks)")
            for (message, under) in conversation.reactions.sorted(by: { $0.key < $1.key }) {
                out.append(string: " \(message)")
                for entry in under.entries.sorted(by: { $0.emoji < $1.emoji }) {
                    out.append(string: "\(entry.emoji)\(entry.accounts.map(\.raw))")
                }
            }
            out.append(byte: 0x0A)
            let timeline = timelines[Int(conversation.number.raw) - 1]
            for seq in conversation.firstSeq..<timeline.nextSeq {
                timeline.withLine(seq) { out.append($0) }
                out.append(byte: 0x0A)
            }
        }
        for collection in state.collections { append(collection, to: &out) }
        let owners = tokens.map { state.owner(of: TokenHash(a: $0, b: 0, c: 0, d: 0))?.raw ?? 0 }
        let (users, _) = state.directory(limit: 100_000)
        out.append(string: "\(users.map(\.raw))\n")
        let (found, _) = state.publicConversations(prefix: "", after: nil, limit: 100_000)
        out.append(string: "\(owners) \(found.map(\.raw)) \(state.nextAccount.raw) \(state.nextConversation.raw)\n")
        return String(decoding: out.readable, as: UTF8.self).split(separator: "\n" as Character).map(String.init)
    }

    private func append(_ collection: Collection, to out: inout ByteBuffer) {
        CollectionCodec.encode(collection, at: 0, into: &out)
        out.append(string: " \(collection.itemCount)\n")
        guard collection.number.raw <= itemLogs.count else { return }
        let log = itemLogs[Int(collection.number.raw) - 1]
        _ = log.scan(from: 1) { seq, line in
            out.append(line)
            let id = ItemLine(line).map { String(decoding: $0.id, as: UTF8.self) } ?? ""
            let item = collection.item(id)
            out.append(string: " \(item?.owner.raw ?? 0) \(item?.seq == seq) \(item?.isDeleted ?? false)\n")
            return true
        }
    }
}
