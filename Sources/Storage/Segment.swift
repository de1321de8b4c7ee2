/// Names and first lines of the journal's files.
///
/// A segment begins with the line `fcd-journal 1 <gseq>`: the format's version and the global sequence of the first
/// record. The file is named after the same number, at least twelve digits and `.log`. A segment takes its name only
/// when its first line and everything before it are on disk; so without a sound first line it is damaged, and whatever
/// follows another segment proves that this was whole. Once it has its name, the segment before gets the last line
/// `fcd-journal-next <gseq>`, so that a newest segment that is missing is missed.
enum Segment {
    /// The version of the format that this program writes, and the newest it reads.
    static let version: UInt64 = 1
    /// The file that is filled with zeros to become the next segment.
    static let spareName = "spare"
    /// Longest first line: the words, two numbers of 20 digits and the blanks.
    static let maximumHeader = 64

    /// What the first line of a segment says.
    enum Header: Equatable {
        case sound(first: UInt64, length: Int)
        case newer(version: UInt64)
        case bad(String)
    }

    static func name(first: UInt64) -> String {
        let digits = String(first)
        return String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits + ".log"
    }

    /// The number in a segment's file name; nil when it is none.
    static func first(ofName name: String) -> UInt64? {
        guard name.hasSuffix(".log"), let first = UInt64(name.dropLast(4)), first > 0 else { return nil }
        return self.name(first: first) == name ? first : nil
    }

    static func header(first: UInt64) -> [UInt8] { Array("fcd-journal \(version) \(first)\n".utf8) }

    /// The last line of a segment, when the next one begins with record `next`.
    static func trailer(next: UInt64) -> [UInt8] { Array("fcd-journal-next \(next)\n".utf8) }

    /// Reads the first line of the segment whose name says `first`.
    static func parse(_ bytes: UnsafeRawBufferPointer, first: UInt64) -> Header {
        let expected = header(first: first)
        if bytes.count >= expected.count, bytes.prefix(expected.count).elementsEqual(expected) {
            return .sound(first: first, length: expected.count)
        }
        let words = "fcd-journal "
        guard bytes.count > words.utf8.count, bytes.prefix(words.utf8.count).elementsEqual(words.utf8) else {
            return .bad("the first line is not that of a journal")
        }
        let rest = bytes.dropFirst(words.utf8.count)
        let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard digits.count < rest.count, let version = UInt64(String(decoding: digits, as: UTF8.self)) else {
            return .bad("the first line is cut short")
        }
        let end = rest[digits.endIndex]
        if version > self.version, end == 0x20 || end == 0x0A { return .newer(version: version) }
        return .bad("the first line is unreadable")
    }
}
