import ChatModel
import Engine

/// A cursor table with room to gather into, as a loop has it.
final class Reader {
    let table = CursorTable()
    private let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 17, alignment: 16)

    deinit { room.deallocate() }

    /// One record for `owner`.
    func record(_ owner: Int, used: Int = 0) -> [UInt8] {
        let count = table.gather(owner, into: room, used: used)
        return Array(UnsafeRawBufferPointer(start: room + used, count: count))
    }

    /// Everything there is for `owner`, record by record.
    func all(_ owner: Int) -> [UInt8] {
        var all: [UInt8] = []
        while table.isBehind(owner) {
            let record = record(owner)
            if record.isEmpty { break }
            all += record
        }
        return all
    }
}

/// The engine's side of one conversation: lines in, mail out.
struct Speaker {
    let number: ConversationNumber
    var timeline = Timeline()
    /// All lines ever said, in order.
    var lines: [[UInt8]] = []
    /// How a line begins that tells who was overtaken; nobody is told without it.
    var notice: [UInt8] = []
    private(set) var kept: Seq = 1

    init(_ number: UInt32 = 1) { self.number = ConversationNumber(number) }

    /// Says a line, given with its LF.
    mutating func say(_ line: [UInt8]) {
        line.dropLast().withUnsafeBytes { timeline.append($0) }
        lines.append(line)
    }

    /// A line of exactly `count` bytes with its LF that tells its conversation and its number.
    mutating func say(bytes count: Int) {
        let head = "\(number.raw):\(lines.count + 1):"
        say(Array((head + String(repeating: "x", count: max(0, count - head.utf8.count - 1))).utf8) + [0x0A])
    }

    func open(_ reader: Reader) {
        reader.table.open(number, timeline.published(from: kept, notice: notice))
    }

    /// Tells `reader` of every chunk from the one last told of.
    mutating func publish(to reader: Reader) {
        let last = timeline.end.ordinal
        for ordinal in max(timeline.publishedOrdinal, timeline.firstOrdinal)...last {
            reader.table.extend(number, ordinal: ordinal, timeline.piece(ordinal))
        }
        timeline.publishedOrdinal = last
    }

    func subscribe(_ owner: Int, from seq: Seq, _ reader: Reader) {
        reader.table.subscribe(owner, number, at: timeline.place(of: seq))
    }

    /// Puts another line in the place of `seq` and tells `reader`.
    mutating func replace(_ seq: Seq, with line: [UInt8], _ reader: Reader) {
        guard let ordinal = line.dropLast().withUnsafeBytes({ timeline.replace(seq, with: $0) }) else { return }
        lines[Int(seq) - 1] = line
        reader.table.replace(number, ordinal: ordinal, timeline.piece(ordinal))
    }

    mutating func trim(below seq: Seq, _ reader: Reader) {
        reader.table.trim(number, trimmed(below: seq))
    }

    /// Lets go of chunks below `seq`; whoever is overtaken goes on at the first line that is there.
    mutating func trimmed(below seq: Seq) -> TrimmedLines {
        let ordinal = timeline.trim(below: seq)
        kept = timeline.firstSeq
        return TrimmedLines(firstOrdinal: ordinal, keptSeq: kept, kept: timeline.place(of: kept))
    }

    /// The same, but who is overtaken goes on at `seq` itself.
    mutating func trim(exactlyBelow seq: Seq, _ reader: Reader) {
        let ordinal = timeline.trim(below: seq)
        kept = max(kept, seq)
        reader.table.trim(
            number,
            TrimmedLines(firstOrdinal: ordinal, keptSeq: kept, kept: timeline.place(of: kept))
        )
    }

    /// The bytes of the lines from one seq through another.
    func bytes(_ first: Int, _ last: Int) -> [UInt8] {
        last < first ? [] : Array(lines[(first - 1)..<last].joined())
    }
}
