import ChatCore
import ChatModel
import Wire

/// BLOB, and the links it makes (protocol.md, Links).
extension Engine {
    /// BLOB: what a blob is, for those who may read it, with an address that anybody may read it at for a while.
    func describe(_ id: BlobID, _ links: LinkWish, for account: AccountNumber) throws(Refusal) -> Reply {
        let record = try content.state.findBlob(id, account)
        let address = blobsURL + BlobName.path(record)
        let fields = State.fields(of: record)
        switch links {
        case .none: return .done(fields + [.word("url", address)])
        case .make(let seconds):
            let link = try link(to: record, seconds: seconds)
            let expires = Timestamp(milliseconds: Int64(clamping: link.expires) * 1000)
            return .done(fields + [.time("expires", expires), .word("url", address + link.query)])
        case .end:
            let own = try content.state.findOwnBlob(id, account)
            try checkWritable()
            commit(.ledger(content.state.endOfLinks(to: own)), together: false)
            return .done(fields + [.word("url", address)])
        }
    }

    private func link(to record: BlobRecord, seconds: Int64) throws(Refusal) -> SignedLink {
        // A second that has begun counts whole.
        let expires = UInt64(clamping: (now.milliseconds + 999) / 1000 + seconds)
        guard let signature = signature(record, expires: expires) else {
            throw Refusal(.internal, "the server has no key to sign links with yet")
        }
        return SignedLink(blob: record.id, expires: expires, signature: signature)
    }

    /// Nil when the server has no key, which it writes down at its first start.
    private func signature(_ record: BlobRecord, expires: UInt64) -> LinkSignature? {
        if content.state.linkKey.isEmpty { return nil }
        let text = SignedLink.text(record.id, expires: expires, generation: record.linkGeneration)
        return signLink(text, content.state.linkKey)
    }

    /// The upload that a link shows; nil when it is not one that was made here, is over, or was ended.
    func follow(_ link: SignedLink) -> BlobRecord? {
        guard let record = content.state.linkedBlob(link.blob),
            signature(record, expires: link.expires) == link.signature,
            UInt64(clamping: now.milliseconds) / 1000 < link.expires
        else { return nil }
        return record
    }
}
