import ChatCore
import ChatModel

@testable import Engine

/// What anybody was ever told, and what follows from it: the invariants of a server that loses nothing.
final class Witness {
    struct Fault: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    struct Sent: Equatable {
        let conversation: String
        let seq: Int
    }

    /// Lines that somebody heard, by conversation and seq.
    private var spoken: [String: [Int: String]] = [:]
    /// Messages that were acknowledged, by their nonce, which their text ends with.
    private(set) var acknowledged: [String: Sent] = [:]
    private(set) var lines = 0
    /// Changes of items that somebody heard, and the newest of each item that somebody was told of.
    private var itemLines: [Int: String] = [:]
    private var itemRevs: [String: Int] = [:]
    /// The same of the round that goes on.
    private var justSpoken: [String: [Int: String]] = [:]
    private var justDeleted: [String: Set<Int>] = [:]
    /// Messages that were taken away, and those that may have been.
    private var deleted: [String: Set<Int>] = [:]
    private var maybeDeleted: Set<String> = []

    /// An event was heard.
    func heard(_ line: String) throws(Fault) {
        guard let conversation = line.value("conv"), line.seq > 0 else { throw Fault("no place: \(line)") }
        lines += 1
        if let known = spoken[conversation]?[line.seq], known != line, !Self.became(known, line) {
            throw Fault("two lines at one place: \(known) | \(line)")
        }
        if let known = justSpoken[conversation]?[line.seq], known != line, !Self.became(known, line) {
            guard Self.became(line, known) else { throw Fault("two lines at one place: \(known) | \(line)") }
            return
        }
        if deleted[conversation]?.contains(line.seq) == true, line.hasPrefix("EV msg "), line.value("deleted") == nil {
            throw Fault("it was taken away, and heard: \(line)")
        }
        justSpoken[conversation, default: [:]][line.seq] = line
    }

    /// A change of an item was heard.
    func heard(item line: String) throws(Fault) {
        lines += 1
        if let known = itemLines[line.seq], known != line {
            throw Fault("two changes at one place: \(known) | \(line)")
        }
        itemLines[line.seq] = line
        acknowledge(item: line.value("id") ?? "", rev: line.seq)
    }

    /// A change of an item was acknowledged.
    func acknowledge(item id: String, rev: Int) { itemRevs[id] = max(itemRevs[id] ?? 0, rev) }

    /// No item is older than anybody was told, and what was heard stands as it was heard.
    private func checkItems(_ content: Content) throws(Fault) {
        guard let collection = content.state.collections.first(where: { $0.name == Play.collection }) else {
            if let told = itemRevs.first { throw Fault("the item \(told) is not there") }
            return
        }
        for (id, rev) in itemRevs.sorted(by: { $0.key < $1.key }) {
            guard let item = collection.item(id) else {
                if Int(collection.goneThrough) >= rev { continue }
                throw Fault("the item \(id) was told of at \(rev) and is not there")
            }
            guard Int(item.seq) >= rev else {
                throw Fault("the item \(id) was told of at \(rev) and is at \(item.seq)")
            }
            let line = content.itemLog(collection.number).withLine(item.seq) { String(decoding: $0, as: UTF8.self) }
            if let known = itemLines[Int(item.seq)], known != line {
                throw Fault("the item \(id) was heard: \(known) | now there is: \(line ?? "nothing")")
            }
        }
    }

    /// Everybody listens anew. What leaves at the same moment was decided at several, and is heard in no order: so a line
    /// and what became of it may be heard in either order in one round, and in none in two.
    func beginRound() {
        for (conversation, lines) in justSpoken { spoken[conversation, default: [:]].merge(lines) { $1 } }
        for (conversation, seqs) in justDeleted { deleted[conversation, default: []].formUnion(seqs) }
        (justSpoken, justDeleted) = ([:], [:])
    }

    /// Somebody asked for a message to be taken away: whether it is there is not known any more.
    func willDelete(_ conversation: String, _ seq: Int) { maybeDeleted.insert("\(conversation) \(seq)") }

    /// It was acknowledged: nobody hears the text from now on.
    func deletes(_ conversation: String, _ seq: Int) { justDeleted[conversation, default: []].insert(seq) }

