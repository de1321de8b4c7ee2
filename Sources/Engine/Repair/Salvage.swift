import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

/// Builds the content from what is left of a damaged journal, over the snapshot before it.
///
/// The records come twice: first `note` hears of all of them, to learn names; then `take` gets them in order, with how
/// many are missing in front of each. What is lost of a conversation leaves the event `lost` in its place as soon as a
/// later event shows that it was there. A record that refers to something lost is kept when that can be made up for, and
/// set aside otherwise. Never fails.
package struct Salvage {
    package internal(set) var content: Content
    package internal(set) var report = SalvageReport()
    var hints = SalvageHints()
    /// Records that are gone or set aside and have no place yet: no more `lost` events are made than there are of these,
    /// whatever a record claims.
    var unplaced: UInt64 = 0

    /// - Parameter content: what the snapshot holds; nothing, without one or when `restore` follows.
    package init(_ content: Content) { self.content = content }

    var state: State { content.state }

    /// Learns the names in a payload.
    package mutating func note(_ payload: UnsafeRawBufferPointer) {
        if ItemPayload.isItem(payload), let item = try? ItemPayload(payload) { return hints.note(item) }
        guard EventPayload.isEvent(payload), let event = try? EventPayload(payload) else { return }
        hints.note(event)
    }

    /// Applies a record, if it still means anything.
    /// - Parameters:
    ///   - isTorn: it belongs together with one that is gone.
    ///   - missing: records that are gone between the one before and this one.
    package mutating func take(
        _ payload: UnsafeRawBufferPointer,
        globalSequence: UInt64,
        isTorn: Bool,
        missing: UInt64
    ) {
        unplaced += missing
        state.position = globalSequence
        if ItemPayload.isItem(payload) {
            takeItem(payload, globalSequence, isTorn: isTorn)
        } else if EventPayload.isEvent(payload) {
            takeEvent(payload, globalSequence, isTorn: isTorn)
        } else {
            takeEntry(payload, globalSequence, isTorn: isTorn)
        }
    }

    private mutating func takeEntry(_ payload: UnsafeRawBufferPointer, _ globalSequence: UInt64, isTorn: Bool) {
        do throws(RecordFault) {
            guard case .ledger(let entry) = try JournalPayload.decode(payload, state) else { return }
            if let reason = obstacle(to: entry, isTorn: isTorn) { throw RecordFault(reason) }
            try content.replay(payload, globalSequence: globalSequence)
        } catch {
            setAside(globalSequence, error.reason)
        }
    }

    /// Why a ledger entry cannot be kept; nil when it can.
    private mutating func obstacle(to entry: LedgerEntry, isTorn: Bool) -> String? {
        // Only a session needs what it belongs together with: that the code it was opened with is spent.
        if isTorn, case .session = entry { return Self.torn }
        switch entry {
        case .account(let record), .link(let record):
            let owner = state.account(handleKey: NameFolding.key(of: record.handle))
            guard owner == nil || owner == record.number else { return "an account whose handle another one has" }
            if case .account = entry { return nil }
        default: break
        }
        if case .collection(let record) = entry, let reason = makeCollections(below: record.number) { return reason }
        guard let account = entry.account, !ensure(account) else { return nil }
        return "about account \(account.raw), of which nothing is left"
    }

    static let torn = "it belongs together with a record that is gone"

    mutating func setAside(
        _ globalSequence: UInt64,
        _ reason: String,
        _ conversation: ConversationNumber? = nil,
        _ seq: Seq? = nil
    ) {
        unplaced += 1
        report.asides.append(
            .init(globalSequence: globalSequence, conversation: conversation, seq: seq, reason: reason)
        )
    }

    /// The end, after the last record: makes everything agree, and gives the log its new identity.
    /// - Parameters:
    ///   - sequence: the last global sequence that was on disk.
    ///   - logID: the new identity.
    /// - Throws: `RecordFault` when events and lines do not agree, which would be a bug.
    package mutating func finish(sequence: UInt64, logID: String) throws(RecordFault) -> Content {
        state.position = sequence
        for number in report.lost.keys.sorted() {
            guard let heir = state.succeedMissingOwner(of: number) else { continue }
            report.rebuilt.append(.owner(number, heir))
        }
        accountForReferences()
        state.retainAll()
        state.apply(.log(id: logID))
        state.apply(.stop)
        content.globalSequence = sequence
        state.clampReadMarkers()
        agreeOnItems()
        try content.finishRecovery()
        state.spareBlobs()
        content.forgetSnapshot()
        return content
    }
}

extension LedgerEntry {
    /// The account that must be there for the entry to mean anything.
    fileprivate var account: AccountNumber? {
        switch self {
        case .log, .nonceKey, .linkKey, .start, .stop, .account, .setting, .invite, .spendInvite, .metricsToken,
            .addressBan, .retain,
            .retainByDefault, .trim, .collection, .schema, .forgetItems:
            nil
        case .token(let number, _), .endToken(let number, _), .profile(let number, _), .email(let number, _),
            .verified(let number, _), .block(let number, _, _), .marker(let number, _, _), .erasing(let number),
            .erased(let number):
            number
        case .link(let record): record.number
        case .session(let number, _), .endSession(let number, _), .endSessions(let number), .expire(let number),
            .disabled(let number, _), .reset(let number, _), .spendCode(let number), .password(let number, _):
            number
        case .blob(let record): record.owner
        case .endBlob(let number, _), .endLinks(let number, _, _): number
        }
    }
}
