/// The name of a snapshot's file: a stem of small letters, digits, `-` and `/`, the generation that wrote it, `.json`. No
/// user's text is in it.
package struct SnapshotFileName: Sendable, Equatable {
    package let stem: String
    package let generation: UInt64

    package init(stem: String, generation: UInt64) { (self.stem, self.generation) = (stem, generation) }

    /// `STEM.GENERATION.json`, below the snapshot's directory.
    package var text: String { "\(stem).\(generation).json" }

    /// Nil for what is no such name.
    package init?(_ text: String) {
        guard text.hasSuffix(".json") else { return nil }
        let rest = text.utf8.dropLast(5)
        guard let dot = rest.lastIndex(of: 0x2E),
            let generation = UInt64(String(decoding: rest[rest.index(after: dot)...], as: UTF8.self))
        else { return nil }
        let stem = rest[..<dot]
        let isPlain = stem.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2F: true
            default: false
            }
        }
        guard isPlain, let first = stem.first, first != 0x2F else { return nil }
        self.init(stem: String(decoding: stem, as: UTF8.self), generation: generation)
        if self.text != text { return nil }
    }
}
