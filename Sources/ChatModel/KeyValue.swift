/// One `key=value` of a server line.
package struct KeyValue: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        /// Sent bare when it may be, else as a JSON string.
        case word(String)
        /// Always a JSON string; by rule the last of its line.
        case text(String)
        case number(UInt64)
        case time(Timestamp)
        /// `yes` or `no`
        case flag(Bool)
        /// An object of JSON as it stands, to the end of the line.
        case json(String)
    }

    package let key: String
    package let value: Value
    package init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }

    package static func word(_ key: String, _ value: String) -> KeyValue { KeyValue(key, .word(value)) }
    package static func text(_ key: String, _ value: String) -> KeyValue { KeyValue(key, .text(value)) }
    package static func number(_ key: String, _ value: UInt64) -> KeyValue { KeyValue(key, .number(value)) }
    package static func number(_ key: String, _ value: Int) -> KeyValue {
        KeyValue(key, .number(UInt64(clamping: value)))
    }
    package static func time(_ key: String, _ value: Timestamp) -> KeyValue { KeyValue(key, .time(value)) }
    package static func flag(_ key: String, _ value: Bool) -> KeyValue { KeyValue(key, .flag(value)) }
}

/// An item of a reply: `ROW kind key=value …`.
package struct Row: Hashable, Sendable {
    /// conv user member session token blob item limit help sub block who msg
    package let kind: String
    package let fields: [KeyValue]
    package init(_ kind: String, _ fields: [KeyValue]) { (self.kind, self.fields) = (kind, fields) }
}
