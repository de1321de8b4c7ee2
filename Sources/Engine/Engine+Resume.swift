import ChatCore
import ChatModel

extension Engine {
    /// ADMIN RESUME: the host opens the journal again; whoever asks meanwhile hears of the same attempt.
    func requestResume(_ job: OperatorJob) -> Reply? {
        if readOnlyReason == nil { return .done([.flag("dup", true)]) }
        if resumeWaits.isEmpty { mustResume = true }
        resumeWaits.append(job.id)
        return nil
    }

    /// The journal is written again, or it is not.
    func journalResumed(_ outcome: ResumeOutcome) {
        let waits = resumeWaits
        resumeWaits = []
        switch outcome {
        case .failed(let reason):
            let refusal = Refusal(.internal, "the server stays read-only: \(reason)")
            for id in waits { answer(id, .refused(refusal)) }
        case .resumed(let recovered):
            (readOnlyReason, isBlind) = (nil, false)
            journalRun += 1
            if let recovered {
                takeOver(recovered)
                for loop in loops.indices { reopenLists(of: [], on: loop) }
            }
            synced = durable
            // The start may never have got to disk.
            commit(.ledger(.start(interval: isInterval)), together: false)
            if content.state.linkKey.isEmpty { commit(.ledger(.linkKey(randomness.bytes(32))), together: false) }
            resumeRetention()
            for id in waits { answer(id, .done([])) }
        }
    }

    /// Makes what the disk holds the content. Settings that were changed while it ran stay as they are.
    func use(_ recovered: Recovered) {
        recovered.content.state.limits = content.state.limits
        content = recovered.content
        content.state.noteRecovered(monotonic, wall: now)
    }

    /// What the disk holds takes the place of what was in memory.
    func takeOver(_ recovered: Recovered) {
        use(recovered)
        durable = max(durable, content.globalSequence)
        appended = durable
        forgetSnapshot()
        forgetUndurable()
        resumeErasures()
    }
}
