import CUnicode
import ChatModel
import ChatTesting
import Testing

/// Folding as protocol.md tells it, applied to whole texts one step after the other; marks are judged by Swift's tables.
private enum NaiveFolding {
    static func folded(_ text: String) -> [Unicode.Scalar] {
        let decomposed = kept(mapped(text, UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue))
        let folded = mapped(
            decomposed,
            UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
        )
        return kept(folded).unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            plain[scalar].map { Array($0.unicodeScalars) } ?? [scalar]
        }
    }

    static func isFound(_ word: String, in text: String) -> Bool {
        let (word, text) = (folded(word), folded(text))
        return word.count <= text.count
            && (0...text.count - word.count).contains { Array(text[$0..<$0 + word.count]) == word }
    }

    private static let plain: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe",
    ]

    private static func kept(_ text: String) -> String {
        var all = String.UnicodeScalarView()
        all.append(contentsOf: text.unicodeScalars.filter { !isIgnored($0) })
        return String(all)
    }

    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format { return true }
        if scalar == "\u{640}" || scalar == "\u{7FA}" { return true }
        let ofVowels: [UInt8] = [84, 91, 103, 118, 129, 130, 132]
        let its = properties.canonicalCombiningClass.rawValue
        return properties.generalCategory == .nonspacingMark && its >= 10 && !ofVowels.contains(its)
    }

    private static func mapped(_ text: String, _ options: UInt32) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var out: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(bytes.baseAddress, bytes.count, &out, utf8proc_option_t(rawValue: options))
            guard count > 0, let out else { return "" }
            defer { out.deallocate() }
            return String(decoding: UnsafeBufferPointer(start: out, count: count), as: UTF8.self)
        }
    }
}

@Suite("Searched text") struct TextFoldingPropertyTests {
    /// Letters and marks of many scripts, and what is ignored between them.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x24F, 0x300...0x345, 0x370...0x3FF, 0x400...0x4FF, 0x5B0...0x5EA, 0x620...0x65F,
        0x904...0x94D,
        0x985...0x9CD, 0xE01...0xE4D, 0xEA5...0xECD, 0xF40...0xF84, 0x1100...0x11FF, 0x1E00...0x1FFC, 0x2000...0x200F,
        0x3041...0x30FF, 0x4E00...0x4E80, 0xAC00...0xAD00, 0xFB00...0xFDFB, 0xFE00...0xFE0F, 0xFF01...0xFF9F,
        0x1F300...0x1F5FF, 0x1D400...0x1D4FF, 0x2F800...0x2F820,
    ]

    private static func text(_ random: inout SeededRandom, count: Int) -> String {
        var text = String.UnicodeScalarView()
        // A few scripts a text: marks then stand behind letters of theirs, and words come twice.
        let mine = (0..<3).map { _ in ranges[Int.random(in: 0..<ranges.count, using: &random)] }
        while text.count < count {
            let range = mine[Int.random(in: 0..<3, using: &random)]
            guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) else { continue }
            // Swift and utf8proc may know different versions of Unicode.
            if scalar.properties.generalCategory != .unassigned { text.append(scalar) }
        }
        return String(text)
    }

    @Test func `folds like whole texts that utf8proc folds`() {
        var random = SeededRandom(seed: 0x5EA5C4)
        var folder = TextFolder()
        for _ in 0..<4000 {
            let text = Self.text(&random, count: Int.random(in: 0...60, using: &random))
            Array(text.utf8).withUnsafeBytes { folder.fold($0) }
            let folded = String(decoding: folder.folded, as: UTF8.self)
            let expected = NaiveFolding.folded(text)
            #expect(Array(folded.unicodeScalars) == expected, "\(text.unicodeScalars.map(\.value))")
            #expect(TextFolding.folded(text.unicodeScalars) == Array(folded.utf8))
        }
    }

    @Test func `is found where the naive search finds it, and nowhere else`() throws {
        var random = SeededRandom(seed: 0xF01D)
        var folder = TextFolder()
        var counts = [true: 0, false: 0]
        for _ in 0..<4000 {
            let text = Self.text(&random, count: Int.random(in: 1...80, using: &random))
            // Half of the words are cut out of the text and put into another case and form.
            let scalars = Array(text.unicodeScalars)
            let start = Int.random(in: 0..<scalars.count, using: &random)
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[start..<min(scalars.count, start + Int.random(in: 1...8, using: &random))])
            var word = Bool.random(using: &random) ? String(view) : Self.text(&random, count: 2)
            if Bool.random(using: &random) { word = word.uppercased() }
            guard let words = try? SearchWords(word), !word.unicodeScalars.contains(where: \.properties.isWhitespace)
            else { continue }
            if NaiveFolding.folded(word).contains(where: \.properties.isWhitespace) { continue }
            Array(text.utf8).withUnsafeBytes { folder.fold($0) }
            let expected = NaiveFolding.isFound(word, in: text)
            #expect(words.areAll(in: folder.folded) == expected, "\(word) in \(text)")
            counts[expected, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 500 }, "\(counts)")
    }

    @Test func `folds every scalar in the fast way as in the exact one`() {
        var folder = TextFolder()
        let table = (UInt32(0)..<0x3_0000).lazy.filter { $0 % 3 == 0 }
        let beyond = (UInt32(0x3_0000)...0x10_FFFF).lazy.filter { $0 % 97 == 0 || $0 >> 9 == 0xE0000 >> 9 }
        var different: [UInt32] = []
        for value in [Array(table), Array(beyond)].joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            Array(UTF8.encode(scalar) ?? .init()).withUnsafeBytes { folder.fold($0) }
            if !folder.folded.elementsEqual(TextFolding.folded(CollectionOfOne(scalar))) { different.append(value) }
        }
        #expect(different == [])
    }
}
