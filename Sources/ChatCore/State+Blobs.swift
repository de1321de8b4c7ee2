import ChatModel

extension Account {
    /// An upload of its own.
    func note(_ record: BlobRecord) {
        blobBytes += record.charge
        uploads.append(record.id)
    }
}

extension State {
    package func blob(_ id: BlobID) -> BlobRecord? { blobs[id]?.record }

    /// Whether an upload has these bytes.
    package func hasBlob(with content: ContentHash) -> Bool { contents[content] != nil }

    /// All uploads, account by account.
    package var allBlobs: [BlobRecord] { accountSlots.flatMap { account in account.map { uploads(of: $0) } ?? [] } }

    /// Messages that have this blob and are kept.
    package func referenceCount(of id: BlobID) -> Int {
        blobs[id]?.references.reduce(0) { sum, entry in
            let first = exists(entry.key) ? conversation(entry.key).firstSeq : 1
            return sum + entry.value.count - entry.value.lowerBound(of: first)
        } ?? 0
    }

    /// The blob, when `account` may read it.
    /// - Throws: NOT-FOUND for one that is not there and for one that is not for this account, in the same words.
    package func findBlob(
        _ id: BlobID,
        _ account: AccountNumber,
        field: String? = nil
    ) throws(Refusal) -> BlobRecord {
        guard let entry = blobs[id], !isOver(entry), mayRead(entry, account) else {
            throw Refusal(.notFound, field: field, Refusal.notFound.text)
        }
        return entry.record
    }

    /// Who may read a blob: who put it there, everybody when it is his picture, and who may see a message it was sent with.
    /// O(the fewer of the blob's conversations and the account's).
    private func mayRead(_ entry: BlobEntry, _ number: AccountNumber) -> Bool {
        guard let account = account(number) else { return false }
        var asker = Access.Asker()
        asker.owns = entry.record.owner == number
        if Access.blob(.read, asker, seesIt: isPicture(entry)) { return true }
        if entry.references.count <= account.conversations.count + 1 {
            return entry.references.contains { isVisible($0.value, in: $0.key, to: number) }
        }
        return ([.lobby] + account.conversations).contains { conversation in
            entry.references[conversation].map { isVisible($0, in: conversation, to: number) } ?? false
        }
    }

    private func isVisible(_ seqs: ContiguousArray<Seq>, in number: ConversationNumber, to account: AccountNumber)
        -> Bool
    {
        let conversation = self.conversation(number)
        guard !conversation.isDropped, conversation.role(of: account) != nil, let newest = seqs.last else {
            return false
        }
        return newest >= max(conversation.firstSeq, conversation.firstVisible(to: account))
    }

    /// Decides whether an upload may begin: the right to write where it is meant for, then the quota.
    /// - Parameter pending: what other uploads of the account that are under way will cost.
    /// - Throws: `Refusal`; TOO-BIG and QUOTA tell the numbers.
    package func checkUpload(
        _ put: PutBlob,
        by number: AccountNumber,
        pending: UInt64 = 0
    ) throws(Refusal) {
        guard let account = account(number) else { throw .needAuth }
        if let target = put.target, case .conversation(let found) = try findAsMember(target, number),
            !conversation(found).mayWrite(number)
        {
            throw .denied("you may read here, not write")
        }
        if put.size > UInt64(clamping: limits.blob) {
            let details: [KeyValue] = [.number("limit", limits.blob), .number("got", put.size)]
            throw Refusal(.tooBig, field: "size", details: details, "the file is too big, in bytes")
        }
        let (taken, above) = account.blobBytes.addingReportingOverflow(pending)
        let (sum, overflow) = taken.addingReportingOverflow(put.charge)
        if above || overflow || sum > UInt64(clamping: limits.quota) {
            let details: [KeyValue] = [.number("used", account.blobBytes), .number("quota", limits.quota)]
            throw Refusal(.quota, field: "size", details: details, "your storage is full")
        }
    }

    /// Takes an upload in. One that is there already changes nothing.
    func add(_ record: BlobRecord) {
        guard blobs[record.id] == nil else { return }
        blobs[record.id] = BlobEntry(record)
        contents[record.hash, default: 0] += 1
        change(record.owner) { $0.note(record) }
        noteUnused(record.id)
    }

    /// The uploads of an account, oldest first, for snapshots.
    package func uploads(of account: Account) -> [BlobRecord] { account.uploads.compactMap { blobs[$0]?.record } }

    /// Takes over an account's uploads from a snapshot; references follow from the lines.
    func restore(_ uploads: [BlobRecord], of account: Account) {
        for record in uploads where blobs[record.id] == nil {
            blobs[record.id] = BlobEntry(record)
            contents[record.hash, default: 0] += 1
            account.note(record)
        }
    }

    package var blobCount: Int { blobs.count }
    /// What all uploads cost of their owners' quotas. O(accounts).
    package var blobBytes: UInt64 { accountSlots.reduce(0) { $0 &+ ($1?.blobBytes ?? 0) } }
}
