/// Walks over arguments: words, `--option value` and `--option=value`.
struct ArgumentReader {
    private var rest: ArraySlice<String>
    /// The part after `=` of the option read last.
    private var attached: String?

    init(_ arguments: [String]) { rest = arguments[...] }

    mutating func next() -> String? { rest.popFirst() }

    /// The option that `argument` names, with or without a value attached.
    /// - Throws: `UsageFault` naming the nearest option.
    mutating func option(_ argument: String) throws(UsageFault) -> Option {
        var name = argument
        attached = nil
        if let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) {
            name = String(argument[..<equals])
            attached = String(argument[argument.utf8.index(after: equals)...])
        }
        if name == "-h" { name = Option.help.rawValue }
        guard let option = Option(rawValue: name) else {
            throw .unknownOption(name, nearest: NearestName.of(name, among: Option.allCases.map(\.rawValue)))
        }
        if option.form == nil, attached != nil { throw .unwantedValue(option: option.rawValue) }
        return option
    }

    /// The value of `option`, which was read last: attached, or the next argument.
    ///
    /// An argument that looks like an option is none, so that a forgotten value is noticed; attached it is taken.
    /// - Throws: `UsageFault.missingValue`.
    mutating func value(of option: Option) throws(UsageFault) -> String {
        if let value = attached { return value }
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw .missingValue(option: option.rawValue, form: option.form ?? "")
        }
        rest = rest.dropFirst()
        return value
    }
}
