import Bytes
import ChatCore
import ChatModel
import Persistence

/// One step of a snapshot: a shard, or a part of a large one.
extension Engine {
    /// Files kept or written in one step.
    private static let stepFiles = 1000

    func step(_ pass: inout SnapshotProgress.Pass) {
        // A snapshot knows nothing that the journal does not.
        writeMarkers()
        pass.through = max(pass.through, appended)
        var (size, files) = (0, 0)
        while pass.stage != .finished, size < snapshots.stepSize, files < Self.stepFiles {
            switch pass.stage {
            case .server: size += stepServer(&pass)
            case .accounts: size += stepAccounts(&pass)
            case .conversations: size += stepConversations(&pass)
            case .collections: size += stepCollections(&pass)
            case .timelines: size += stepTimelines(&pass)
            case .items: size += stepItems(&pass)
            case .finished: break
            }
            files += 1
        }
        if pass.stage == .finished {
            snapshotWork.append(
                .finish(logID: content.state.logID, sequence: pass.sequence, through: pass.through)
            )
        }
    }

    func keep(_ part: SnapshotPart, _ pass: inout SnapshotProgress.Pass) {
        snapshotWork.append(.keep(part, holds: appended))
        pass.holdings.note(part, holds: appended)
    }

    func close(_ part: SnapshotPart, _ pass: inout SnapshotProgress.Pass) {
        // Not what was appended since: what was made meanwhile belongs to the shard and is not in the file.
        snapshotWork.append(.close(holds: pass.sequence))
        pass.holdings.note(part, holds: pass.sequence)
        (pass.isOpen, pass.object) = (false, 0)
    }

    private func stepServer(_ pass: inout SnapshotProgress.Pass) -> Int {
        (pass.stage, pass.shard) = (.accounts, 0)
        let held = snapshots.holdings.server
        if held > 0, content.state.snapshotMarks.server <= held {
            keep(.server, &pass)
            return 0
        }
        var out = ByteBuffer(capacity: 256)
        ServerSnapshot(content.state).encode(into: &out)
        let size = out.count
        snapshotWork += [.open(.server), .bytes(SnapshotBytes(out))]
        close(.server, &pass)
        return size
    }

    private func stepAccounts(_ pass: inout SnapshotProgress.Pass) -> Int {
        let first = pass.shard * SnapshotMarks.accountsPerShard
        if first >= pass.accountCount {
            (pass.stage, pass.shard) = (.conversations, 0)
            return 0
        }
        let mark = content.state.snapshotMarks.accounts(shard: pass.shard)
        return stepShard(
            .accounts(pass.shard),
            first..<min(pass.accountCount, first + SnapshotMarks.accountsPerShard),
            isCurrent: SnapshotHoldings.isCurrent(snapshots.holdings.accounts, pass.shard, mark: mark),
            &pass,
            begin: AccountCodec.begin,
            end: AccountCodec.end
        ) { encodeAccount($0, isFirst: $1, &$2) }
    }

    /// - Returns: false where nothing is written down of the account.
    private func encodeAccount(_ index: Int, isFirst: Bool, _ out: inout ByteBuffer) -> Bool {
        let number = AccountNumber(UInt32(clamping: index + 1))
        if let account = content.state.account(number) {
            guard account.isRecorded else { return false }
            if !isFirst { AccountCodec.separate(&out) }
            let uploads = content.state.uploads(of: account)
            AccountCodec.encode(
                account,
                at: appended,
                oldest: content.state.oldestNonce,
                uploads: uploads,
                into: &out
            )
        } else {
            guard let handle = content.state.expiredHandles[number] else { return false }
            if !isFirst { AccountCodec.separate(&out) }
            AccountCodec.encode(expired: handle, number, at: appended, into: &out)
        }
        return true
    }

    private func stepConversations(_ pass: inout SnapshotProgress.Pass) -> Int {
        let first = pass.shard * SnapshotMarks.conversationsPerShard
        if first >= pass.conversationCount {
            (pass.stage, pass.shard) = (.collections, 0)
            return 0
        }
        let mark = content.state.snapshotMarks.conversations(shard: pass.shard)
        return stepShard(
            .conversations(pass.shard),
            first..<min(pass.conversationCount, first + SnapshotMarks.conversationsPerShard),
            isCurrent: SnapshotHoldings.isCurrent(snapshots.holdings.conversations, pass.shard, mark: mark),
            &pass,
            begin: ConversationCodec.begin,
            end: ConversationCodec.end
        ) { index, isFirst, out in
            if !isFirst { ConversationCodec.separate(&out) }
            let number = ConversationNumber(UInt32(clamping: index + 1))
            ConversationCodec.encode(content.state.conversation(number), at: appended, into: &out)
            return true
        }
    }

