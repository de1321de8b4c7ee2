import ChatModel

/// Reads back what `EventRenderer` wrote, at recovery.
package enum EventParser {
    /// The event of `line`, with or without its LF; nil when it is not `EV kind … seq= … ts= …`. Allocates nothing for
    /// the kinds it knows; stops reading behind `ts=`.
    package static func parse(_ line: UnsafeRawBufferPointer) -> RecordedEvent? {
        let line = line.last == 0x0A ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        guard line.count > 3, line[0] == 0x45, line[1] == 0x56, line[2] == 0x20 else { return nil }
        let end = line[3...].firstIndex(of: 0x20) ?? line.count
        guard end > 3 else { return nil }
        let word = UnsafeRawBufferPointer(rebasing: line[3..<end])
        var seq: Seq?
        var time: Timestamp?
        var scanner = FieldScanner(line, from: end)
        while let field = scanner.next() {
            if field.key.elementsEqual("seq".utf8) {
                guard seq == nil, let number = Number.parse(field.value) else { return nil }
                seq = number
            } else if field.key.elementsEqual("ts".utf8) {
                guard let moment = Timestamp(field.value) else { return nil }
                time = moment
            }
            if let seq, let time {
                let kind = RecordedEvent.Kind(rawValue: String(decoding: word, as: UTF8.self)) ?? .other
                return RecordedEvent(kind: kind, seq: seq, time: time, line: line, fields: end)
            }
        }
        return nil
    }
}
