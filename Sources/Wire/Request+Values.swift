import ChatModel

/// Typed values of options and arguments; each throws BAD-ARG with the name of the input at fault.
extension Request {
    func string(_ key: OptionKey) -> String? { self[key]?.string }

    /// `yes` or `no`; absent counts as no.
    func flag(_ key: OptionKey) throws(Refusal) -> Bool {
        guard let value = self[key] else { return false }
        switch value.withBytes({ PackedWord($0, upper: false) }) {
        case Self.yes: return true
        case Self.no: return false
        default: throw .badArg(key.word, "yes or no")
        }
    }

    func number(_ key: OptionKey, in range: ClosedRange<UInt64>) throws(Refusal) -> UInt64? {
        guard let value = self[key] else { return nil }
        return try Self.checked(value.withBytes(Number.parse), key.word, range)
    }

    /// The number in the next word.
    mutating func number(argument name: String, in range: ClosedRange<UInt64>) throws(Refusal) -> UInt64 {
        try Self.checked(Number.parse(words.argument(name)), name, range)
    }

    /// RFC 3339, ending in Z.
    func time(_ key: OptionKey) throws(Refusal) -> Timestamp? {
        guard let value = self[key] else { return nil }
        guard let time = value.withBytes({ Timestamp($0) }) else {
            throw .badArg(key.word, "a time such as 2026-01-31T12:00:00Z")
        }
        return time
    }

    /// A seq or a time.
    func position(_ key: OptionKey) throws(Refusal) -> History.Position? {
        guard let value = self[key] else { return nil }
        if let seq = value.withBytes(Number.parse) { return .seq(seq) }
        if let time = value.withBytes({ Timestamp($0) }) { return .time(time) }
        throw .badArg(key.word, "a seq, or a time such as 2026-01-31T12:00:00Z")
    }

    /// `limit=`, 1 to 200, 50 when absent.
    func limit() throws(Refusal) -> Int {
        Int(clamping: try number(.limit, in: 1...200) ?? 50)
    }

    func page() throws(Refusal) -> Page { Page(after: string(.after), limit: try limit()) }

    private static func checked(
        _ number: UInt64?,
        _ field: String,
        _ range: ClosedRange<UInt64>
    ) throws(Refusal) -> UInt64 {
        if let number, range.contains(number) { return number }
        throw .badArg(
            field,
            range.upperBound == .max
                ? "a number from \(range.lowerBound) on, digits only"
                : "a number from \(range.lowerBound) to \(range.upperBound), digits only"
        )
    }

    private static let yes = PackedWord("yes")
    private static let no = PackedWord("no")
}
