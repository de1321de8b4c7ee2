import Bytes
import ChatModel

/// Writes lines of events anew as they read after something happened to them (protocol.md, Events). Lines are given and
/// written without their LF; a line that is no event's is copied as it is. O(length).
package enum EventRewriter {
    /// A message with another text, given with its quotes, and `edited=`.
    package static func edit(
        _ line: UnsafeRawBufferPointer,
        by edit: Seq,
        quotedText: UnsafeRawBufferPointer,
        into out: inout ByteBuffer
    ) {
        copy(line, into: &out) { !$0.elementsEqual("edited".utf8) && !$0.elementsEqual("text".utf8) }
        ValueRenderer.append(.number("edited", edit), into: &out)
        out.append(" text=")
        out.append(quotedText)
    }

    /// A message of which only its place, its author and what it answered are left, and `deleted=`.
    package static func delete(_ line: UnsafeRawBufferPointer, by delete: Seq, into out: inout ByteBuffer) {
        copy(line, into: &out) { key in place.contains { key.elementsEqual($0.utf8) } }
        ValueRenderer.append(.number("deleted", delete), into: &out)
    }

    /// An edit that a later one has taken the place of.
    package static func dropText(_ line: UnsafeRawBufferPointer, into out: inout ByteBuffer) {
        copy(line, into: &out) { !$0.elementsEqual("text".utf8) }
    }

    /// An event of an account that is gone: its place, and `by=deleted`.
    package static func erase(_ line: UnsafeRawBufferPointer, into out: inout ByteBuffer) {
        copy(line, into: &out, by: "deleted") { key in (place + kept).contains { key.elementsEqual($0.utf8) } }
    }

    /// A line with `fields` in front of its text, which stays the last.
    package static func insert(
        _ fields: [KeyValue],
        in line: UnsafeRawBufferPointer,
        into out: inout ByteBuffer
    ) {
        copy(line, into: &out) { !$0.elementsEqual("text".utf8) }
        ValueRenderer.append(fields, into: &out)
        guard let text = EventParser.parse(line)?.quotedText else { return }
        out.append(" text=")
        out.append(text)
    }

    private static let place = ["conv", "seq", "ts", "by", "reply"]
    private static let kept = ["id", "deleted", "off"]

    /// Copies the fields that `keep` says; with `by`, who did it is that.
    private static func copy(
        _ line: UnsafeRawBufferPointer,
        into out: inout ByteBuffer,
        by: StaticString? = nil,
        keep: (UnsafeRawBufferPointer) -> Bool
    ) {
        guard line.count > 3, let end = line[3...].firstIndex(of: 0x20) else { return out.append(line) }
        out.append(UnsafeRawBufferPointer(rebasing: line[..<end]))
        var scanner = FieldScanner(line, from: end)
        var start = end
        while let field = scanner.next() {
            defer { start = scanner.at }
            guard keep(field.key) else { continue }
            if let by, field.key.elementsEqual("by".utf8) {
                out.append(" by=")
                out.append(by)
            } else {
                out.append(UnsafeRawBufferPointer(rebasing: line[start..<scanner.at]))
            }
        }
    }
}
