import Wire

/// A server line as one JSON object, for `--json`.
package enum LineObject {
    /// `{"kind":"msg","conv":"#lobby","seq":42,…}` without a line end: the kind first, then the keys of the line in
    /// their order; plain numbers as numbers, all else as strings, nothing that could drive a terminal.
    package static func text(of line: ServerLine) -> String {
        let kind = line.word == .ok ? "ok" : line.kind ?? line.word.rawValue.lowercased()
        var seen: Set<String> = ["kind"]
        var out = "{\"kind\":" + JSONText.quoted(kind)
        for field in line.fields {
            // A message's own kind= (photo, location, x-…) would be a second "kind".
            let key = field.key == "kind" ? "message-kind" : field.key
            guard seen.insert(key).inserted else { continue }
            out += "," + JSONText.quoted(key) + ":"
            out += isNumber(field) || isObject(field) ? field.value : JSONText.quoted(field.value)
        }
        return out + "}"
    }

    /// Keys whose plain digits are a count or a sequence number; a handle of digits alone stays a string.
    private static let numbers: Set<String> = [
        "seq", "next", "reply", "edited", "deleted", "id", "size", "unread", "last-seq", "n", "rev", "first",
    ]

    /// An item's object, sound and without anything that could drive a terminal.
    private static func isObject(_ field: ServerLine.Field) -> Bool {
        guard field.key == "json", !field.value.unicodeScalars.contains(where: JSONText.isEscaped) else { return false }
        return Array(field.value.utf8).withUnsafeBytes { bytes in
            var scanner = ItemScanner(bytes)
            do throws(ItemFault) {
                while try scanner.next() != nil {}
                return true
            } catch {
                return false
            }
        }
    }

    /// Without leading zeros and small enough to be exact in every JSON reader (RFC 8259, 6).
    private static func isNumber(_ field: ServerLine.Field) -> Bool {
        let digits = field.value.utf8
        guard !field.isQuoted, numbers.contains(field.key), (1...15).contains(digits.count) else { return false }
        return digits.allSatisfy { (0x30...0x39).contains($0) } && (digits.count == 1 || digits.first != 0x30)
    }
}
