/// A value of a configuration file before its setting is known (JSON5, https://spec.json5.org).
enum ConfigValue: Sendable, Equatable, Decodable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number that is not whole, or too large for `Int`.
    case fraction(Double)
    case string(String)
    case list([ConfigValue])
    case object([String: ConfigValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .fraction(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([ConfigValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: ConfigValue].self))
        }
    }

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
