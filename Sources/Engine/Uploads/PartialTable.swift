import ChatModel

/// A file that comes to the blob port: whose it is, by which token, and what it will cost of the quota.
struct PortReservation {
    let account: AccountNumber
    let token: TokenHash
    let charge: UInt64
}

/// Uploads in pieces that are not whole, in memory; their files and what is said of them are on disk (`data/uploads`).
struct PartialTable {
    private var uploads: [BlobID: PartialUpload] = [:]
    /// In the order of making, and where `look` goes on in it.
    private var order: [BlobID] = []
    private var cursor = 0
    private var owned: [AccountNumber: Set<BlobID>] = [:]
    /// Those that are blobs once the journal is on disk up to the position.
    private(set) var finished: [(at: UInt64, upload: PartialUpload)] = []

    var count: Int { uploads.count }
    subscript(id: BlobID) -> PartialUpload? { uploads[id] }
    func count(of owner: AccountNumber) -> Int { owned[owner]?.count ?? 0 }

    /// What an account's uploads will cost of its quota.
    func bytes(of owner: AccountNumber) -> UInt64 {
        (owned[owner] ?? []).reduce(0) { sum, id in
            let (next, overflow) = sum.addingReportingOverflow(BlobCharge.of(uploads[id]?.length ?? 0))
            return overflow ? .max : next
        }
    }

    mutating func add(_ upload: PartialUpload) {
        uploads[upload.id] = upload
        order.append(upload.id)
        owned[upload.owner, default: []].insert(upload.id)
    }

    mutating func remove(_ id: BlobID) {
        guard let upload = uploads.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        owned[upload.owner]?.remove(id)
        if owned[upload.owner]?.isEmpty == true { owned[upload.owner] = nil }
    }

    /// It is a blob from this record on.
    mutating func finish(_ id: BlobID, at position: UInt64) {
        guard let upload = uploads[id] else { return }
        remove(id)
        finished.append((position, upload))
    }

    /// Those that are blobs for good.
    mutating func takeFinished(through durable: UInt64) -> [BlobID] {
        if finished.isEmpty { return [] }
        let done = finished.prefix { $0.at <= durable }.map(\.upload.id)
        finished.removeFirst(done.count)
        return done
    }

    /// What was not on disk has not happened: these are no blobs, and their files are there.
    mutating func undo(above durable: UInt64) {
        for entry in finished where entry.at > durable { add(entry.upload) }
        finished.removeAll { $0.at > durable }
    }

    /// The next ones in turn, `most` at once.
    mutating func look(_ most: Int) -> [PartialUpload] {
        let count = min(most, order.count)
        let found = (0..<count).compactMap { uploads[order[($0 + cursor) % order.count]] }
        cursor = count == 0 ? 0 : (cursor + count) % order.count
        return found
    }
}
