import ChatCore
import ChatModel
import Wire

/// Uploads in pieces (protocol.md, Uploads that go on): whose they are and what they cost is here; their bytes are the blob
/// writer's. An upload's id becomes its blob's, so that nothing has to be remembered of one that is whole.
extension Engine {
    func makePartial(_ plan: PartialPlan, _ token: TokenHash) throws(Refusal) -> BlobAnswer {
        let account = try sender(token)
        guard partials.count(of: account) < PartialUpload.most else {
            let details: [KeyValue] = [.number("limit", PartialUpload.most)]
            throw Refusal(.limit, details: details, "too many unfinished uploads; finish some or delete them")
        }
        let put = try put(plan.length, plan.name, plan.type, plan.conversation)
        try content.state.checkUpload(put, by: account, pending: pendingBytes(of: account))
        try checkWritable()
        let upload = PartialUpload(
            id: BlobID(high: randomness.word(), low: randomness.word()),
            owner: account,
            length: plan.length,
            name: plan.name,
            type: plan.type,
            conversation: plan.conversation,
            metadata: plan.metadata,
            expires: Timestamp(milliseconds: now.milliseconds + PartialUpload.lifetime)
        )
        partials.add(upload)
        return .partial(upload)
    }

    func findPartial(_ id: BlobID?, _ token: TokenHash) throws(Refusal) -> BlobAnswer {
        let account = try sender(token)
        guard let id else { throw .notFound }
        if let upload = partials[id], upload.owner == account, upload.expires > now { return .partial(upload) }
        if let record = content.state.blob(id), record.owner == account { return .whole(record) }
        throw .notFound
    }

    func endPartial(_ id: BlobID?, _ token: TokenHash) throws(Refusal) -> BlobAnswer {
        let answer = try findPartial(id, token)
        switch answer {
        case .partial(let upload): partials.remove(upload.id)
        case .whole: throw Refusal(.conflict, "this upload is whole: it is a blob now")
        default: break
        }
        return answer
    }

    private func put(
        _ length: UInt64,
        _ name: String,
        _ type: String?,
        _ conversation: String?
    ) throws(Refusal) -> PutBlob {
        let target = try conversation.map { text throws(Refusal) in try UploadField.target(text) }
        return PutBlob(size: length, type: type, name: name, target: target, hash: nil)
    }

    /// All of it has come: it becomes a blob, or is dropped. One that could not be written down stays, to be tried again.
    func partialWhole(_ whole: WholePartial) {
        let answer: BlobAnswer
        do throws(Refusal) {
            let (content, type) = try whole.outcome.get()
            do throws(Refusal) {
                guard let upload = partials[whole.id] else { throw .notFound }
                let put = try put(upload.length, upload.name, type, upload.conversation)
                answer = .stored(try enter(put, content, by: upload.owner, id: upload.id))
                settledBlobs.append(SettledBlob(content: content, isKept: true))
                partials.finish(upload.id, at: appended)
            } catch {
                settledBlobs.append(SettledBlob(content: content, isKept: isNeeded(content)))
                throw error
            }
        } catch {
            if error.code != .internal, error.code != .busy { drop(whole.id) }
            answer = .refused(error)
        }
        if let key = whole.connection { hold(.blobAnswered(key, answer), for: key) }
    }

    private func drop(_ id: BlobID) {
        partials.remove(id)
        settledPartials.append(id)
    }

    /// Files of uploads that are blobs for good.
    func forgetPartials() { settledPartials += partials.takeFinished(through: durable) }

    /// Once a second: lets go those whose time is over or whose account is gone.
    func expirePartials() {
        for upload in partials.look(100) {
            let isOver = upload.expires <= now || content.state.account(upload.owner) == nil
            if isOver { drop(upload.id) }
        }
    }

    /// Takes over what a former run has left, once, before anything is served.
    /// - Returns: whether it may go on.
    package func adopt(_ upload: PartialUpload, now: Timestamp) -> Bool {
        guard upload.expires > now, content.state.account(upload.owner) != nil, content.state.blob(upload.id) == nil,
            partials[upload.id] == nil
        else { return false }
        partials.add(upload)
        return true
    }
}
