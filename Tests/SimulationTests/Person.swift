import ChatCore
import ChatModel
import ChatTesting

@testable import Engine

/// Somebody who talks: knows what was answered, where reading stopped, and sends again what was not answered.
final class Person {
    enum Asked {
        case signUp, signIn, signOut
        case send(String, line: String)
        case subscribe(String, since: Int)
        case join(String, leaves: Int)
        case delete(String, Int)
        case changeItem(String)
        case subscribeItems(since: Int)
        case other
    }

    let name: String
    /// The sign-up was acknowledged.
    var isKnown = false
    var key: ConnectionKey?
    private(set) var isSignedIn = false
    var asked: [String: Asked] = [:]
    /// Requests with a nonce that nobody answered, to be sent again.
    var unanswered: [String] = []
    /// The last line heard of each conversation that was ever subscribed.
    private(set) var cursors: [String: Int] = [:]
    /// Messages of its own that were acknowledged.
    private(set) var sent: [(conversation: String, seq: Int, nonce: String)] = []
    /// Conversations that were joined, perhaps after having left; and those whose next line may be a later one.
    private var (hasCome, mayJump): (Set<String>, Set<String>) = ([], [])
    private(set) var subscribed: Set<String> = []
    /// What it knows of the items of `Play.collection`, by their ids, and the last change it heard.
    private(set) var items: [String: String] = [:]
    private(set) var itemSeq = 0
    private(set) var hearsItems = false
    /// Joined for sure, and not left since.
    var joined: Set<String> = ["#lobby"]
    /// Requests to leave, so that a join that was asked for before one does not count.
    private(set) var leaves = 0
    private var tags = 0

    init(_ name: String) { self.name = name }

    /// A line with a tag of its own, whose answer is waited for.
    func line(_ request: String, _ asked: Asked) -> String {
        tags += 1
        self.asked["t\(tags)"] = asked
        // Also unanswered it may happen.
        if case .join(let conversation, _) = asked { hasCome.insert(conversation) }
        return "@t\(tags) \(request)"
    }

    func willLeave(_ conversation: String) {
        joined.remove(conversation)
        leaves += 1
    }

    /// The connection has gone, and with it all answers.
    func cutOff() {
        for case .send(_, let line) in asked.sorted(by: { $0.key < $1.key }).map(\.value) { unanswered.append(line) }
        (key, isSignedIn, asked, subscribed) = (nil, false, [:], [])
        hearsItems = false
    }

    /// The log is another one: what was read means nothing any more, and sign-up and joins may be gone.
    func forget() {
        (cursors, joined, isKnown, unanswered, sent) = ([:], ["#lobby"], false, [], [])
        forgetItems()
    }

    private func forgetItems() { (items, itemSeq, hearsItems) = ([:], 0, false) }

    /// Looks at what arrived.
    func listen(_ clients: EngineClients, _ witness: Witness, _ content: Content) throws(Witness.Fault) {
        guard let key else { return }
        for reply in clients.take(key, \.replies) { try take(reply, witness) }
        for line in clients.take(key, \.events) { try hear(line, witness, content) }
        if clients[key]?.ended != nil { cutOff() }
    }

