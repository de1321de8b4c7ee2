/// A value of a configuration file before its setting is known (JSON5, https://spec.json5.org).
enum ConfigValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number that is not whole, or too large for `Int`.
    case fraction(Double)
    case string(String)
    case list([ConfigValue])
    case object([String: ConfigValue])

    /// As it is shown when it was not taken.
    var shown: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .fraction(let value): String(value)
        case .string(let value): "\"\(value)\""
        case .list: "[…]"
        case .object: "{…}"
        }
    }
}
