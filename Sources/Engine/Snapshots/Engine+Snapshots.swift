import ChatCore
import ChatModel

/// Snapshots as the engine makes them: in steps between other mail, shard by shard, each step a few hundred kilobytes or
/// a list of chunks, well below 5 ms. The writer asks for the next step when it has room, so that little waits in memory.
extension Engine {
    /// Whether a snapshot is being written.
    package var isSnapshotUnderWay: Bool { snapshots.pass != nil }

    /// Bytes that one step of a snapshot encodes before it lets others go on; whole objects, so it may be more.
    package var snapshotStepSize: Int {
        get { snapshots.stepSize }
        set { snapshots.stepSize = max(1, newValue) }
    }

    /// Something was written down since the last snapshot began.
    package var hasNewsForSnapshot: Bool { appended > snapshots.holdings.sequence }

    /// Begins a snapshot. One at a time: when one is under way, another follows it. `waiter` is answered when the snapshot
    /// that holds all that was decided before this is on disk.
    package func requestSnapshot(_ waiter: SnapshotWaiter?) {
        if let readOnlyReason {
            let refusal = Refusal(.internal, "the server is read-only: \(readOnlyReason)")
            return answer([waiter].compactMap { $0 }, .refused(refusal))
        }
        if snapshots.pass != nil {
            if let waiter {
                snapshots.laterWaiters.append(waiter)
                snapshots.isAnotherWanted = true
            }
            return
        }
        if let waiter { snapshots.waiters.append(waiter) }
        snapshots.pass = SnapshotProgress.Pass(
            accountCount: content.state.accountNumbers,
            conversationCount: content.state.conversations.count,
            collectionCount: content.state.collectionCount,
            sequence: appended,
            through: appended
        )
        snapshotWork.append(.begin(run: journalRun))
    }

    /// Does the next step of the snapshot under way.
    func stepSnapshot() {
        guard var pass = snapshots.pass, pass.stage != .finished else { return }
        snapshots.pass = nil
        step(&pass)
        snapshots.pass = pass
    }

    /// The writer is done, one way or the other.
    func snapshotEnded(_ outcome: SnapshotOutcome) {
        guard let pass = snapshots.pass else { return }
        snapshots.pass = nil
        let waiters = snapshots.waiters
        snapshots.waiters = snapshots.laterWaiters
        snapshots.laterWaiters = []
        switch outcome {
        case .written:
            snapshotTaken = monotonic
            snapshots.holdings = pass.holdings
            snapshots.holdings.sequence = pass.sequence
            for saved in pass.stretches {
                content.timelines[saved.conversation].stretches[saved.stretch].saved = saved.changes
            }
            answer(waiters, .done(rows: [], []))
        case .failed(let reason):
            forgetSnapshot()
            answer(waiters, .refused(Refusal(.internal, "the snapshot was not written: \(reason)")))
        }
        if snapshots.isAnotherWanted {
            snapshots.isAnotherWanted = false
            requestSnapshot(nil)
        }
    }

    /// The journal has failed: what is in memory is what the disk has, and nothing is written any more.
    func giveSnapshotUp(_ reason: String) {
        if snapshots.pass != nil { snapshotWork.append(.abandon) }
        let waiters = snapshots.waiters + snapshots.laterWaiters
        snapshots = SnapshotProgress(SnapshotHoldings(), stepSize: snapshots.stepSize)
        forgetSnapshot()
        answer(waiters, .refused(Refusal(.internal, "the snapshot was not written: \(reason)")))
    }

    /// After a failure nobody knows for sure which files count on the disk: the next snapshot writes all anew.
    func forgetSnapshot() {
        snapshots.holdings = SnapshotHoldings()
        for index in content.timelines.indices { content.timelines[index].forgetFiles() }
    }

    private func answer(_ waiters: [SnapshotWaiter], _ reply: Reply) {
        for waiter in waiters {
            if waiter.holdsFiles {
                holdFiles(waiter)
            } else {
                hold(.reply(waiter.connection, waiter.tag, reply), for: waiter.connection)
            }
        }
    }
}
