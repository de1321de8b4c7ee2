import ChatModel

/// Signed links (protocol.md, Links), and what their owner does with uploads.
extension State {
    /// The upload that a link may show, whoever follows it; nil when it is no more.
    package func linkedBlob(_ id: BlobID) -> BlobRecord? {
        guard let entry = blobs[id], !isOver(entry) else { return nil }
        return entry.record
    }

    /// Decides DEL-BLOB and `BLOB links=no`: for who put it here, and the operator.
    /// - Throws: NOT-FOUND for one that is not there and for one that is not for this account, DENIED for what one may only
    ///   read.
    package func findOwnBlob(_ id: BlobID, _ account: AccountNumber) throws(Refusal) -> BlobRecord {
        var asker = Access.Asker()
        asker.isOperator = account == .operator
        let record: BlobRecord
        if asker.isOperator {
            guard let found = linkedBlob(id) else { throw .notFound }
            record = found
        } else {
            record = try findBlob(id, account)
        }
        asker.owns = record.owner == account
        guard Access.blob(.delete, asker) else { throw .denied("only who put it here does that") }
        return record
    }

    /// The entry that ends all links to an upload.
    package func endOfLinks(to record: BlobRecord) -> LedgerEntry {
        let (next, overflow) = record.linkGeneration.addingReportingOverflow(1)
        return .endLinks(record.owner, record.id, generation: overflow ? .max : next)
    }

    func endLinks(of id: BlobID, _ generation: UInt64) {
        guard let entry = blobs[id], entry.record.linkGeneration < generation else { return }
        entry.record = entry.record.with(linkGeneration: generation)
        change(entry.record.owner) { _ in }
    }

    /// The end of a conversation ends the links to what was sent there, also to what was sent elsewhere as well; what was
    /// not ends as a whole. O(blobs sent there).
    package func linksEnded(by change: Change) -> [Change] {
        guard case .event(let event) = change, case .drop = event.kind, exists(event.conversation) else { return [] }
        let number = event.conversation
        var seen: Set<BlobID> = []
        return conversation(number).blobs.ids.compactMap { id in
            guard let entry = blobs[id], entry.references[number] != nil,
                entry.references.count > 1 || isPicture(entry),
                seen.insert(id).inserted
            else { return nil }
            return .ledger(endOfLinks(to: entry.record))
        }
    }

    /// BLOBS: an account's uploads, oldest first, and its quota.
    /// - Throws: NOT-FOUND with `field=after` for what is no upload of its own.
    package func decideBlobs(of number: AccountNumber, _ page: Page) throws(Refusal) -> Reply {
        guard let account = account(number) else { throw .needAuth }
        var ids = account.uploads[...]
        if let after = page.after {
            guard let id = BlobID(after.utf8), let at = ids.firstIndex(of: id) else {
                throw Refusal(.notFound, field: "after", "you have no such upload")
            }
            ids = ids[(at + 1)...]
        }
        var rows: [Row] = []
        var more = false
        for record in ids.lazy.compactMap({ self.blobs[$0] }).filter({ !self.isOver($0) }).map(\.record) {
            if rows.count == page.limit {
                more = true
                break
            }
            rows.append(Row("blob", Self.fields(of: record)))
        }
        return .done(
            rows: rows,
            [
                .number("n", rows.count), .flag("more", more), .number("used", account.blobBytes),
                .number("quota", limits.quota),
            ]
        )
    }

    /// `blob= name= type= size=`
    package static func fields(of record: BlobRecord) -> [KeyValue] {
        [
            .word("blob", record.id.text), .word("name", record.name), .word("type", record.type),
            .number("size", record.size),
        ]
    }
}
