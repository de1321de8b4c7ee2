import ChatCore
import ChatModel

/// SEARCH: the engine checks the right and hands the lines out; a worker looks through them; the engine checks the right
/// again and copies what was found, as it reads by then.
extension Engine {
    /// Workers that look through lines at the same time, at least 1.
    package var searchWorkerCount: Int {
        get { searches.workerCount }
        set { searches.workerCount = max(1, newValue) }
    }

    /// Checks a search and lets it wait for a worker.
    /// - Throws: `Refusal` as of HISTORY; NOT-FOUND with `field=by`; BUSY.
    func search(_ search: Search, _ request: Request) throws(Refusal) -> Reply? {
        let account = try account(of: request.connection)
        guard case .conversation = try content.state.findAsMember(search.target, account) else { return Self.nothing }
        _ = try authors(of: search)
        let source = connection(request.connection).source
        try searches.add(SearchWait(request: request, search: search, account: account, source: source))
        handOutSearches()
        return nil
    }

    /// A worker is done.
    func searched(_ result: SearchResult) {
        guard let (job, wait) = searches.ended(result.id) else { return }
        answer(wait) { () throws(Refusal) in try self.finish(wait, job.filter, result) }
        handOutSearches()
    }

    /// The connection has gone.
    func dropSearch(_ key: ConnectionKey) { searches.drop(key) }

    private static var nothing: Reply { .done([.number("n", 0), .flag("more", false)]) }

    private func answer(_ wait: SearchWait, _ decide: () throws(Refusal) -> Reply?) {
        guard isOpen(wait.request.connection) else { return }
        do throws(Refusal) {
            if let reply = try decide() { send(reply, to: wait.request) }
        } catch {
            send(.refused(error), to: wait.request)
        }
    }

    private func handOutSearches() {
        while let wait = searches.next() {
            answer(wait) { () throws(Refusal) in try self.start(wait) }
        }
    }

    /// Makes the job of the lines there are now.
    private func start(_ wait: SearchWait) throws(Refusal) -> Reply? {
        guard let number = try find(wait) else { return Self.nothing }
        let job = SearchJob(
            id: searches.takeID(),
            pieces: content.timeline(number).pieces,
            seqs: seqs(of: wait, in: number),
            filter: MessageFilter(words: wait.search.words, authors: try authors(of: wait.search)),
            limit: wait.search.limit
        )
        searches.started(job, for: wait)
        searchJobs.append(job)
        return nil
    }

    /// Shows what a worker has found, so far as it is still there, still matches, and is still for whoever asked.
    private func finish(
        _ wait: SearchWait,
        _ filter: MessageFilter,
        _ result: SearchResult
    ) throws(Refusal) -> Reply? {
        guard let number = try find(wait) else { return Self.nothing }
        let timeline = content.timeline(number)
        let first = content.state.conversation(number).firstReadable(to: wait.account)
        let seqs = result.seqs.filter { seq in
            seq >= first && timeline.withLine(seq) { filter.matches($0, &searchScratch) } == true
        }
        let end = result.seqs.last ?? 0
        let more = result.more && end >= first
        guard seqs.isEmpty, more else {
            let (lines, count) = copy(seqs, of: number, for: wait.account)
            return .lines(lines, count: count, more: more)
        }
        var again = wait
        again.end = end
        searches.putBack(again)
        return nil
    }

    /// The conversation, with all that was checked when the search came; nil for a 1:1 without events.
    private func find(_ wait: SearchWait) throws(Refusal) -> ConversationNumber? {
        if isBlind { try checkNeedsNoState(wait.request.command) }
        guard try account(of: wait.request.connection) == wait.account else { throw .needAuth }
        switch try content.state.findAsMember(wait.search.target, wait.account) {
        case .conversation(let number): return number
        case .unopened: return nil
        }
    }

    /// The seqs that are looked at: of those that may be shown, those between `after=` and `before=`.
    private func seqs(of wait: SearchWait, in number: ConversationNumber) -> Range<Seq> {
        let timeline = content.timeline(number)
        var low = content.state.conversation(number).firstReadable(to: wait.account)
        var high = min(timeline.nextSeq, wait.end)
        switch wait.search.after {
        case .seq(let seq): low = max(low, seq < Seq.max ? seq + 1 : seq)
        case .time(let time):
            low = max(low, timeline.firstSeq(notBefore: Timestamp(milliseconds: time.milliseconds + 1)))
        case nil: break
        }
        switch wait.search.before {
        case .seq(let seq): high = min(high, seq)
        case .time(let time): high = min(high, timeline.firstSeq(notBefore: time))
        case nil: break
        }
        return low..<max(low, high)
    }

    /// The handles of `by=`, as lines have them; nil when it is not there.
    /// - Throws: `Refusal` NOT-FOUND.
    private func authors(of search: Search) throws(Refusal) -> [[UInt8]]? {
        guard let author = search.author else { return nil }
        guard let names = content.state.names(ofHandle: author) else {
            throw Refusal(.notFound, field: "by", Refusal.notFound.text)
        }
        return names.map { Array($0.utf8) }
    }
}
