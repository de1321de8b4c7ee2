import Storage
import SystemIO

/// Lets the journal's callbacks find the journal, which exists only after them. Holds it weakly: the host owns it.
final class JournalLink: Sendable {
    private struct Box { weak var journal: FileJournal? }
    private let box = Lock(Box())

    var journal: FileJournal? { box.withLock { (box: inout Box) -> FileJournal? in box.journal } }

    func set(_ journal: FileJournal) { box.withLock { (box: inout Box) in box.journal = journal } }
}
