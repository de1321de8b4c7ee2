/// The line being typed as it stands on one row of the terminal: whole when it fits, else the part around the cursor.
package struct InputRow: Equatable, Sendable {
    /// What to write, prompt included; nothing in it drives a terminal.
    package let text: String
    /// Cells it takes; less than the columns of the window.
    package let cells: Int
    /// Cells before the cursor.
    package let cursor: Int

    /// - Parameters:
    ///   - prompt: visible text.
    ///   - isolates: whether the two are kept apart for terminals that order right-to-left letters.
    ///   - cursor: scalars before the cursor.
    ///   - columns: of the window; at least 4 are reckoned with.
    package init(prompt: String, line: [Unicode.Scalar], cursor: Int, columns: Int, isolates: Bool) {
        // The last column stays free: a terminal that has written it is of two minds where its cursor is.
        let room = max(columns, 4) - 1
        let head = Self.cut(prompt, to: max(room / 2, min(CellWidth.of(prompt), room - 20)))
        let headCells = CellWidth.of(head)
        let before = Self.pieces(line.prefix(cursor))
        let after = Self.pieces(line.dropFirst(cursor))
        let (left, right) = Self.window(before, after, room: room - headCells)
        let typed = (left + right).map(\.text).joined()
        let leftCells = left.reduce(0) { $0 + $1.cells }
        text = head + (isolates && !typed.isEmpty ? VisibleText.isolated(typed) : typed)
        cells = headCells + leftCells + right.reduce(0) { $0 + $1.cells }
        self.cursor = headCells + leftCells
    }

    private typealias Piece = (text: String, cells: Int)

    private static func pieces(_ scalars: ArraySlice<Unicode.Scalar>) -> [Piece] {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text).map { character in
            if character == "\n" { return ("\u{23CE}", 1) }
            if character == "\t" { return (" ", 1) }
            let shown = VisibleText.line(String(character))
            return (shown, CellWidth.of(shown))
        }
    }

    /// As much of both sides as there is room for; the side that is longer gives way, `<` and `>` say that more is there.
    private static func window(_ before: [Piece], _ after: [Piece], room: Int) -> ([Piece], [Piece]) {
        let width = { (pieces: [Piece]) in pieces.reduce(0) { $0 + $1.cells } }
        let (all, ahead) = (width(before), width(after))
        if all + ahead <= room { return (before, after) }
        let share = max(room - min(ahead, room / 3), 1)
        var left = before
        if all > share { left = [("<", 1)] + tail(before, cells: share - 1) }
        let rest = room - width(left)
        var right = after
        if ahead > rest { right = tail(after.reversed(), cells: rest - 1).reversed() + [(">", 1)] }
        return (left, rest > 0 ? right : [])
    }

    private static func tail(_ pieces: [Piece], cells: Int) -> [Piece] {
        var rest = cells
        var kept: [Piece] = []
        for piece in pieces.reversed() {
            rest -= piece.cells
            if rest < 0 { break }
            kept.append(piece)
        }
        return kept.reversed()
    }

    private static func cut(_ text: String, to cells: Int) -> String {
        if CellWidth.of(text) <= cells { return text }
        var rest = cells - 2
        var out = ""
        for character in text {
            rest -= CellWidth.of(character)
            if rest < 0 { break }
            out.append(character)
        }
        // An isolate that was cut off is closed again.
        let opened = out.unicodeScalars.filter { $0 == "\u{2068}" }.count
        let closed = out.unicodeScalars.filter { $0 == "\u{2069}" }.count
        return out + String(repeating: "\u{2069}", count: max(0, opened - closed)) + "] "
    }
}
