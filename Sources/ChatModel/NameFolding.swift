import CUnicode

/// Normalisation and comparison of names: by utf8proc (Unicode NFKC, full case folding), and by ICU where they look alike.
package enum NameFolding {
    /// The key under which names are compared: NFKC, case folded. O(n); ASCII takes a short way.
    package static func key(of text: String) -> String {
        var copy = text
        // Most names are folded already.
        if copy.withUTF8({ isFolded(UnsafeRawBufferPointer($0)) }) { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let folded = mapped(
            text,
            UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
        )
        return withoutSelectors(folded ?? text)
    }

    /// Whether `name` is ASCII without capitals, and so its own key. O(n).
    package static func isFolded(_ name: UnsafeRawBufferPointer) -> Bool {
        name.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    }

    /// NFKC of `given`, checked, but for the mixture of scripts.
    /// - Throws: `Refusal` BAD-ARG naming `field`, INTERNAL without ICU.
    static func canonical(
        _ given: String,
        field: String,
        characters: ClosedRange<Int>,
        bytes: Int
    ) throws(Refusal) -> String {
        if given.utf8.count > 4 * bytes {
            throw .badArg(field, "at most \(characters.upperBound) characters and \(bytes) bytes")
        }
        guard let text = normalised(given) else { throw .badArg(field, "this is no text") }
        let count = text.count
        guard characters.contains(count), text.utf8.count <= bytes else {
            throw .badArg(
                field,
                "\(characters.lowerBound) to \(characters.upperBound) characters, at most \(bytes) bytes"
            )
        }
        try checkScalars(text, field: field)
        // An upgrade may take ICU away from a server that runs.
        if !text.utf8.allSatisfy({ $0 < 0x80 }), !SpoofChecker.isReady {
            throw Refusal(.internal, field: field, "names that are not in ASCII cannot be compared: ICU is missing")
        }
        return text
    }

    /// NFKC.
    package static func normalised(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return mapped(text, UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_COMPOSE.rawValue)
    }

    /// Whether `scalar` may stand in a name at all: nothing that cannot be seen, so no blank Braille cell (U+2800) either.
    package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if "#@,:=\"/+\u{2800}".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return false
        default:
            return !scalar.properties.isDefaultIgnorableCodePoint || scalar.value == 0xFE0E || scalar.value == 0xFE0F
        }
    }

    private static func checkScalars(_ text: String, field: String) throws(Refusal) {
        var previous: Unicode.Scalar?
        for (index, scalar) in text.unicodeScalars.enumerated() {
            guard isAllowed(scalar) else {
                throw .badArg(field, "no blanks, controls, invisible characters or # @ , : = \" / +")
            }
            if index == 0, joinsWhatIsBefore(scalar) {
                throw .badArg(field, "a name does not begin with a combining mark")
            }
            if scalar.properties.isVariationSelector, previous.map(isPicture) != true {
                throw .badArg(field, "a variation selector may stand behind an emoji only")
            }
            previous = scalar
        }
    }

    /// - Throws: `Refusal` BAD-ARG naming `field` when the scripts of `text` do not go together.
    static func checkScripts(_ text: String, field: String) throws(Refusal) {
        // ASCII is Latin, and what goes with every script.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return }
        if SpoofChecker.mixesScripts(text) { throw .badArg(field, "letters of different scripts do not mix in a name") }
    }

    /// Whether `scalar` makes one character with whatever stands in front of it.
    static func joinsWhatIsBefore(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: scalar.properties.isEmojiModifier || scalar.properties.isGraphemeExtend
        }
    }

    /// Whether a variation selector behind `scalar` says how a picture is drawn.
    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 && scalar.properties.isEmoji
    }

    /// Without the selectors that only say how an emoji is drawn: with or without, it is the same name.
    private static func withoutSelectors(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value == 0xFE0E || $0.value == 0xFE0F }) else { return text }
        var kept = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar.value == 0xFE0E || scalar.value == 0xFE0F, previous.map(isPicture) == true { continue }
            kept.append(scalar)
            previous = scalar
        }
        return String(kept)
    }

    private static func mapped(_ text: String, _ options: UInt32) -> String? {
        var copy = text
        return copy.withUTF8 { bytes -> String? in
            guard let base = bytes.baseAddress else { return "" }
            var out: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(base, bytes.count, &out, utf8proc_option_t(rawValue: options))
            guard count >= 0, let out else { return nil }
            defer { out.deallocate() }
            return String(decoding: UnsafeBufferPointer(start: out, count: count), as: UTF8.self)
        }
    }
}
