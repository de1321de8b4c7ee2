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

    /// An event was heard.
    func heard(_ line: String) throws(Fault) {
        guard let conversation = line.value("conv"), line.seq > 0 else { throw Fault("no place: \(line)") }
        lines += 1
        if let known = spoken[conversation]?[line.seq], known != line {
            throw Fault("two lines at one place: \(known) | \(line)")
        }
        spoken[conversation, default: [:]][line.seq] = line
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
        var found: [String: [Int: String]] = [:]
        var places: [String: Int] = [:]
        for conversation in content.state.conversations {
            let timeline = content.timeline(conversation.number)
            var (name, last) = ("", "")
            for seq in 1..<timeline.nextSeq {
                var line = ""
                timeline.withLine(seq) { line = String(decoding: $0, as: UTF8.self) }
                while line.hasSuffix("\n") { line.removeLast() }
                name = line.value("conv") ?? ""
                if line.seq != Int(seq) { throw Fault("at \(seq) stands \(line)") }
                let time = line.value("ts") ?? ""
                if time < last { throw Fault("time went back: \(line)") }
                last = time
                found[name, default: [:]][line.seq] = line
                if let nonce = line.words.last.map({ $0.filter { $0 != "\"" } }), nonce.hasPrefix("n-") {
                    places[nonce, default: 0] += 1
                }
            }
        }
        for (name, lines) in spoken.sorted(by: { $0.key < $1.key }) {
            for (seq, line) in lines.sorted(by: { $0.key < $1.key }) where found[name]?[seq] != line {
                throw Fault("it was heard: \(line) | now there is: \(found[name]?[seq] ?? "nothing")")
            }
        }
        for (nonce, sent) in acknowledged.sorted(by: { $0.key < $1.key }) {
            // A conversation of two has a name of its own for each of them, so only the text tells.
            if places[nonce] != 1 {
                throw Fault("\(nonce), acknowledged as \(sent), is there \(places[nonce] ?? 0) times")
            }
        }
        if let (nonce, count) = places.sorted(by: { $0.key < $1.key }).first(where: { $0.value > 1 }) {
            throw Fault("\(nonce) is there \(count) times")
        }
    }

    /// The log has a new identity: nothing is known of it.
    func forget() { (spoken, acknowledged) = ([:], [:]) }
}