    /// Whether a line may read like this after an edit or a deletion.
    private static func became(_ old: String, _ new: String) -> Bool {
        let keys = ["conv", "seq", "ts", "by"]
        guard old.words.prefix(2) == new.words.prefix(2), keys.allSatisfy({ old.value($0) == new.value($0) }) else {
            return false
        }
        switch new.words[1] {
        // A later edit or a deletion; never back.
        case "msg":
            if old.value("deleted") != nil { return false }
            let before = old.value("edited").flatMap { Int($0) } ?? 0
            return new.value("deleted") != nil || new.value("edited").flatMap { Int($0) } ?? 0 > before
        case "edit": return new.value("text") == nil
        default: return false
        }
    }

    /// A message was acknowledged.
    func acknowledge(_ nonce: String, _ reply: String) throws(Fault) {
        let sent = Sent(conversation: reply.value("conv") ?? "", seq: reply.seq)
        if let known = acknowledged[nonce], known != sent {
            throw Fault("\(nonce) was acknowledged twice: \(known), \(sent)")
        }
        acknowledged[nonce] = sent
    }

    /// Compares with what a start has found: everything spoken is there, unchanged, in order, and once.
    func check(_ content: Content) throws(Fault) {
        beginRound()
        try checkItems(content)
        var found: [String: [Int: String]] = [:]
        var places: [String: Int] = [:]
        // What was said in conversations that were dropped is gone, up to the drop.
        var gone: [String: Int] = [:]
        for conversation in content.state.conversations {
            let timeline = content.timeline(conversation.number)
            var (name, last) = ("", "")
            if conversation.isDropped { gone[conversation.name] = Int(timeline.nextSeq) - 1 }
            for seq in (conversation.isDropped ? timeline.nextSeq - 1 : 1)..<timeline.nextSeq {
                var line = ""
                timeline.withLine(seq) { line = String(decoding: $0, as: UTF8.self) }
                while line.hasSuffix("\n") { line.removeLast() }
                name = line.value("conv") ?? ""
                if line.seq != Int(seq) { throw Fault("at \(seq) stands \(line)") }
                let time = line.value("ts") ?? ""
                if time < last { throw Fault("time went back: \(line)") }
                last = time
                found[name, default: [:]][line.seq] = line
                if line.hasPrefix("EV msg "), deleted[name]?.contains(Int(seq)) == true, line.value("deleted") == nil {
                    throw Fault("it was taken away, and is there: \(line)")
                }
                if line.hasPrefix("EV msg "), line.value("deleted") == nil,
                    let nonce = line.words.last.map({ $0.filter { $0 != "\"" } }), nonce.hasPrefix("n-")
                {
                    places[nonce, default: 0] += 1
                }
            }
        }
        for (name, lines) in spoken.sorted(by: { $0.key < $1.key }) {
            for (seq, line) in lines.sorted(by: { $0.key < $1.key })
            where found[name]?[seq] != line && seq >= gone[name] ?? 0 {
                if let now = found[name]?[seq], Self.became(line, now) { continue }
                throw Fault("it was heard: \(line) | now there is: \(found[name]?[seq] ?? "nothing")")
            }
        }
        for (nonce, sent) in acknowledged.sorted(by: { $0.key < $1.key }) {
            // A conversation of two has a name of its own for each of them, so only the text tells.
            let isGone =
                maybeDeleted.contains("\(sent.conversation) \(sent.seq)") || sent.seq < gone[sent.conversation] ?? 0
            if places[nonce] != 1, !isGone || places[nonce] != nil {
                throw Fault("\(nonce), acknowledged as \(sent), is there \(places[nonce] ?? 0) times")
            }
        }
        if let (nonce, count) = places.sorted(by: { $0.key < $1.key }).first(where: { $0.value > 1 }) {
            throw Fault("\(nonce) is there \(count) times")
        }
    }

    /// The log has a new identity: nothing is known of it.
    func forget() {
        beginRound()
        (spoken, acknowledged, deleted, maybeDeleted) = ([:], [:], [:], [])
        (itemLines, itemRevs) = ([:], [:])
    }
}
