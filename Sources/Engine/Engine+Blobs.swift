import ChatCore
import ChatModel
import Wire

extension Engine {
    /// PUT-BLOB, its line: whether the bytes may come. What they will cost is remembered until they are stored or the
    /// connection has gone. O(connections of the account).
    func beginUpload(_ put: PutBlob, from key: ConnectionKey, by account: AccountNumber) throws(Refusal) -> Reply {
        try content.state.checkUpload(put, by: account, pending: pendingBytes(of: account))
        try checkWritable()
        change(key) { $0.uploading = put.charge }
        return .uploadMayBegin
    }

    /// PUT-BLOB, its end: the bytes are on disk under their hash, or were refused.
    func blobStored(_ upload: StoredUpload) {
        if let reservation = portUploads.removeValue(forKey: upload.connection) { return stored(upload, reservation) }
        if isOpen(upload.connection) { change(upload.connection) { $0.uploading = 0 } }
        do throws(Refusal) {
            let hash = try upload.outcome.get()
            do throws(Refusal) {
                send(try take(upload, hash), to: upload)
                settledBlobs.append(SettledBlob(content: hash, isKept: true))
            } catch {
                settledBlobs.append(SettledBlob(content: hash, isKept: isNeeded(hash)))
                throw error
            }
        } catch {
            send(.refused(error), to: upload)
        }
    }

    private func take(_ upload: StoredUpload, _ hash: ContentHash) throws(Refusal) -> Reply {
        // Nobody would hear of an upload whose connection has gone.
        guard isOpen(upload.connection) else { throw .needAuth }
        let account = try self.account(of: upload.connection)
        return .done(try enter(upload.request, hash, by: account))
    }

    /// Makes a blob of a file that is on disk.
    /// - Parameter id: nil for a new one.
    func enter(
        _ request: PutBlob,
        _ hash: ContentHash,
        by account: AccountNumber,
        id: BlobID? = nil
    ) throws(Refusal) -> [KeyValue] {
        if isBlind { throw Refusal(.internal, "the journal failed and cannot be read: \(readOnlyReason ?? "")") }
        try content.state.checkUpload(request, by: account)
        try checkWritable()
        recordIfGuest(account)
        let record = BlobRecord(
            id: id ?? BlobID(high: randomness.word(), low: randomness.word()),
            owner: account,
            name: request.name,
            type: request.type ?? MediaType.unknown,
            size: request.size,
            hash: hash,
            created: now
        )
        commit(.ledger(.blob(record)), together: false)
        return fields(of: record)
    }

    /// What is said of a file that was taken.
    func fields(of record: BlobRecord) -> [KeyValue] {
        [
            .word("blob", record.id.text), .word("sha256", record.hash.hex),
            .word("url", blobsURL + BlobName.path(record)),
        ]
    }

    private func send(_ reply: Reply, to upload: StoredUpload) {
        guard isOpen(upload.connection) else { return }
        hold(.reply(upload.connection, upload.tag, reply), for: upload.connection)
    }

    /// A question of the blob port.
    func blobAsked(_ question: BlobQuestion, by key: ConnectionKey) {
        hold(.blobAnswered(key, answer(question, for: key)), for: key)
    }

    private func answer(_ question: BlobQuestion, for key: ConnectionKey) -> BlobAnswer {
        switch question {
        case .health: return readOnlyReason == nil ? .healthy : .readOnly
        case .metrics(let token): return token == content.state.metricsToken ? .metrics(metrics) : .badToken
        case .limit: return .limit(UInt64(clamping: content.state.limits.blob))
        case .read(let id, let token): return isBlind ? .readOnly : read(id, token)
        case .follow(let link, let token):
            if isBlind { return .readOnly }
            if let record = follow(link) { return .readable(record) }
            return token.map { read(link.blob, $0) } ?? .notFound
        case .upload, .makePartial, .findPartial, .endPartial: return answerUpload(question, for: key)
        }
    }

    private func read(_ id: BlobID?, _ token: TokenHash) -> BlobAnswer {
        guard let account = holder(of: token), content.state.token(token, of: account)?.scope.contains(.read) ?? true
        else { return .badToken }
        guard let id, let record = try? content.state.findBlob(id, account) else { return .notFound }
        return .readable(record)
    }

    /// Whether an upload has these bytes.
    package func hasBlob(with content: ContentHash) -> Bool { self.content.state.hasBlob(with: content) }
}
