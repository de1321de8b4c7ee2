import CICU

/// What names look like, which is what they are unique by: look-alikes share a look (UTS 39, section 4).
extension NameFolding {
    /// The looks of a name, good for comparison only; two names with one in common cannot be told apart.
    ///
    /// The first is that of the folded key, as UTS 39 says of names without regard to case. That alone misses capitals:
    /// `paypaI` folds to `paypai`, and reads `paypal`. So the name as it is written has a look as well, where it is another.
    /// O(n): 0.3 µs for a name in ASCII, else 1 to 5 µs.
    /// - Parameter key: the folded key of `text`.
    static func looks(of text: String, key: String) -> [String] {
        let (small, given) = (withASCIILooks(key), text == key ? nil : withASCIILooks(text))
        let folded = look(of: small)
        guard let given, given != small else { return [folded] }
        let written = look(of: given)
        return written == folded ? [folded] : [folded, written]
    }

    private static func look(of text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : lookByICU(of: text)
    }

    /// ICU's skeleton, folded, since skeletons have capitals (`0` is `O`); and that again until nothing changes, since a
    /// small letter has a skeleton of its own (Cyrillic `М` is `M`, is `m`, is `rn`). No character takes more than three
    /// rounds; the bound is for what nobody has thought of.
    package static func lookByICU(of text: String) -> String {
        var look = text
        for _ in 0..<8 {
            let next = key(of: SpoofChecker.skeleton(of: look))
            if next == look { break }
            look = next
        }
        return look
    }

    /// With the characters of ASCII replaced by their looks already. That changes no look, since ICU goes from character to
    /// character, and spares ICU for most names.
    static func withASCIILooks(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            if byte < 0x80 { bytes += asciiLooks[Int(byte)] } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What ICU says of each, written down here so that names in ASCII do without ICU; a test compares.
    private static let asciiLooks: [[UInt8]] = (0..<0x80).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "\""): Array("''".utf8)
        case UInt8(ascii: "%"): Array("o/o".utf8)
        case UInt8(ascii: "0"): Array("o".utf8)
        case UInt8(ascii: "1"), UInt8(ascii: "I"), UInt8(ascii: "|"): Array("l".utf8)
        case UInt8(ascii: "M"), UInt8(ascii: "m"): Array("rn".utf8)
        case UInt8(ascii: "`"): Array("'".utf8)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): [byte | 0x20]
        default: [byte]
        }
    }

    /// Why names beyond ASCII cannot be compared on this machine; nil: they can. What a program asks when it starts, so that
    /// it does not stop at the first such name. Some microseconds.
    package static var trouble: String? {
        if fc_library_exists(fc_icu_name()) != 0 { return nil }
        return "ICU is not installed: there is no \(String(cString: fc_icu_name()))"
    }
}
