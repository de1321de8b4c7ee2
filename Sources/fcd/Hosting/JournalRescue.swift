import Engine
import Storage
import SystemIO

/// What happens when the journal has failed: the disk is read again, so that what is shown is what it holds, and it is
/// written again once the operator says so.
final class JournalRescue: Sendable {
    private struct Box { weak var journal: FileJournal? }

    /// The journal exists only after its callbacks; the host owns it.
    private let box = Lock(Box())
    private let recovery: Recovery
    private let directory: Directory
    /// Held while the snapshot's manifest is replaced and files are removed.
    private let isChanging: Lock<Void>
    private let log: Log
    private let post: @Sendable (EngineMail) -> Void

    /// - Parameters:
    ///   - directory: of the journal.
    ///   - post: carries mail to the engine.
    init(
        _ recovery: Recovery,
        directory: Directory,
        isChanging: Lock<Void>,
        log: Log,
        post: @escaping @Sendable (EngineMail) -> Void
    ) {
        (self.recovery, self.directory, self.isChanging) = (recovery, directory, isChanging)
        (self.log, self.post) = (log, post)
    }

    var journal: FileJournal? { box.withLock { (box: inout Box) -> FileJournal? in box.journal } }

    func watch(_ journal: FileJournal) { box.withLock { (box: inout Box) in box.journal = journal } }

    /// A write or sync has failed. On the journal's thread, which ends afterwards.
    func failed(_ fault: JournalFault) {
        log.error("journal", "nothing is written any more; reads go on", ["reason": fault.description])
        var recovered: Recovered?
        do throws(JournalFault) { recovered = try read() } catch {
            log.error("journal", "it cannot be read again", ["reason": error.description])
        }
        post(.journalFailed(reason: fault.description, recovered: recovered))
    }

    /// Opens the journal again, on a thread of its own.
    /// - Parameter isBlind: the content must be read, too.
    func resume(isBlind: Bool) {
        _ = SystemIO.Thread(name: "journal-resume") { [self] in
            let outcome: ResumeOutcome
            do throws(JournalFault) {
                let recovered = isBlind ? try read() : nil
                try journal?.resume()
                log.info("journal", "written again")
                outcome = .resumed(recovered)
            } catch {
                log.error("journal", "it cannot be written again", ["reason": error.description])
                outcome = .failed(error.description)
            }
            post(.journalResumed(outcome))
        }
    }

    /// What the disk holds up to the last durable record; nil when the daemon is ending.
    private func read() throws(JournalFault) -> Recovered? {
        guard let journal else { return nil }
        let outcome = isChanging.withLock { (_: inout Void) -> Result<Recovered, JournalFault> in
            do throws(JournalFault) {
                let manifest = try recovery.manifest(journalDirectory: directory)
                return .success(Recovered(try recovery.content(manifest, journal, through: journal.durable).content))
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
