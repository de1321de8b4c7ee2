import Storage

/// What came of reading a journal.
enum Outcome: Equatable, CustomStringConvertible {
    /// The records up to `last` are there, and `cut` bytes from `offset` on were dropped and reported.
    case kept(last: UInt64, offset: Int, cut: Int)
    /// Refused, with the place.
    case damage(file: String, offset: Int)
    /// Anything else, which no test expects.
    case wrong(String)

    init(_ replay: Replay) {
        self = .kept(
            last: replay.last,
            offset: replay.cut.map { Int($0.offset) } ?? 0,
            cut: replay.cut.map { Int($0.byteCount) } ?? 0
        )
    }

    init(_ fault: JournalFault) {
        switch fault {
        case .damage(let file, let offset, let reason) where !reason.isEmpty:
            self = .damage(file: file, offset: Int(offset))
        // A bit of the version's digit is enough; the place is the first line.
        case .newerFormat(let file, _): self = .damage(file: file, offset: 0)
        default: self = .wrong(fault.description)
        }
    }

    var description: String {
        switch self {
        case .kept(let last, let offset, let cut): "kept through \(last), \(cut) bytes cut at \(offset)"
        case .damage(let file, let offset): "damage in \(file) at \(offset)"
        case .wrong(let what): "wrong: \(what)"
        }
    }
}

extension RecordMap {
    /// What must come of a segment that begins with the first `whole` records and then has something else, up to `size`
    /// bytes that are not zero; `intact` are the places of records that can still be read somewhere in it.
    ///
    /// Acknowledged is what an intact record says was on disk. When that reaches what would be dropped it is damage, at the
    /// first byte that is not as written; otherwise only what nobody ever heard of is cut.
    func outcome(whole: Int, size: Int, intact: some Sequence<Int>, file: String) -> Outcome {
        let flaw = whole < items.count ? items[whole].offset : end
        let dropped = groupStart(whole)
        let from = dropped < items.count ? items[dropped].offset : end
        let known = intact.reduce(first - 1) { max($0, items[$1].durable) }
        if known >= first + UInt64(dropped) { return .damage(file: file, offset: flaw) }
        let cut = max(0, size - from)
        return .kept(last: first + UInt64(dropped) - 1, offset: cut > 0 ? from : 0, cut: cut)
    }
}
