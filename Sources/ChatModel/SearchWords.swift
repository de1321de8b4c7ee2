/// What is looked for: words that must all be in a text, in any order, each anywhere, also inside another word. Folded, so
/// that case and accents do not count (`TextFolding`).
package struct SearchWords: Sendable {
    /// All words, one behind the other.
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>] = []

    /// How many words there may be.
    package static let limit = 32

    package enum Fault: Error {
        /// There is no word, or only what is ignored.
        case none
        /// So many, which are more than `limit`.
        case tooMany(Int)
    }

    /// Reads the words of `text`, parted by White_Space. O(n).
    package init(_ text: String) throws(Fault) {
        let folded = String(decoding: TextFolding.folded(text.unicodeScalars), as: UTF8.self)
        let words = folded.unicodeScalars.split { $0.properties.isWhitespace }.map { Array(String($0).utf8) }
        if words.isEmpty { throw .none }
        if words.count > Self.limit { throw .tooMany(words.count) }
        // Long words first: they are rarer. What is part of another word is found with it.
        for word in words.sorted(by: { $0.count > $1.count }) where !has(word) {
            ranges.append(bytes.count..<bytes.count + word.count)
            bytes += word
        }
    }

    /// Whether all words are in a text that `TextFolder` has folded. O(n) for each word, times its length at worst.
    package func areAll(in folded: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { bytes in
            for range in ranges where !ByteSearch.contains(UnsafeRawBufferPointer(rebasing: bytes[range]), in: folded) {
                return false
            }
            return true
        }
    }

    private func has(_ word: [UInt8]) -> Bool {
        word.withUnsafeBytes { word in
            bytes.withUnsafeBytes { bytes in
                ranges.contains { ByteSearch.contains(word, in: UnsafeRawBufferPointer(rebasing: bytes[$0])) }
            }
        }
    }
}
