/// The name for a downloaded file: what the server proposes, made harmless.
package enum DownloadName {
    /// Bytes of a name at most, so that a temporary one beside it fits (NAME_MAX is 255).
    private static let limit = 200

    /// - Parameters:
    ///   - disposition: the value of Content-Disposition (RFC 6266), when there is one.
    ///   - lastPart: the last part of the URL's path, percent-encoded.
    package static func safe(disposition: String?, lastPart: String) -> String {
        let proposed = disposition.flatMap(fileName) ?? decoded(lastPart) ?? lastPart
        let name = harmless(proposed)
        return name.isEmpty ? "blob" : name
    }

    /// No folder, nothing hidden, nothing that drives a terminal or hides its ending.
    private static func harmless(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var out = String.UnicodeScalarView()
        for scalar in last.unicodeScalars {
            let visible = VisibleText.line(String(scalar)) == String(scalar)
            out.append(visible ? scalar : "_")
        }
        var name = String(out)
        while let first = name.first, first == "." || first == "-" || first.isWhitespace { name.removeFirst() }
        while let last = name.last, last.isWhitespace { name.removeLast() }
        while name.utf8.count > limit {
            name.remove(
                at: name.index(
                    before: name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
                )
            )
        }
        return name
    }

    private static func fileName(_ disposition: String) -> String? {
        let parts = parameters(disposition)
        if let extended = parts["filename*"] {
            let pieces = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            if pieces.count == 3, pieces[0].lowercased() == "utf-8", let name = decoded(String(pieces[2])) {
                return name
            }
        }
        return parts["filename"]
    }

    /// `attachment; filename="a;b.png"; …` as names and values.
    private static func parameters(_ text: String) -> [String: String] {
        var found: [String: String] = [:]
        var rest = Substring(text)
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { break }
            let key = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            found[key] = found[key] ?? value(&rest)
        }
        return found
    }

    private static func value(_ rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let word = rest.prefix { $0 != ";" && $0 != " " }
            rest = rest.dropFirst(word.count)
            return String(word)
        }
        rest = rest.dropFirst()
        var out = ""
        while let character = rest.popFirst(), character != "\"" {
            out.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        return out
    }

    /// Percent-decoding (RFC 3986, 2.1); nil for what is malformed or no UTF-8.
    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
