import ChatModel

/// A backup copies files that the daemon would remove: the engine has the writer of snapshots keep them for as long as the
/// operator's connection lasts.
extension Engine {
    /// Begins a backup: with a snapshot, so that little journal is to be copied and nothing that was erased before. Where
    /// none can be written what is on disk suffices, also when the server is read-only.
    func requestBackup(_ waiter: SnapshotWaiter) {
        let isSnapshotUseful = isSnapshotUnderWay || hasNewsForSnapshot
        if readOnlyReason == nil, isSnapshotUseful { requestSnapshot(waiter) } else { holdFiles(waiter) }
    }

    /// Asks the writer of snapshots to remove nothing.
    func holdFiles(_ waiter: SnapshotWaiter) {
        guard isOpen(waiter.connection) else { return }
        change(waiter.connection) { $0.holdsFiles = true }
        fileHolders.insert(waiter.connection)
        snapshotWork.append(.hold(waiter))
    }

    /// Nothing is removed from now on. All that was answered before this is at or below the position in the answer, which
    /// leaves when the journal is on disk up to there.
    func backupMayBegin(_ waiter: SnapshotWaiter) {
        let reply = Reply.done([.number("through", appended)])
        hold(.reply(waiter.connection, waiter.tag, reply), for: waiter.connection)
    }
}
