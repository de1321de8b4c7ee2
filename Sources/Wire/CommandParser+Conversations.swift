import ChatModel

/// CREATE, JOIN, LEAVE and INVITE; CONVS, LIST, MEMBERS and HISTORY; SUB, UNSUB and SUBS. The caller checks that no
/// words are left.
extension CommandParser {
    static func membership(_ request: inout Request) throws(Refusal) -> Command {
        switch request.verb {
        case .create:
            let isPrivate = try request.flag(.isPrivate)
            let title = request.string(.title)
            return .create(Create(name: try request.newName(), isPrivate: isPrivate, title: title))
        case .join: return .join(try request.conversation())
        case .leave: return .leave(try request.conversation())
        default:
            let target = try request.conversation()
            return .invite(target, user: String(decoding: try request.words.argument("user"), as: UTF8.self))
        }
    }

    static func reading(_ request: inout Request) throws(Refusal) -> Command {
        switch request.verb {
        case .convs: return .conversations(try request.page())
        case .list:
            let page = try request.page()
            return .list(prefix: try prefix(&request), page)
        case .members:
            let page = try request.page()
            return .members(try request.conversation(), page)
        default:
            let (limit, direction) = (try request.limit(), try direction(request))
            return .history(History(target: try request.conversation(), direction: direction, limit: limit))
        }
    }

    /// The beginning of a name, without its `#`.
    private static func prefix(_ request: inout Request) throws(Refusal) -> String? {
        guard let word = try request.words.word() else { return nil }
        let name = word.first == 0x23 ? UnsafeRawBufferPointer(rebasing: word.dropFirst()) : word
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static func direction(_ request: Request) throws(Refusal) -> History.Direction {
        let (before, after) = (try request.position(.before), try request.position(.after))
        switch (before, after, try request.position(.around)) {
        case (nil, nil, nil): return .newest
        case (let position?, nil, nil): return .before(position)
        case (nil, let position?, nil): return .after(position)
        case (nil, nil, let position?): return .around(position)
        default:
            throw .badArg(request.has(.around) ? "around" : "after", "before=, after= or around=, only one of them")
        }
    }

    static func subscription(_ request: inout Request) throws(Refusal) -> Command {
        switch request.verb {
        case .subs: return .subscriptions
        case .unsub:
            if try request.flag(.all) { return .unsubscribeAll }
            if request.isAtCollection { return .unsubscribeItems(try request.collection()) }
            return .unsubscribe(try request.conversation())
        default:
            if try request.flag(.all) {
                if request.has(.last) { throw .badArg("last", "SUB all=yes takes since=TIME only") }
                return .subscribeAll(since: try request.time(.since))
            }
            let since = try request.number(.since, in: 0...UInt64.max)
            let last = try request.number(.last, in: 0...UInt64.max)
            if request.isAtCollection {
                if last != nil { throw .badArg("last", "a collection is heard from a seq on, or all of it") }
                return .subscribeItems(try request.collection(), since: since)
            }
            if since != nil, last != nil { throw .badArg("last", "since= or last=, not both") }
            let start: Subscribe.Start = since.map { .since($0) } ?? last.map { .last($0) } ?? .now
            return .subscribe(Subscribe(target: try request.conversation(), start: start))
        }
    }
}
