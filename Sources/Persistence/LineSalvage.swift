import Bytes
import ChatModel
import Wire

/// Reads what is left of a damaged file of lines. Never fails.
package struct LineSalvage {
    /// A line that is an event's, and that stands where its seq says.
    package struct Line {
        package let seq: Seq
        /// The conversation's name as the line has it.
        package let name: String
        /// Without the LF.
        package let bytes: [UInt8]
    }

    /// Lines of one conversation, in order.
    package struct Block {
        /// As the head in front of the lines says; nil when that is not readable.
        package var number: ConversationNumber?
        package var lines: [Line] = []
    }

    package private(set) var blocks: [Block] = []
    /// Lines of the file that are not in any block.
    package private(set) var unreadable = 0

    private var number: ConversationNumber?
    private var first: Seq?
    /// Lines of the block under way, with how many stand in front of each, readable or not.
    private var found: [(index: Int, line: Line)] = []
    private var count = 0

    package init(_ bytes: UnsafeRawBufferPointer) {
        EntrySalvage.forEachLine(bytes) { take($0) }
        close()
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) {
        if let head = Self.head(line) {
            close()
            (number, first) = head
        } else if EntrySalvage.isFrame(line) {
            close()
        } else if let line = Self.line(line) {
            if let last = found.last?.line, last.name != line.name { close() }
            found.append((count, line))
            count += 1
        } else {
            unreadable += 1
            count += 1
        }
    }

    /// Ends a block: takes the lines that stand where their seqs say.
    ///
    /// A seq is believed where it goes on as the lines do. Where it does not, a flaw may have taken lines away; then the
    /// next line must agree.
    private mutating func close() {
        defer { (number, first, found, count) = (nil, nil, [], 0) }
        var block = Block(number: number)
        var shift = first.map { Int64(clamping: $0) }
        for (place, (index, line)) in found.enumerated() {
            let own = Int64(clamping: line.seq) - Int64(index)
            let next = place + 1 < found.count ? found[place + 1] : nil
            let isConfirmed = next.map { Int64(clamping: $0.line.seq) - Int64($0.index) == own }
            let isBehindFlaw = index > 0 && (place == 0 || found[place - 1].index + 1 < index)
            let isBelieved = shift == own || (isConfirmed ?? (shift == nil || isBehindFlaw))
            guard isBelieved, line.seq > block.lines.last?.seq ?? 0 else {
                unreadable += 1
                continue
            }
            shift = own
            block.lines.append(line)
        }
        if !block.lines.isEmpty { blocks.append(block) }
    }

    /// `{"n":2,"first":1,"lines":[`
    private static func head(_ line: UnsafeRawBufferPointer) -> (ConversationNumber?, Seq?)? {
        let (start, middle, end) = ("{\"n\":", ",\"first\":", ",\"lines\":[")
        guard line.starts(with: start.utf8) else { return nil }
        let text = String(decoding: line, as: UTF8.self).utf8
        guard let comma = text.firstIndex(of: 0x2C) else { return (nil, nil) }
        let digits = text[text.index(text.startIndex, offsetBy: start.utf8.count)..<comma]
        let rest = text[comma...]
        guard rest.starts(with: middle.utf8), rest.suffix(end.utf8.count).elementsEqual(end.utf8) else {
            return (nil, nil)
        }
        let seq = rest.dropFirst(middle.utf8.count).dropLast(end.utf8.count)
        let number = UInt32(String(decoding: digits, as: UTF8.self)).map { ConversationNumber($0) }
        return (number, Seq(String(decoding: seq, as: UTF8.self)))
    }

    /// The event's line in a JSON string, when it is one that this program may have written.
    private static func line(_ bytes: UnsafeRawBufferPointer) -> Line? {
        guard bytes.first == 0x22 else { return nil }
        var reader = JSONReader(bytes)
        var text = ByteBuffer(capacity: bytes.count)
        guard (try? reader.string(into: &text)) != nil else { return nil }
        let line = text.readable
        guard let event = EventParser.parse(line), event.kind != .other, event.seq > 0,
            let name = event.conversation, event.by != nil, JournalPayload.areQuotesWhole(line, from: 1),
            !line.contains(where: { $0 < 0x20 || $0 == 0x7F }), String(validating: line, as: UTF8.self) != nil
        else { return nil }
        return Line(seq: event.seq, name: name, bytes: Array(line))
    }
}
