import CUnicode

/// How many cells of a terminal a text takes.
package enum CellWidth {
    /// 0, 1 or 2: the width of the widest scalar of a character, since the others are drawn over it (utf8proc, after
    /// UAX 11). Two when an emoji is asked for by U+FE0F.
    package static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            width = max(width, Int(utf8proc_charwidth(Int32(bitPattern: scalar.value))))
        }
        return min(width, 2)
    }

    /// The sum over the characters of `text`. O(n).
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }
}
