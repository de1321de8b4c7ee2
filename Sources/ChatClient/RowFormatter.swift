import Wire

/// Rows of every kind as people read them: what names the thing first, then all else as `key=value`.
package struct RowFormatter: Sendable {
    private let messages: MessageFormatter
    private let conversations: ConversationFormatter

    /// Takes its clock and its isolation from `messages`.
    package init(like messages: MessageFormatter) {
        (self.messages, conversations) = (messages, ConversationFormatter(like: messages))
    }

    /// Keys that need no name, because the command's help says what stands there.
    private static let plain = [
        "user": ["user", "display"], "member": ["user", "role"], "who": ["user", "state", "text"],
        "session": ["id"], "token": ["id", "label", "scope"], "block": ["user"],
        "blob": ["blob", "name", "type"], "item": ["id", "op", "json"], "conv": ["conv"],
    ]

    /// A line without its end.
    package func text(of row: ServerLine) -> String {
        if row.kind == "msg" { return messages.text(of: row) ?? "" }
        if row.kind == "conv", row["last-seq"] != nil || row["preview"] != nil { return conversations.text(of: row) }
        let plain = Self.plain[row.kind ?? ""] ?? []
        // A display name that is the handle says nothing.
        let first = plain.filter { $0 != "display" || row[$0] != row["user"] }.compactMap { key in
            row[key].map { shown($0, key) }
        }
        let others = row.fields.filter { !plain.contains($0.key) }.map {
            VisibleText.line($0.key) + "=" + shown($0.value, $0.key)
        }
        return (first + others).joined(separator: "  ")
    }

    /// The keys of an OK, one a line.
    package func lines(of end: ServerLine) -> [String] {
        end.fields.map { VisibleText.line($0.key) + ": " + shown($0.value, $0.key) }
    }

    private func shown(_ value: String, _ key: String) -> String {
        if ["created", "expires", "ts"].contains(key) { return messages.time(value) }
        let visible = VisibleText.line(value)
        return messages.isolates ? VisibleText.isolated(visible) : visible
    }
}
