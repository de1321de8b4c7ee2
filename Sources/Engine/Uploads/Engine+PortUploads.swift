import ChatCore
import ChatModel
import Wire

/// Files that come by HTTP (protocol.md, The blob port). Connections there are none of the engine's: what speaks for an
/// account is the token of each request.
extension Engine {
    /// Whose a token is: of a session, or of TOKEN; nil when it is good for nothing.
    func holder(of token: TokenHash) -> AccountNumber? {
        guard let number = content.state.owner(of: token), !isExpired(token, of: number),
            let account = content.state.account(number), !account.isDisabled
        else { return nil }
        return number
    }

    /// What all uploads of an account that are under way will cost of its quota.
    func pendingBytes(of account: AccountNumber) -> UInt64 {
        var all = connectionsOf[account, default: []].map { connection($0).uploading }
        all += portUploads.values.filter { $0.account == account }.map(\.charge)
        all.append(partials.bytes(of: account))
        return all.reduce(0) { sum, charge in
            let (next, overflow) = sum.addingReportingOverflow(charge)
            return overflow ? .max : next
        }
    }

    func answerUpload(_ question: BlobQuestion, for key: ConnectionKey) -> BlobAnswer {
        do throws(Refusal) {
            switch question {
            case .upload(let upload, let token): return try beginUpload(upload, token, key)
            case .makePartial(let plan, let token): return try makePartial(plan, token)
            case .findPartial(let id, let token): return try findPartial(id, token)
            case .endPartial(let id, let token): return try endPartial(id, token)
            case .health, .read, .follow, .metrics, .limit: return .notFound
            }
        } catch {
            return error.code == .badAuth ? .badToken : .refused(error)
        }
    }

    /// The account that a token lets send.
    /// - Throws: `Refusal` BAD-AUTH, or DENIED for a token that is for something else.
    func sender(_ token: TokenHash) throws(Refusal) -> AccountNumber {
        if isBlind { throw Refusal(.internal, "the journal failed and cannot be read: \(readOnlyReason ?? "")") }
        guard let account = holder(of: token) else { throw .badAuth }
        if let scope = content.state.token(token, of: account)?.scope, !scope.contains(.send) {
            throw .denied("this token is not for that")
        }
        return account
    }

    private func beginUpload(
        _ upload: PortUpload,
        _ token: TokenHash,
        _ key: ConnectionKey
    ) throws(Refusal) -> BlobAnswer {
        let account = try sender(token)
        let pending = pendingBytes(of: account)
        try content.state.checkUpload(upload.put, by: account, pending: pending)
        try checkWritable()
        let limit = UInt64(clamping: content.state.limits.blob)
        var (most, charge) = (upload.put.size, upload.put.charge)
        var beyond = Refusal.tooBig(limit: limit, got: nil)
        if !upload.isSizeKnown {
            let (taken, quota) = (content.state.account(account)?.blobBytes ?? 0, content.state.limits.quota)
            let room = UInt64(clamping: quota).subtractingSaturating(taken).subtractingSaturating(pending)
            most = min(limit, room)
            charge = BlobCharge.of(most)
            if room < limit { beyond = .quota(used: taken, quota: quota) }
        }
        portUploads[key] = PortReservation(account: account, token: token, charge: charge)
        return .mayUpload(most: most, beyond: beyond)
    }

    /// The bytes of a file that came by HTTP are on disk, or were refused.
    func stored(_ upload: StoredUpload, _ reservation: PortReservation) {
        let answer: BlobAnswer
        do throws(Refusal) {
            let hash = try upload.outcome.get()
            do throws(Refusal) {
                // The token may have been ended meanwhile.
                guard try sender(reservation.token) == reservation.account else { throw .badAuth }
                answer = .stored(try enter(upload.request, hash, by: reservation.account))
                settledBlobs.append(SettledBlob(content: hash, isKept: true))
            } catch {
                settledBlobs.append(SettledBlob(content: hash, isKept: isNeeded(hash)))
                throw error
            }
        } catch {
            answer = error.code == .badAuth ? .badToken : .refused(error)
        }
        hold(.blobAnswered(upload.connection, answer), for: upload.connection)
    }

    var metrics: EngineMetrics {
        let uploading = loops.reduce(0) { $0 + $1.connections.count { $0.isOpen && $0.uploading > 0 } }
        return EngineMetrics(
            vitals: vitals,
            messagesSent: messagesSent,
            blobs: content.state.blobCount,
            blobBytes: content.state.blobBytes,
            uploads: uploading + portUploads.count,
            partials: partials.count,
            snapshotAge: UInt64(clamping: (monotonic.milliseconds - snapshotTaken.milliseconds) / 1000)
        )
    }
}

extension UInt64 {
    fileprivate func subtractingSaturating(_ other: UInt64) -> UInt64 { other > self ? 0 : self - other }
}
