import ChatModel

/// An event's line read back. A view on the line's bytes: valid only while they are; deliberately not `Sendable`.
package struct RecordedEvent {
    package enum Kind: String, Sendable {
        case msg, create, join, leave, invite, grant, drop, lost
        case eject, ban, unban, mute, unmute, topic, edit, delete, react, rename, erase
        /// A kind this version does not know.
        case other
    }

    package let kind: Kind
    package let seq: Seq
    package let time: Timestamp
    /// The line without its LF.
    let line: UnsafeRawBufferPointer
    /// Where the fields begin.
    let fields: Int

    /// Canonical, with its `#` or as `@a,b`.
    package var conversation: String? { field("conv") }
    package var by: String? { field("by") }
    package var user: String? { field("user") }

    /// What stands behind `ts=`, from its blank on; nil when there is no `ts=`.
    package var behindTime: UnsafeRawBufferPointer? {
        var scanner = FieldScanner(line, from: fields)
        while let field = scanner.next() {
            if field.key.elementsEqual("ts".utf8) { return UnsafeRawBufferPointer(rebasing: line[scanner.at...]) }
        }
        return nil
    }

    /// The number under `key`; nil when it is none.
    package func number(_ key: String) -> UInt64? {
        guard var text = field(key) else { return nil }
        return text.withUTF8 { Number.parse(UnsafeRawBufferPointer($0)) }
    }

    /// The moment under `key`; nil when it is none.
    package func time(_ key: String) -> Timestamp? {
        guard var text = field(key) else { return nil }
        return text.withUTF8 { Timestamp(UnsafeRawBufferPointer($0)) }
    }

    /// The value of `text=`, with its quotes, as it stands in the line; nil when there is none. It is the last field.
    package var quotedText: UnsafeRawBufferPointer? {
        var scanner = FieldScanner(line, from: fields)
        while let field = scanner.next() {
            guard field.key.elementsEqual("text".utf8), field.isQuoted else { continue }
            return UnsafeRawBufferPointer(rebasing: line[(scanner.at - field.value.count - 2)..<scanner.at])
        }
        return nil
    }

    /// The blob a message carries. Cheap: it is there only right behind `kind=`, which follows `conv= seq= ts= by=`.
    package var blob: BlobID? {
        var scanner = FieldScanner(line, from: fields)
        for _ in 0..<4 where scanner.next() == nil { return nil }
        guard line[scanner.at...].starts(with: " kind=".utf8), scanner.next() != nil else { return nil }
        guard line[scanner.at...].starts(with: " blob=".utf8), let field = scanner.next() else { return nil }
        return BlobID(field.value)
    }

    /// The value of the first `key=`, without quotes and escapes; nil when there is none. O(length of the line).
    package func field(_ key: String) -> String? {
        var scanner = FieldScanner(line, from: fields)
        while let field = scanner.next() {
            guard field.key.elementsEqual(key.utf8) else { continue }
            return field.isQuoted ? JSONString.decoded(field.value) : String(decoding: field.value, as: UTF8.self)
        }
        return nil
    }
}