    /// Keeps the shard's file when it is current, else encodes its objects until the step is full or they end.
    /// - Parameter encode: appends the object, behind a separator unless it is the file's first; false when there is none.
    /// - Returns: bytes encoded.
    func stepShard(
        _ part: SnapshotPart,
        _ objects: Range<Int>,
        isCurrent: Bool,
        _ pass: inout SnapshotProgress.Pass,
        begin: (inout ByteBuffer) -> Void,
        end: (inout ByteBuffer) -> Void,
        encode: (_ index: Int, _ isFirst: Bool, inout ByteBuffer) -> Bool
    ) -> Int {
        if !pass.isOpen, isCurrent {
            keep(part, &pass)
            pass.shard += 1
            return 0
        }
        var out = ByteBuffer(capacity: 4096)
        if !pass.isOpen {
            (pass.isOpen, pass.encoded) = (true, 0)
            snapshotWork.append(.open(part))
            begin(&out)
        }
        while objects.lowerBound + pass.object < objects.upperBound, out.count < snapshots.stepSize {
            if encode(objects.lowerBound + pass.object, pass.encoded == 0, &out) { pass.encoded += 1 }
            pass.object += 1
        }
        let isWhole = objects.lowerBound + pass.object >= objects.upperBound
        if isWhole {
            end(&out)
            pass.shard += 1
        }
        return emit(out, closing: isWhole ? part : nil, &pass)
    }

    func emit(
        _ out: consuming ByteBuffer,
        closing part: SnapshotPart?,
        _ pass: inout SnapshotProgress.Pass
    ) -> Int {
        let size = out.count
        snapshotWork.append(.bytes(SnapshotBytes(out)))
        if let part { close(part, &pass) }
        return size
    }

    /// The lines of one shard's conversations, by their chunks: those of stretches, then the tails together.
    private func stepTimelines(_ pass: inout SnapshotProgress.Pass) -> Int {
        let first = pass.shard * SnapshotMarks.tailsPerShard
        if first >= pass.conversationCount {
            (pass.stage, pass.shard) = (.items, 0)
            return 0
        }
        let range = first..<min(pass.conversationCount, first + SnapshotMarks.tailsPerShard)
        let part = SnapshotPart.tails(pass.shard)
        let mark = content.state.snapshotMarks.tails(shard: pass.shard)
        let isCurrent = SnapshotHoldings.isCurrent(snapshots.holdings.tails, pass.shard, mark: mark)
        if !isCurrent, let looked = settleGone(range) { return looked }
        for index in range { stepStretches(index, isCurrent: isCurrent, &pass) }
        pass.shard += 1
        if isCurrent {
            keep(part, &pass)
            return 0
        }
        snapshotWork.append(.open(part))
        var head = ByteBuffer(capacity: 64)
        LineCodec.begin(&head)
        snapshotWork.append(.bytes(SnapshotBytes(head)))
        for index in range {
            let (timeline, kept) = (content.timelines[index], content.state.conversations[index].firstSeq)
            append(index, timeline.tailSeq(from: kept), timeline.nextSeq - 1, kept: kept, isFirst: index == first)
        }
        var tail = ByteBuffer(capacity: 64)
        LineCodec.end(&tail)
        snapshotWork.append(.bytes(SnapshotBytes(tail)))
        close(part, &pass)
        return max(1, snapshots.stepSize / 8)
    }

    private func stepStretches(_ index: Int, isCurrent: Bool, _ pass: inout SnapshotProgress.Pass) {
        let number = ConversationNumber(UInt32(clamping: index + 1))
        if !isCurrent {
            let kept = content.state.conversations[index].firstSeq
            content.timelines[index].trimStretches(below: kept)
            content.timelines[index].seal(from: kept)
        }
        for (place, stretch) in content.timelines[index].stretches.enumerated() {
            let part = SnapshotPart.stretch(number, stretch.first)
            if stretch.saved == stretch.changes {
                keep(part, &pass)
                continue
            }
            snapshotWork.append(.open(part))
            var head = ByteBuffer(capacity: 64)
            var tail = ByteBuffer(capacity: 64)
            LineCodec.begin(&head)
            LineCodec.end(&tail)
            snapshotWork.append(.bytes(SnapshotBytes(head)))
            append(index, stretch.first, stretch.last, isFirst: true)
            snapshotWork.append(.bytes(SnapshotBytes(tail)))
            snapshotWork.append(.close(holds: pass.sequence))
            pass.stretches.append((index, place, stretch.changes))
        }
    }

    /// Before lines are written, nothing may be left in them of what is gone.
    /// - Returns: nil when there is nothing; else how many bytes were looked at, and the rest is for the next step.
    private func settleGone(_ conversations: Range<Int>) -> Int? {
        var looked = 0
        for index in conversations where content.timelines[index].settled < content.state.conversations[index].firstSeq
        {
            let number = ConversationNumber(UInt32(clamping: index + 1))
            looked += settleGone(
                number,
                through: content.state.conversations[index].firstSeq,
                budget: snapshots.stepSize
            )
            if looked >= snapshots.stepSize { return looked }
        }
        return nil
    }

    private func append(_ index: Int, _ first: Seq, _ last: Seq, kept: Seq? = nil, isFirst: Bool) {
        let (chunks, skipping) = content.timelines[index].chunks(from: first, through: last)
        snapshotWork.append(
            .lines(
                LineRun(
                    conversation: ConversationNumber(UInt32(clamping: index + 1)),
                    first: first,
                    kept: kept,
                    isFirst: isFirst,
                    chunks: chunks,
                    skipping: skipping
                )
            )
        )
    }
}
