import Bytes

/// The name a client gives a request so that it knows the reply: 1 to 32 of `A-Z a-z 0-9 - _` (protocol.md, Lines).
/// Held in place: copying one allocates nothing and touches no reference count.
package struct Tag: Hashable, Sendable {
    /// Bytes of the longest tag.
    package static let most = 32
    /// No tag.
    package static let none = Tag()

    private var storage: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var length: UInt8 = 0

    private init() {}

    /// - Returns: nil unless `bytes`, without the `@`, make a tag.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard (1...Self.most).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { return nil }
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: bytes) }
        length = UInt8(truncatingIfNeeded: bytes.count)
    }

    /// The tag a line begins with, `.none` when it has none or a malformed one. The tag must be followed by a blank or,
    /// with `isWhole`, by the end of the bytes.
    package static func of(_ line: UnsafeRawBufferPointer, isWhole: Bool = true) -> Tag {
        var at = 0
        while at < line.count, line[at] == 0x20 { at += 1 }
        guard at < line.count, line[at] == 0x40 else { return .none }
        let start = at + 1
        at = start
        while at < line.count, at - start <= most, isAllowed(line[at]) { at += 1 }
        guard at < line.count ? line[at] == 0x20 : isWhole else { return .none }
        return Tag(UnsafeRawBufferPointer(rebasing: line[start..<at])) ?? .none
    }

    package var count: Int { Int(length) }
    package var isNone: Bool { length == 0 }

    /// The bytes without the `@`.
    package var bytes: [UInt8] { withUnsafeBytes(of: storage) { Array($0.prefix(count)) } }

    /// Appends a blank, `@` and the tag, or nothing when there is none: it goes right behind a line's first word.
    package func append(to out: inout ByteBuffer) {
        if length == 0 { return }
        out.append(" @")
        withUnsafeBytes(of: storage) { out.append(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }

    package static func == (a: Tag, b: Tag) -> Bool { a.storage == b.storage && a.length == b.length }
    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.0)
        hasher.combine(storage.1)
        hasher.combine(storage.2)
        hasher.combine(storage.3)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F: true
        default: false
        }
    }
}