    private func take(_ reply: String, _ witness: Witness) throws(Witness.Fault) {
        let words = reply.words
        if words[0] == "ROW" {
            if words.contains("msg") { try seen(reply, witness) }
            return
        }
        guard words.count > 1, let asked = asked.removeValue(forKey: String(words[1].dropFirst())) else { return }
        let isGranted = words[0] == "OK"
        // The disk has failed, or this connection has signed out before.
        let mayTryAgain = words.contains("INTERNAL") || words.contains("NEED-AUTH")
        switch asked {
        case .signUp:
            if isGranted { (isKnown, isSignedIn) = (true, true) }
            if words.contains("EXISTS") { isKnown = true }
        case .signIn:
            isSignedIn = isGranted
            if !isGranted, !mayTryAgain { throw .init("\(name) cannot sign in again: \(reply)") }
        case .send(let nonce, let line):
            if isGranted {
                try witness.acknowledge(nonce, reply)
                sent.append((reply.value("conv") ?? "", reply.seq, nonce))
            } else if mayTryAgain {
                unanswered.append(line)
            }
        case .changeItem(let id):
            if isGranted, let rev = reply.value("rev").flatMap({ Int($0) }) { witness.acknowledge(item: id, rev: rev) }
        case .subscribeItems(let since):
            if isGranted { (hearsItems, itemSeq) = (true, since) } else if !mayTryAgain { forgetItems() }
        case .delete(let conversation, let seq): if isGranted { witness.deletes(conversation, seq) }
        case .subscribe(let conversation, let since):
            if isGranted {
                subscribed.insert(conversation)
                cursors[conversation] = since
                // Whoever came (back) into a private conversation reads from there on.
                if hasCome.contains(conversation) { mayJump.insert(conversation) }
            } else if joined.contains(conversation), !mayTryAgain {
                throw .init("\(name) is in \(conversation) and cannot read it: \(reply)")
            }
        case .join(let conversation, let leaves):
            if isGranted, leaves == self.leaves { joined.insert(conversation) }
        case .signOut: if isGranted { isSignedIn = false }
        case .other: break
        }
    }

    /// A row of HISTORY: the line that an event would be, and what stands under it.
    private func seen(_ row: String, _ witness: Witness) throws(Witness.Fault) {
        var words = row.words
        words[0] = "EV"
        words.removeAll { $0.hasPrefix("@") || $0.hasPrefix("react=") || $0.hasPrefix("mine=") }
        try witness.heard(words.joined(separator: " "))
    }

    /// An event: the next one of its conversation, and one that this person may hear.
    private func hear(_ line: String, _ witness: Witness, _ content: Content) throws(Witness.Fault) {
        if line.hasPrefix("EV gone coll=") { return forgetItems() }
        if line.hasPrefix("EV item ") { return try hearItem(line, witness) }
        try witness.heard(line)
        let conversation = line.value("conv") ?? ""
        let last = cursors[conversation] ?? 0
        let isNext = mayJump.remove(conversation) == nil ? line.seq == last + 1 : line.seq > last
        guard isNext else { throw .init("\(name) was at \(last) of \(conversation) and heard \(line)") }
        cursors[conversation] = line.seq
        if !Self.mayHear(name, line, content) { throw .init("\(name) may not hear \(line)") }
    }

    /// A change of an item: later than all before, and the same for everybody.
    private func hearItem(_ line: String, _ witness: Witness) throws(Witness.Fault) {
        guard line.seq > itemSeq else { throw .init("\(name) was at \(itemSeq) of the items and heard \(line)") }
        itemSeq = line.seq
        items[line.value("id") ?? ""] = line.value("op") == "put" ? line : nil
        try witness.heard(item: line)
    }

    /// Whether the line stands where this person was a member, by what the log itself says; in a public conversation also
    /// before the person came.
    private static func mayHear(_ name: String, _ line: String, _ content: Content) -> Bool {
        let conversations = content.state.conversations
        guard let conversation = conversations.first(where: { $0.name == line.value("conv") }) else { return false }
        // What was said in one that was dropped, and who was there, does not stand in its log any more.
        if conversation.number == .lobby || conversation.isDropped { return true }
        if conversation.isDirect { return conversation.name.dropFirst().split(separator: ",").contains { $0 == name } }
        let timeline = content.timeline(conversation.number)
        var since: Int?
        var until = 0
        for seq in 1..<timeline.nextSeq {
            var other = ""
            timeline.withLine(seq) { other = String(decoding: $0, as: UTF8.self) }
            let isPutOut =
                (other.hasPrefix("EV eject ") || other.hasPrefix("EV ban ")) && other.value("user") == name
            guard other.value("by") == name || isPutOut else { continue }
            if other.hasPrefix("EV create ") || other.hasPrefix("EV join ") { since = Int(seq) }
            if other.hasPrefix("EV leave ") || isPutOut, let begin = since {
                if conversation.isPrivate, begin <= line.seq, line.seq <= Int(seq) { return true }
                (since, until) = (nil, Int(seq))
            }
        }
        if let since { return !conversation.isPrivate || since <= line.seq }
        return !conversation.isPrivate && line.seq <= until
    }
}
