import ChatModel

/// How uploads end (protocol.md, How long a file stays).
///
/// An upload is used by messages that are kept and by its owner's profile picture. It ends when the last message that has it
/// goes, when nothing has used it for `limits.blob-unused`, when it is deleted, and with its account. What it ends by is
/// written down (`LedgerEntry.endBlob`), because a recovery learns of messages only when all lines are there.
extension State {
    // MARK: What uses it

    func isPicture(_ entry: BlobEntry) -> Bool { account(entry.record.owner)?.avatar == entry.record.id }

    /// Whether it was sent and no message of that is kept: it ends in a moment, and nobody reads it any more.
    /// O(conversations it was sent to), and nearly always O(1).
    func isOver(_ entry: BlobEntry) -> Bool {
        if !entry.record.isSent || isPicture(entry) { return false }
        return !entry.references.contains { isKept($0.value, in: $0.key) }
    }

    private func isKept(_ seqs: ContiguousArray<Seq>, in number: ConversationNumber) -> Bool {
        guard exists(number), let newest = seqs.last else { return false }
        let conversation = self.conversation(number)
        return !conversation.isDropped && newest >= conversation.firstSeq
    }

    // MARK: References

    /// Whether there is anything that a message could refer to.
    package var hasBlobs: Bool { !blobs.isEmpty }

    /// Forgets which messages have blobs; the lines then say it again (`restoreReference`).
    package func forgetReferences() {
        for entry in blobs.values { entry.references = [:] }
        for conversation in conversations {
            conversation.blobMessages = 0
            conversation.blobs.removeAll()
        }
        blobLife.orphans = []
    }

    /// Notes that a message has a blob, from the message's line; only at recovery.
    package func restoreReference(to id: BlobID, _ conversation: ConversationNumber, _ seq: Seq) {
        noteReference(to: id, conversation, seq)
        guard let entry = blobs[id], !entry.record.isSent else { return }
        entry.record = entry.record.with(isSent: true)
    }

    /// Notes that a message has a blob.
    func noteReference(to id: BlobID, _ conversation: ConversationNumber, _ seq: Seq) {
        guard let entry = blobs[id] else { return }
        let isFirst = entry.references[conversation] == nil
        entry.references[conversation, default: []].append(seq)
        guard exists(conversation) else { return }
        let there = self.conversation(conversation)
        there.blobMessages += 1
        if isFirst { there.blobs.add(id) { blobs[$0]?.references[conversation] != nil } }
    }

    /// Writes down, with its owner, that a blob is about to be sent for the first time: a recovery may find no line that
    /// says so any more.
    func noteSending(of id: BlobID) {
        guard let entry = blobs[id], !entry.record.isSent else { return }
        change(entry.record.owner) { _ in entry.record = entry.record.with(isSent: true) }
    }

    /// A message that had a blob is gone, or its text is. Whoever drives the state then ends uploads that have none left
    /// (`takeOrphans`).
    package func dropReference(to id: BlobID, _ conversation: ConversationNumber, _ seq: Seq) {
        guard let entry = blobs[id], let seqs = entry.references[conversation] else { return }
        let at = seqs.lowerBound(of: seq)
        guard at < seqs.count, seqs[at] == seq else { return }
        if exists(conversation) { self.conversation(conversation).blobMessages -= 1 }
        if seqs.count > 1 {
            entry.references[conversation]?.remove(at: at)
        } else {
            entry.references[conversation] = nil
            if isOver(entry) { blobLife.orphans.append(id) }
        }
    }

    /// The record by which an upload ends with this message, when nothing else uses it.
    package func endOfBlob(_ id: BlobID, with message: Seq, in conversation: ConversationNumber) -> [Change] {
        guard let entry = blobs[id], entry.references.count == 1, entry.references[conversation] == [message],
            !isPicture(entry)
        else { return [] }
        return [.ledger(.endBlob(entry.record.owner, id))]
    }

