import Bytes
import ChatCore
import ChatModel

extension Engine {
    /// The journal has failed: what was not durable is forgotten, state and lines are those of the disk, and from now on
    /// reads are served and writes are refused. Whoever waits for an undurable answer gets an ERR.
    func journalFailed(_ reason: String, _ recovered: Recovered?) {
        readOnlyReason = reason
        for loop in loops.indices {
            loops[loop].release(through: durable)
            for item in loops[loop].held.drain() {
                if case .reply(let key, let tag, _) = item.mail {
                    let refusal = Refusal(.internal, "not written to disk, so not done: \(reason)")
                    loops[loop].ready.append(.reply(key, tag, .refused(refusal)))
                }
            }
        }
        journalBatch.clear()
        dirty.removeAll()
        if let recovered { content = recovered.content }
        content.globalSequence = durable
        forgetUndurable()
    }

    /// Connections keep what is still true of them: their account, if the disk knows it, and their subscriptions.
    private func forgetUndurable() {
        for loop in loops.indices {
            for slot in loops[loop].connections.indices where loops[loop].connections[slot].isOpen {
                let connection = loops[loop].connections[slot]
                let key = ConnectionKey(loop: loop, slot: slot, generation: connection.generation)
                guard let account = connection.account else { continue }
                if content.state.account(account) == nil {
                    connectionsOf[account] = nil
                    loops[loop].connections[slot] = EngineConnection(
                        generation: connection.generation,
                        isOpen: true,
                        source: connection.source
                    )
                    loops[loop].ready.append(.endSession(key, reason: "the server could not write it down"))
                    continue
                }
                let kept = connection.subscriptions.filter { content.state.exists($0) }
                loops[loop].connections[slot].subscriptions = kept
            }
        }
    }
}
