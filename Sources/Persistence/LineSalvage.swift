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
        /// What stands below was gone, as the head says.
        package var kept: Seq?
        package var lines: [Line] = []
    }

    package private(set) var blocks: [Block] = []
    /// Lines of the file that are not in any block.
    package private(set) var unreadable = 0

    private var number: ConversationNumber?
    private var first: Seq?
    private var kept: Seq?
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
            (number, first, kept) = head
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
        defer { (number, first, kept, found, count) = (nil, nil, nil, [], 0) }
        var block = Block(number: number, kept: kept)
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
        if !block.lines.isEmpty || block.number != nil && block.kept != nil { blocks.append(block) }
    }

    /// `{"n":2,"first":1,"lines":[` or `{"n":2,"first":9,"kept":4,"lines":[`; a number that cannot be read is nil.
    private static func head(
        _ line: UnsafeRawBufferPointer
    ) -> (number: ConversationNumber?, first: Seq?, kept: Seq?)? {
        let (start, end) = ("{\"n\":", ",\"lines\":[")
        guard line.starts(with: start.utf8) else { return nil }
        let text = String(decoding: line, as: UTF8.self).utf8
        guard text.suffix(end.utf8.count).elementsEqual(end.utf8) else { return (nil, nil, nil) }
        let inside = text.dropFirst(start.utf8.count).dropLast(end.utf8.count)
        let parts = inside.split(separator: 0x2C, omittingEmptySubsequences: false)
        guard let number = parts.first, parts.count >= 2, let first = digits(parts[1], behind: "\"first\":") else {
            return (nil, nil, nil)
        }
        var kept: Substring.UTF8View?
        if parts.count == 3 {
            kept = digits(parts[2], behind: "\"kept\":")
            if kept == nil { return (nil, nil, nil) }
        } else if parts.count > 3 {
            return (nil, nil, nil)
        }
        return (
            UInt32(Substring(number)).map { ConversationNumber($0) }, Seq(Substring(first)),
            kept.flatMap { Seq(Substring($0)) }
        )
    }

    private static func digits(_ part: Substring.UTF8View, behind key: String) -> Substring.UTF8View? {
        part.starts(with: key.utf8) ? part.dropFirst(key.utf8.count) : nil
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
