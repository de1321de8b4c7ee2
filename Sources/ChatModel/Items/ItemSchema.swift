/// What the items of a collection must be like (protocol.md, Items): without fields, anything goes.
package struct ItemSchema: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case string, int, double, bool, date
    }

    package struct Field: Sendable, Equatable {
        package let name: String
        package let kind: Kind
        package let isRequired: Bool
        package init(name: String, kind: Kind, isRequired: Bool) {
            (self.name, self.kind, self.isRequired) = (name, kind, isRequired)
        }
    }

    package let fields: [Field]
    package init(fields: [Field] = []) { self.fields = fields }

    package static let fieldLimit = 64

    /// `string`, `double!`: nil for what is no kind.
    package static func kind(_ word: String) -> (kind: Kind, isRequired: Bool)? {
        let isRequired = word.utf8.last == 0x21
        let bare = isRequired ? String(decoding: word.utf8.dropLast(), as: UTF8.self) : word
        return Kind(rawValue: bare).map { ($0, isRequired) }
    }

    /// `price:double! name:string`, as it is written down.
    package var text: String {
        fields.map { "\($0.name):\($0.kind.rawValue)\($0.isRequired ? "!" : "")" }.joined(separator: " ")
    }

    /// Nil for what `text` never gives.
    package init?(text: String) {
        var fields: [Field] = []
        for part in text.utf8.split(separator: 0x20) {
            guard let colon = part.lastIndex(of: 0x3A), colon > part.startIndex,
                let (kind, isRequired) = Self.kind(
                    String(decoding: part[part.index(after: colon)...], as: UTF8.self)
                )
            else { return nil }
            let name = String(decoding: part[..<colon], as: UTF8.self)
            fields.append(Field(name: name, kind: kind, isRequired: isRequired))
        }
        guard fields.count <= Self.fieldLimit else { return nil }
        self.fields = fields
    }

    /// - Throws: `Refusal` BAD-ARG naming the field that is of another kind, missing or unknown.
    package func check(_ item: [ItemField]) throws(Refusal) {
        if fields.isEmpty { return }
        for field in item {
            guard let wanted = fields.first(where: { $0.name == field.name }) else {
                throw .badArg(field.name, "this collection's schema has no such field")
            }
            guard wanted.kind.takes(field.value) else { throw .badArg(field.name, wanted.kind.explanation) }
        }
        for wanted in fields where wanted.isRequired {
            guard item.contains(where: { $0.name == wanted.name }) else {
                throw .badArg(wanted.name, "it is needed: \(wanted.kind.explanation)")
            }
        }
    }
}

extension ItemSchema.Kind {
    func takes(_ value: ItemField.Value) -> Bool {
        switch (self, value) {
        case (.string, .string), (.int, .int), (.double, .int), (.double, .double), (.bool, .bool): true
        case (.date, .string(let isDate)): isDate
        default: false
        }
    }

    var explanation: String {
        switch self {
        case .string: "a string"
        case .int: "a number without fraction"
        case .double: "a number"
        case .bool: "true or false"
        case .date: "a time such as \"2026-01-31T12:00:00Z\""
        }
    }
}