    /// Uploads that have lost their last message, in the order in which that was noted, out of at most `limit` that are looked
    /// at.
    package func takeOrphans(limit: Int) -> [BlobRecord] {
        if blobLife.orphans.isEmpty { return [] }
        var seen: Set<BlobID> = []
        let found = blobLife.orphans.prefix(limit).compactMap { id -> BlobRecord? in
            guard let entry = blobs[id], isOver(entry), seen.insert(id).inserted else { return nil }
            return entry.record
        }
        blobLife.orphans.removeFirst(min(limit, blobLife.orphans.count))
        return found
    }

    package var hasOrphans: Bool { !blobLife.orphans.isEmpty }

    /// A conversation was dropped: what was sent nowhere else is to end.
    func noteOver(in conversation: Conversation) {
        for id in conversation.blobs.ids {
            if let entry = blobs[id], isOver(entry) { blobLife.orphans.append(id) }
        }
    }

    // MARK: Unused for long

    /// Nothing uses it from now on, unless something does.
    func noteUnused(_ id: BlobID) {
        guard let entry = blobs[id], entry.references.isEmpty, !isPicture(entry) else { return }
        if entry.record.isSent { entry.record = entry.record.with(isSent: false) }
        if entry.unusedSince == monotonic { return }
        entry.unusedSince = monotonic
        blobLife.noteUnused(id, since: monotonic)
    }

    /// Uploads that nothing has used since `time` or before, out of at most `span` that are looked at.
    package func takeUnused(since time: MonotonicTime, span: Int) -> [BlobRecord] {
        var found: [BlobRecord] = []
        for _ in 0..<span {
            guard let (id, since) = blobLife.takeUnused(since: time) else { break }
            guard let entry = blobs[id], entry.unusedSince == since, entry.references.isEmpty, !isPicture(entry) else {
                continue
            }
            found.append(entry.record)
        }
        return found
    }

    /// The end of a recovery: what is unused counts as unused from now on, and what has lost its messages is to end.
    /// O(uploads).
    func noteRecoveredBlobs() {
        blobLife = BlobLife()
        for id in accountSlots.lazy.flatMap({ $0?.uploads ?? [] }) {
            guard let entry = blobs[id] else { continue }
            entry.unusedSince = nil
            if isOver(entry) { blobLife.orphans.append(id) } else { noteUnused(id) }
        }
    }

    /// The end of a repair: what has lost its messages by the damage does not end at once.
    package func spareBlobs() {
        for entry in blobs.values where entry.references.isEmpty && entry.record.isSent {
            entry.record = entry.record.with(isSent: false)
        }
    }

    // MARK: The end

    /// An upload is no more, whatever still names it. Amortised O(conversations it was sent to).
    func end(_ id: BlobID) {
        guard let record = blobs[id]?.record else { return }
        remove(id)
        change(record.owner) { account in
            account.blobBytes -= min(record.charge, account.blobBytes)
            if account.avatar == id { account.avatar = nil }
            account.endedUploads += 1
            guard account.endedUploads > 16 + account.uploads.count / 2 else { return }
            account.uploads.removeAll { blobs[$0] == nil }
            account.endedUploads = 0
        }
    }

    /// Takes it from all books but its owner's.
    func remove(_ id: BlobID) {
        guard let entry = blobs.removeValue(forKey: id) else { return }
        let left = (contents[entry.record.hash] ?? 1) - 1
        contents[entry.record.hash] = left > 0 ? left : nil
        for (number, seqs) in entry.references where exists(number) {
            conversation(number).blobMessages -= seqs.count
        }
    }

    /// The bytes of uploads that end with an entry which is about to be applied.
    package func contents(endedBy entry: LedgerEntry) -> [ContentHash] {
        switch entry {
        case .endBlob(_, let id): blobs[id].map { [$0.record.hash] } ?? []
        case .erasing(let number), .expire(let number), .erased(let number):
            account(number)?.uploads.compactMap { blobs[$0]?.record.hash } ?? []
        default: []
        }
    }
}
