import Bytes
import ChatCore
import ChatModel

/// Reads what is left of a damaged file of a snapshot, for `fcd repair`: our files have one object a line, so that a flaw
/// costs the line it is in. Never fails.
package enum EntrySalvage {
    /// The accounts that can still be read.
    /// - Returns: lines that cannot.
    package static func accounts(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (AccountSlot, _ at: UInt64) -> Void
    ) -> Int {
        entries(bytes) { (reader) throws(JSONFault) in
            let (slot, at) = try AccountCodec.decodeSlot(&reader)
            body(slot, at)
        }
    }

    /// The conversations that can still be read.
    /// - Returns: lines that cannot.
    package static func conversations(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (ConversationSnapshot, _ at: UInt64) -> Void
    ) -> Int {
        entries(bytes) { (reader) throws(JSONFault) in
            let (snapshot, at) = try ConversationCodec.decodeOne(&reader)
            body(snapshot, at)
        }
    }

    /// The collections that can still be read.
    /// - Returns: lines that cannot.
    package static func collections(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (CollectionSnapshot, _ at: UInt64) -> Void
    ) -> Int {
        entries(bytes) { (reader) throws(JSONFault) in
            let (snapshot, at) = try CollectionCodec.decodeOne(&reader)
            body(snapshot, at)
        }
    }

    private static func entries(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (inout JSONReader) throws(JSONFault) -> Void
    ) -> Int {
        var unreadable = 0
        forEachLine(bytes) { line in
            if isFrame(line) { return }
            var reader = JSONReader(line)
            do throws(JSONFault) {
                guard String(validating: line, as: UTF8.self) != nil else { throw reader.fault("no text") }
                try body(&reader)
            } catch { unreadable += 1 }
        }
        return unreadable
    }

    /// The file's first or last line, or what stands between two timelines.
    static func isFrame(_ line: UnsafeRawBufferPointer) -> Bool {
        line.isEmpty || line.starts(with: "{\"format\":".utf8) || line.first == 0x5D
    }

    /// Hands over every line without its end, and without the comma behind it.
    static func forEachLine(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var at = 0
        while at < bytes.count {
            let end = LineSplitter.lineEnd(in: bytes, from: at) ?? bytes.count
            let last = end > at && bytes[end - 1] == 0x2C ? end - 1 : end
            body(UnsafeRawBufferPointer(rebasing: bytes[at..<last]))
            at = end + 1
        }
    }
}
