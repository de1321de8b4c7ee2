import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

/// Where `fcd export` goes on: behind so much of one kind of thing.
package struct DataPlace: Sendable, Equatable {
    package enum Stage: Int, Sendable, CaseIterable {
        case server, accounts, conversations, members, messages, collections, items, blobs
    }

    package var stage: Stage
    /// The number of the next account, conversation or collection, less 1; the place of the next blob.
    package var index: Int
    /// Of the next line, or the place of the next member.
    package var seq: Seq

    package init(stage: Stage = .server, index: Int = 0, seq: Seq = 0) {
        (self.stage, self.index, self.seq) = (stage, index, seq)
    }

    /// `4.17.200`
    package var text: String { "\(stage.rawValue).\(index).\(seq)" }

    /// Nil for what `text` never gives.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).map { part in
            Array(part).withUnsafeBytes { Number.parse($0) }
        }
        guard parts.count == 3, let raw = parts[0], let stage = Stage(rawValue: Int(clamping: raw)),
            let index = parts[1],
            index <= UInt64(UInt32.max), let seq = parts[2]
        else { return nil }
        self.init(stage: stage, index: Int(index), seq: seq)
    }
}

/// Everything as lines of JSON, without secrets (protocol.md, The operator): for `fcd export`.
extension Content {
    /// The lines from `place` on, each with its LF, until about `budget` bytes were looked at.
    /// - Returns: where to go on; nil at the end.
    package func exported(from place: DataPlace, budget: Int, into out: inout ByteBuffer) -> DataPlace? {
        var (place, looked) = (place, 0)
        while looked < budget {
            let before = out.count
            guard let next = step(place, &out) else { return nil }
            looked += out.count - before + 64
            place = next
        }
        return place
    }

    /// One thing, and where the next one is.
    private func step(_ place: DataPlace, _ out: inout ByteBuffer) -> DataPlace? {
        switch place.stage {
        case .server:
            let line = ExportLine("server", &out)
            line.add("format", number: 1, &out)
            line.add("log", state.logID, &out)
            line.end(&out)
            return DataPlace(stage: .accounts)
        case .accounts:
            guard place.index < state.accountNumbers else { return DataPlace(stage: .conversations) }
            if let account = state.account(AccountNumber(UInt32(clamping: place.index + 1))) { append(account, &out) }
            return DataPlace(stage: .accounts, index: place.index + 1)
        case .conversations:
            guard place.index < state.conversations.count else { return DataPlace(stage: .members) }
            append(state.conversations[place.index], &out)
            return DataPlace(stage: .conversations, index: place.index + 1)
        case .members: return appendMember(place, &out)
        case .messages: return appendMessages(place, &out)
        case .collections:
            guard place.index < state.collectionCount else { return DataPlace(stage: .items) }
            append(state.collections[place.index], &out)
            return DataPlace(stage: .collections, index: place.index + 1)
        case .items: return appendItems(place, &out)
        case .blobs:
            let all = state.allBlobs
            guard place.index < all.count else { return nil }
            append(all[place.index], &out)
            return DataPlace(stage: .blobs, index: place.index + 1)
        }
    }

    private func append(_ account: Account, _ out: inout ByteBuffer) {
        guard account.isRecorded, !account.isErasing else { return }
        let line = ExportLine("account", &out)
        line.add("user", account.handle.text, &out)
        line.add("display", account.display, &out)
        if let email = account.email { line.add("email", email.text, &out) }
        if let phone = account.phone { line.add("phone", phone, &out) }
        if let bio = account.bio { line.add("bio", bio, &out) }
        if let avatar = account.avatar { line.add("avatar", avatar.text, &out) }
        if account.isVerified { line.add("verified", flag: true, &out) }
        if account.isDisabled { line.add("disabled", flag: true, &out) }
        if account.isGuest { line.add("guest", flag: true, &out) }
        line.add("created", account.created.text, &out)
        line.end(&out)
    }

    private func append(_ conversation: Conversation, _ out: inout ByteBuffer) {
        if conversation.isDropped { return }
        let line = ExportLine("conversation", &out)
        line.add("conv", conversation.name, &out)
        if conversation.isPrivate, !conversation.isDirect { line.add("private", flag: true, &out) }
        if let title = conversation.topic { line.add("title", title, &out) }
        line.end(&out)
    }

    private func appendMember(_ place: DataPlace, _ out: inout ByteBuffer) -> DataPlace? {
        guard place.index < state.conversations.count else { return DataPlace(stage: .messages) }
        let conversation = state.conversations[place.index]
        let members = conversation.isLobby ? conversation.lobbyRoles : conversation.order
        let at = Int(clamping: place.seq)
        guard !conversation.isDropped, at < members.count else {
            return DataPlace(stage: .members, index: place.index + 1)
        }
        let line = ExportLine("member", &out)
        line.add("conv", conversation.name, &out)
        line.add("user", state.handleText(members[at]), &out)
        line.add("role", conversation.role(of: members[at])?.rawValue ?? "", &out)
        line.end(&out)
        return DataPlace(stage: .members, index: place.index, seq: place.seq + 1)
    }

