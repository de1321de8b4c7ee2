/// What a person does at the keyboard, as far as the line editor does not see to it itself.
package enum KeyStroke: Equatable, Sendable {
    /// Characters for the line editor: text, or the control characters it knows as commands.
    case keys([Unicode.Scalar])
    /// Text put in from elsewhere, as it is; line breaks are part of it.
    case paste([Unicode.Scalar])
    /// The line is complete.
    case enter
    /// Ctrl-D: the end, when the line is empty.
    case end
    /// Ctrl-L: draw anew.
    case redraw
}

/// Cuts the bytes of a terminal into key strokes: UTF-8, escape sequences of keys, bracketed paste. What is incomplete
/// waits for the next bytes; sequences that mean nothing here are dropped.
package struct KeyReader {
    private var bytes: [UInt8] = []
    private var pasted: [UInt8]?
    /// Bytes of one paste at most; what is beyond is dropped.
    private static let pasteLimit = 64 << 10
    private static let pasteEnd = Array("\u{1b}[201~".utf8)

    package init() {}

    /// The key strokes complete with `more`.
    package mutating func take(_ more: some Sequence<UInt8>) -> [KeyStroke] {
        bytes += more
        var strokes: [KeyStroke] = []
        while let stroke = next() { Self.add(stroke, to: &strokes) }
        return strokes.filter { $0 != .keys([]) }
    }

    /// Neighbouring keys are one stroke.
    private static func add(_ stroke: KeyStroke, to strokes: inout [KeyStroke]) {
        if case .keys(let more) = stroke, case .keys(let before) = strokes.last {
            strokes[strokes.count - 1] = .keys(before + more)
        } else {
            strokes.append(stroke)
        }
    }

    private mutating func next() -> KeyStroke? {
        if pasted != nil { return pasteRest() }
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x0A, 0x0D:
            bytes.removeFirst()
            return .enter
        case 0x04:
            bytes.removeFirst()
            return .end
        case 0x0C:
            bytes.removeFirst()
            return .redraw
        // Quoting and tabulating would have the editor wait for another key, or do nothing.
        case 0x00, 0x09, 0x16:
            bytes.removeFirst()
            return .keys([])
        case 0x01..<0x80:
            bytes.removeFirst()
            return .keys([Unicode.Scalar(first)])
        default: return character(first)
        }
    }

    private mutating func character(_ first: UInt8) -> KeyStroke? {
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        let whole = bytes.prefix(length)
        if whole.count < length, whole.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) { return nil }
        if let text = String(validating: whole, as: UTF8.self), text.unicodeScalars.count == 1 {
            bytes.removeFirst(length)
            let scalar = text.unicodeScalars.first ?? "?"
            // C1 controls are nothing one types, and the editor takes some for commands.
            return .keys(scalar.value < 0xA0 ? [] : [scalar])
        }
        bytes.removeFirst()
        return .keys(["\u{FFFD}"])
    }

    /// The editor's own commands for the keys that send sequences (ECMA-48 and xterm's additions).
    private static let meanings: [String: [Unicode.Scalar]] = [
        "A": ["\u{10}"], "B": ["\u{0E}"], "C": ["\u{06}"], "D": ["\u{02}"], "H": ["\u{01}"], "F": ["\u{05}"],
        "1~": ["\u{01}"], "7~": ["\u{01}"], "4~": ["\u{05}"], "8~": ["\u{05}"], "3~": ["\u{04}"],
        "1;5C": ["\u{1b}", "f"], "1;5D": ["\u{1b}", "b"], "1;3C": ["\u{1b}", "f"], "1;3D": ["\u{1b}", "b"],
    ]

    private mutating func sequence() -> KeyStroke? {
        guard bytes.count >= 2 else { return nil }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            let meant = bytes[1]
            bytes.removeFirst(2)
            // Alt with a letter or DEL is a command of the editor; all else is none.
            let isKnown = "bfdBFDulcULC\u{7f}".utf8.contains(meant)
            return .keys(isKnown ? ["\u{1b}", Unicode.Scalar(meant)] : [])
        }
        guard let end = bytes[2...].firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            if bytes.count > 32 { bytes.removeAll() }
            return nil
        }
        let name = String(decoding: bytes[2...end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        if name == "200~" {
            pasted = []
            return .keys([])
        }
        return .keys(Self.meanings[name] ?? [])
    }

    private mutating func pasteRest() -> KeyStroke? {
        var all = (pasted ?? []) + bytes
        bytes = []
        guard let end = all.firstRange(of: Self.pasteEnd) else {
            pasted = Self.bounded(all)
            return nil
        }
        bytes = Array(all[end.upperBound...])
        all.removeSubrange(end.lowerBound...)
        pasted = nil
        return .paste(Self.text(all))
    }

    /// The head, and so much of the tail as may be the beginning of the end.
    private static func bounded(_ all: [UInt8]) -> [UInt8] {
        all.count > pasteLimit + 8 ? Array(all.prefix(pasteLimit)) + all.suffix(8) : all
    }

    /// Line ends are LF, TAB stays, other controls do not belong to a text.
    private static func text(_ bytes: [UInt8]) -> [Unicode.Scalar] {
        let text = String(decoding: bytes.prefix(pasteLimit), as: UTF8.self).unicodeScalars
        var out: [Unicode.Scalar] = []
        var wasReturn = false
        for scalar in text {
            defer { wasReturn = scalar == "\r" }
            if scalar == "\n", wasReturn { continue }
            if scalar == "\r" { out.append("\n") } else if keeps(scalar) { out.append(scalar) }
        }
        while out.last == "\n" { out.removeLast() }
        return out
    }

    private static func keeps(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
    }
}
