import CUnicode

/// What makes texts equal when they are searched: case, accents and other ways to write the same letter do not count, in
/// any script (protocol.md, Search).
///
/// A scalar folds to the scalars of its compatibility decomposition (NFKD) without those that are ignored, and these to
/// those of their full case folding, decomposed and thinned out in the same way. Marks that are kept are then put into
/// canonical order, so that texts that are canonically equivalent fold to the same bytes.
package enum TextFolding {
    /// `scalars` folded, as UTF-8. O(n): two questions to utf8proc for each scalar; `TextFolder` does the same faster.
    package static func folded(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
        var all: [UInt32] = []
        for scalar in scalars { appendFolded(scalar.value, to: &all) }
        sortMarks(&all)
        return utf8(all)
    }

    /// Appends what one scalar folds to.
    static func appendFolded(_ scalar: UInt32, to out: inout [UInt32]) {
        if staysTheSame(scalar) { return out.append(scalar) }
        forEachScalar(of: scalar, canonical) { part in
            if isIgnored(part) { return }
            forEachScalar(of: part, canonical | UTF8PROC_CASEFOLD.rawValue) { letter in
                if isIgnored(letter) { return }
                if let plain = plainLetters[letter] { out += plain } else { out.append(letter) }
            }
        }
    }

    /// Canonical_Combining_Class; 0 of what is no mark.
    static func combiningClass(_ scalar: UInt32) -> UInt8 {
        UInt8(clamping: utf8proc_get_property(Int32(bitPattern: scalar)).pointee.combining_class)
    }

    static func utf8(_ scalars: [UInt32]) -> [UInt8] {
        scalars.flatMap { value in Unicode.Scalar(value).map { Array(UTF8.encode($0) ?? .init()) } ?? [] }
    }

    /// Whether it can be seen at a glance that a scalar folds to itself, as most do: it has neither decomposition nor case,
    /// and is no mark. What is not seen so may do the same.
    static func staysTheSame(_ scalar: UInt32) -> Bool {
        // Here are the scalars that `isIgnored` and `plainLetters` name; Hangul is decomposed by arithmetic.
        if scalar < 0x800 || 0xAC00...0xD7A3 ~= scalar { return false }
        let property = utf8proc_get_property(Int32(bitPattern: scalar)).pointee
        return property.decomp_seqindex == .max && property.casefold_seqindex == .max && property.combining_class == 0
            && property.ignorable == 0 && property.category != Int16(UTF8PROC_CATEGORY_CF.rawValue)
    }

    /// Whether `scalar` stands for nothing that is looked for: an accent, an invisible character, or a stroke that only
    /// makes a word longer.
    private static func isIgnored(_ scalar: UInt32) -> Bool {
        if scalar < 0x80 { return false }
        if scalar == 0x640 || scalar == 0x7FA { return true }  // ARABIC TATWEEL, NKO LAJANYALAN
        let property = utf8proc_get_property(Int32(bitPattern: scalar)).pointee
        if property.ignorable != 0 || property.category == Int16(UTF8PROC_CATEGORY_CF.rawValue) { return true }
        guard property.category == Int16(UTF8PROC_CATEGORY_MN.rawValue) else { return false }
        switch property.combining_class {
        // No class, overlays, nuktas, kana voicing marks and viramas: parts of letters.
        case ..<10: return false
        // Vowels of Telugu, Thai, Lao and Tibetan that have a class of their own. Tone marks (107, 122) are accents.
        case 84, 91, 103, 118, 129, 130, 132: return false
        default: return true
        }
    }

    /// Letters whose stroke or ligature Unicode does not take apart, though it sorts them with the plain ones (the
    /// secondary weights of https://www.unicode.org/reports/tr10/), and the dotless i, which is the small letter of `I`
    /// where the text is Turkish.
    private static let plainLetters: [UInt32: [UInt32]] = {
        let letters: [(Unicode.Scalar, String)] = [
            ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ħ", "h"), ("ŧ", "t"), ("ı", "i"), ("æ", "ae"), ("œ", "oe"),
        ]
        return Dictionary(uniqueKeysWithValues: letters.map { ($0.value, $1.unicodeScalars.map(\.value)) })
    }()

    private static let canonical = UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue

    private static func forEachScalar(of scalar: UInt32, _ options: UInt32, _ body: (UInt32) -> Void) {
        if scalar < 0x80, options == canonical { return body(scalar) }
        // Nothing decomposes to more than 18 scalars (UAX 15).
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32) { room in
            var boundary: Int32 = 0
            let count = utf8proc_decompose_char(
                Int32(bitPattern: scalar),
                room.baseAddress,
                room.count,
                utf8proc_option_t(rawValue: options),
                &boundary
            )
            guard count >= 0, count <= room.count else { return body(scalar) }
            for part in room[..<count] { body(UInt32(bitPattern: part)) }
        }
    }

    /// Puts marks that stand side by side into the order of their combining classes (UAX 15, D109).
    private static func sortMarks(_ scalars: inout [UInt32]) {
        for index in scalars.indices.dropFirst() {
            let (mark, its) = (scalars[index], combiningClass(scalars[index]))
            var at = index
            while its > 0, at > 0, combiningClass(scalars[at - 1]) > its {
                scalars[at] = scalars[at - 1]
                at -= 1
            }
            scalars[at] = mark
        }
    }
}