    /// The messages of one chunk.
    private func appendMessages(_ place: DataPlace, _ out: inout ByteBuffer) -> DataPlace? {
        guard place.index < state.conversations.count else { return DataPlace(stage: .collections) }
        let conversation = state.conversations[place.index]
        let from = max(place.seq, conversation.firstSeq)
        guard !conversation.isDropped, place.index < timelines.count,
            let (end, lines) = timelines[place.index].lines(from: from, below: timelines[place.index].nextSeq)
        else { return DataPlace(stage: .messages, index: place.index + 1) }
        var at = 0
        while let stop = LineSplitter.lineEnd(in: lines, from: at) {
            append(UnsafeRawBufferPointer(rebasing: lines[at..<stop]), conversation.name, &out)
            at = stop + 1
        }
        return DataPlace(stage: .messages, index: place.index, seq: end)
    }

    private func append(_ bytes: UnsafeRawBufferPointer, _ name: String, _ out: inout ByteBuffer) {
        guard let event = EventParser.parse(bytes), event.kind == .msg, event.field("deleted") == nil,
            let by = event.by, by != "deleted"
        else { return }
        let line = ExportLine("message", &out)
        line.add("conv", name, &out)
        line.add("seq", number: event.seq, &out)
        line.add("ts", event.time.text, &out)
        line.add("by", by, &out)
        for key in ["geo", "blob"] { if let value = event.field(key) { line.add(key, value, &out) } }
        if let kind = event.field("kind") { line.add("message-kind", kind, &out) }
        for key in ["reply", "edited"] { if let value = event.number(key) { line.add(key, number: value, &out) } }
        if let text = event.field("text") { line.add("text", text, &out) }
        line.end(&out)
    }

    private func append(_ collection: Collection, _ out: inout ByteBuffer) {
        if collection.isDropped { return }
        let line = ExportLine("collection", &out)
        line.add("coll", collection.name, &out)
        if !collection.schema.fields.isEmpty { line.add("schema", collection.schema.text, &out) }
        line.end(&out)
    }

    private func appendItems(_ place: DataPlace, _ out: inout ByteBuffer) -> DataPlace? {
        guard place.index < state.collectionCount else { return DataPlace(stage: .blobs) }
        let collection = state.collections[place.index]
        let next = itemLog(collection.number).scan(from: max(1, place.seq), budget: 65536) { _, bytes in
            guard let item = ItemLine(bytes), !item.isDeletion else { return true }
            let id = String(decoding: item.id, as: UTF8.self)
            let line = ExportLine("item", &out)
            line.add("coll", collection.name, &out)
            line.add("id", id, &out)
            line.add("rev", number: item.seq, &out)
            line.add("ts", item.time.text, &out)
            line.add("by", state.handleText(collection.item(id)?.owner ?? .server), &out)
            line.add("json", object: item.json, &out)
            line.end(&out)
            return true
        }
        guard let next else { return DataPlace(stage: .items, index: place.index + 1) }
        return DataPlace(stage: .items, index: place.index, seq: next)
    }

    private func append(_ blob: BlobRecord, _ out: inout ByteBuffer) {
        let line = ExportLine("blob", &out)
        line.add("blob", blob.id.text, &out)
        line.add("user", state.handleText(blob.owner), &out)
        line.add("name", blob.name, &out)
        line.add("type", blob.type, &out)
        line.add("size", number: blob.size, &out)
        line.add("sha256", blob.hash.hex, &out)
        line.add("created", blob.created.text, &out)
        line.end(&out)
    }
}

/// One line of an export.
private struct ExportLine {
    init(_ kind: String, _ out: inout ByteBuffer) {
        out.append("{\"kind\":")
        JSONString.append(string: kind, into: &out)
    }

    private func key(_ name: String, _ out: inout ByteBuffer) {
        out.append(byte: 0x2C)
        JSONString.append(string: name, into: &out)
        out.append(byte: 0x3A)
    }

    func add(_ name: String, _ value: String, _ out: inout ByteBuffer) {
        key(name, &out)
        JSONString.append(string: value, into: &out)
    }

    func add(_ name: String, number: UInt64, _ out: inout ByteBuffer) {
        key(name, &out)
        out.append(decimal: number)
    }

    func add(_ name: String, flag: Bool, _ out: inout ByteBuffer) {
        key(name, &out)
        if flag { out.append("true") } else { out.append("false") }
    }

    func add(_ name: String, object: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
        key(name, &out)
        out.append(object)
    }

    func end(_ out: inout ByteBuffer) { out.append("}\n") }
}
