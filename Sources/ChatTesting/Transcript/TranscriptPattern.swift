/// An expected server line, in which `*` stands for any run of characters and `{word}` for a value without blanks
/// that is remembered under this word, and must be the same wherever the word stands again.
package struct TranscriptPattern: Sendable, Equatable {
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case anything
        case value(String)
    }

    package init(_ text: String) {
        self.text = text
        self.pieces = Self.pieces(of: Array(text.utf8))
    }

    /// Whether `line` is as expected. Values met for the first time are added to `values`, only when the whole line fits.
    /// Cost: up to the product of the lengths; meant for the short lines of examples.
    package func matches(_ line: String, values: inout [String: String]) -> Bool {
        var found = values
        guard match(pieces[...], Array(line.utf8)[...], &found) else { return false }
        values = found
        return true
    }

    /// `text` with every known `{word}` replaced by its value, as a request needs it.
    package static func fill(_ text: String, from values: [String: String]) -> String {
        var filled: [UInt8] = []
        for piece in pieces(of: Array(text.utf8)) {
            switch piece {
            case .literal(let bytes): filled += bytes
            case .anything: filled.append(star)
            case .value(let word): filled += Array((values[word] ?? "{\(word)}").utf8)
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    private func match(
        _ pieces: ArraySlice<Piece>,
        _ line: ArraySlice<UInt8>,
        _ values: inout [String: String]
    ) -> Bool {
        guard let piece = pieces.first else { return line.isEmpty }
        let rest = pieces.dropFirst()
        switch piece {
        case .literal(let bytes):
            return line.starts(with: bytes) && match(rest, line.dropFirst(bytes.count), &values)
        case .anything:
            if rest.isEmpty { return true }
            return (line.startIndex...line.endIndex).contains { match(rest, line[$0...], &values) }
        case .value(let word):
            if let known = values[word] {
                return line.starts(with: known.utf8) && match(rest, line.dropFirst(known.utf8.count), &values)
            }
            let longest = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
            for end in (line.startIndex...longest).reversed() where end > line.startIndex {
                var tried = values
                tried[word] = String(decoding: line[..<end], as: UTF8.self)
                if match(rest, line[end...], &tried) {
                    values = tried
                    return true
                }
            }
            return false
        }
    }

    private static let star = UInt8(ascii: "*")

    private static func pieces(of bytes: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var position = 0
        func endLiteral() {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
        }
        while position < bytes.count {
            if bytes[position] == star {
                endLiteral()
                pieces.append(.anything)
                position += 1
            } else if let word = word(at: position, in: bytes) {
                endLiteral()
                pieces.append(.value(String(decoding: word, as: UTF8.self)))
                position += word.count + 2
            } else {
                literal.append(bytes[position])
                position += 1
            }
        }
        endLiteral()
        return pieces
    }

    /// The word of `{word}` at `position`; only lower-case letters and digits count, so that JSON stays what it is.
    private static func word(at position: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes[position] == UInt8(ascii: "{"),
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")), end > position + 1
        else { return nil }
        let word = bytes[(position + 1)..<end]
        let isWord = word.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        return isWord ? word : nil
    }
}
