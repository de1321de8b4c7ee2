/// What values a setting takes: enough to say it to the operator and to check the types of a configuration file.
enum SettingKind: Sendable, Equatable {
    /// A whole number; `absent` is the word for "not set", where there is one.
    case number(ClosedRange<Int>, unit: String, absent: String? = nil)
    case powerOfTwo(ClosedRange<Int>)
    /// `on` or `off`; a configuration file may say true or false.
    case flag
    case words([String])
    /// A file's path, or nothing.
    case path
    case url
    /// One listening address; `none` where `optional`.
    case address(optional: Bool)
    /// A list: commas between on the command line, an array in a file.
    case addresses
    case networks

    /// What is allowed, as it completes "allowed is …".
    var allowed: String {
        switch self {
        case .number(let range, let unit, let absent):
            let word = absent.map { "\($0) or " } ?? ""
            return "\(word)a whole number from \(range.lowerBound) to \(range.upperBound)"
                + (unit.isEmpty ? "" : " (\(unit))")
        case .powerOfTwo(let range):
            return "a power of two from \(range.lowerBound) to \(range.upperBound)"
        case .flag: return "on or off"
        case .words(let words): return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        case .path: return "the path of a file"
        case .url: return "https://HOST[:PORT] or http://HOST[:PORT], without a path"
        case .address(optional: true): return "HOST:PORT with a loopback address, or none"
        case .address(optional: false): return "HOST:PORT, port 0 for a free one"
        case .addresses: return "a list of HOST:PORT, [IPV6]:PORT or unix:/PATH"
        case .networks: return "a list of addresses or ADDRESS/BITS"
        }
    }

    /// The value of a configuration file as the command line would give it; nil when its type is wrong.
    func text(of value: ConfigValue) -> String? {
        switch (self, value) {
        case (.number, .integer(let n)), (.powerOfTwo, .integer(let n)): String(n)
        case (.number(_, _, absent: let word?), .string(let s)): s == word ? s : nil
        case (.flag, .boolean(let on)): on ? "on" : "off"
        case (.flag, .string(let s)), (.path, .string(let s)), (.url, .string(let s)): s
        case (.words, .string(let s)), (.address, .string(let s)): s
        case (.words, .fraction(let number)): String(number)
        case (.addresses, .string(let s)), (.networks, .string(let s)): s
        case (.addresses, .list(let items)), (.networks, .list(let items)): Self.joined(items)
        default: nil
        }
    }

    private static func joined(_ items: [ConfigValue]) -> String? {
        var texts: [String] = []
        for item in items {
            // A comma inside an item would make two of it.
            guard case .string(let text) = item, !text.utf8.contains(UInt8(ascii: ",")) else { return nil }
            texts.append(text)
        }
        return texts.joined(separator: ",")
    }
}
