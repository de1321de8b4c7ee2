import Wire

/// A row of CONVS as people read it: `#lobby  3 new  12:03  hi`.
package struct ConversationFormatter: Sendable {
    private let messages: MessageFormatter

    /// Takes its clock and its isolation from `messages`.
    package init(like messages: MessageFormatter) { self.messages = messages }

    package func text(of row: ServerLine) -> String {
        var parts = [shown(row["conv"] ?? "?")]
        if row["role"] == "invited" { parts.append("invited") }
        if let unread = row.number("unread"), unread > 0 { parts.append("\(unread) new") }
        if let ts = row["last-ts"] { parts.append(messages.time(ts)) }
        if let preview = row["preview"], !preview.isEmpty { parts.append(shown(preview)) }
        return parts.joined(separator: "  ")
    }

    private func shown(_ text: String) -> String {
        let visible = VisibleText.line(text)
        return messages.isolates ? VisibleText.isolated(visible) : visible
    }
}
