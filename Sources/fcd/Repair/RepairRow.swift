import Wire

/// One thing that a repair found or does: a sentence for people, an object for programs.
struct RepairRow: Equatable {
    let kind: String
    let fields: [ServerLine.Field]
    let text: String

    init(_ kind: String, _ pairs: KeyValuePairs<String, String>, _ text: String) {
        self.kind = kind
        fields =
            [ServerLine.Field(key: "kind", value: kind, isQuoted: true)]
            + pairs.map { ServerLine.Field(key: $0.key, value: $0.value, isQuoted: true) }
        self.text = text
    }

    /// As text that can drive no terminal, with its line end.
    var line: String {
        var bytes: [UInt8] = []
        VisibleText.append(text, quoted: false, limit: .max, to: &bytes)
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    /// As JSON, with its line end.
    var json: String { RowTable.json(fields) }
}
