import Wire

/// Events and rows as people read them: `12:03 ada: hi`. Nothing in the output can drive a terminal.
package struct MessageFormatter: Sendable {
    /// Whether each line names its conversation, because more than one is shown.
    package let namesConversation: Bool
    /// Whether names and texts with right-to-left letters are isolated; for terminals.
    package let isolates: Bool
    /// Whether each message is led by its number, which edit, delete and react take.
    package var showsNumbers = false
    /// The person's clock: milliseconds since 1970 to local time.
    private let clock: @Sendable (Int64) -> LocalTime
    private let now: @Sendable () -> Int64

    package init(
        namesConversation: Bool,
        isolates: Bool,
        clock: @escaping @Sendable (Int64) -> LocalTime,
        now: @escaping @Sendable () -> Int64
    ) {
        (self.namesConversation, self.isolates, self.clock, self.now) = (namesConversation, isolates, clock, now)
    }

    /// The line for an EV or a ROW of a conversation, without its end; nil for kinds that people are not shown here
    /// (typing, presence, read markers). A text of several lines gives several, the later ones indented.
    package func text(of line: ServerLine) -> String? {
        let body: String?
        switch line.kind {
        case "msg": body = message(line)
        case "edit": body = line["text"].map { "* \(name(line, "by")) edited \(shown(line, "id")): \(block($0))" }
        case "delete": body = "* \(name(line, "by")) deleted \(shown(line, "id"))"
        case "react": body = reaction(line)
        case "lost": body = "* a message was lost here: the server's data were damaged"
        default: body = change(line)
        }
        return body.map { prefix(line) + $0 }
    }

    private func prefix(_ line: ServerLine) -> String {
        var parts: [String] = []
        if namesConversation, line["conv"] != nil { parts.append(name(line, "conv")) }
        if let ts = line["ts"] { parts.append(time(ts)) }
        if showsNumbers, line.kind == "msg", line["seq"] != nil { parts.append("[\(shown(line, "seq"))]") }
        return parts.isEmpty ? "" : parts.joined(separator: " ") + " "
    }

    /// `ts` in local time, as short as it can be; as it came when it is no time.
    package func time(_ ts: String) -> String {
        guard let moment = Timestamp.milliseconds(ts) else { return VisibleText.line(ts) }
        return clock(moment).text(on: clock(now()))
    }

    private func message(_ line: ServerLine) -> String {
        var parts = [name(line, "by")]
        if line["reply"] != nil { parts.append("(reply to \(shown(line, "reply")))") }
        var head = parts.joined(separator: " ") + ":"
        if line["deleted"] != nil { return head + " (deleted)" }
        if let geo = line["geo"] { head += " [location \(VisibleText.line(geo))]" }
        if line["blob"] != nil { head += " [" + attachment(line) + "]" }
        if let text = line["text"] { head += " " + block(text) }
        if line["edited"] != nil { head += " (edited)" }
        if let react = line["react"] { head += "  [" + isolated(react) + "]" }
        return head
    }

    /// Id and type are plain words of the server, to be copied from the screen as they are.
    private func attachment(_ line: ServerLine) -> String {
        var words = [isolated(line["kind"] ?? "file")]
        if let name = line["name"] { words.append(isolated(name)) }
        words += ["type", "blob"].compactMap { line[$0] }.map { VisibleText.line($0) }
        if let size = line["size"] { words.append(VisibleText.line(size) + " bytes") }
        return words.joined(separator: " ")
    }

    private func reaction(_ line: ServerLine) -> String {
        let verb = line["off"] == "yes" ? "took back" : "reacted with"
        return "* \(name(line, "by")) \(verb) \(isolated(line["emoji"] ?? "")) on \(shown(line, "id"))"
    }

    private static let verbs = [
        "join": "joined", "leave": "left", "create": "created", "invite": "invited", "eject": "ejected",
        "ban": "banned", "unban": "unbanned", "mute": "muted", "unmute": "unmuted", "grant": "gave a role to",
        "topic": "set the topic", "drop": "dropped the conversation", "rename": "renamed", "erase": "erased",
    ]

    /// Membership and the rest of the log: `* ada invited bob`.
    private func change(_ line: ServerLine) -> String? {
        guard let kind = line.kind, line["seq"] != nil else { return nil }
        var words = ["*"]
        if line["by"] != nil { words.append(name(line, "by")) }
        words.append(Self.verbs[kind] ?? VisibleText.line(kind))
        if let user = line["user"] { words.append(isolated(user)) }
        for key in ["to", "role", "until"] {
            if let value = line[key] { words.append(key + " " + isolated(value)) }
        }
        if kind == "create", let conv = line["conv"] { words.append(isolated(conv)) }
        let quote = line["title"] ?? line["reason"]
        return words.joined(separator: " ") + (quote.map { ": " + isolated($0) } ?? "")
    }

    private func name(_ line: ServerLine, _ key: String) -> String { isolated(line[key] ?? "?") }

    private func shown(_ line: ServerLine, _ key: String) -> String { VisibleText.line(line[key] ?? "?") }

    private func isolated(_ text: String) -> String {
        let visible = VisibleText.line(text)
        return isolates ? VisibleText.isolated(visible) : visible
    }

    /// Each line of a text is isolated by itself, behind its indent, since an isolate ends with its paragraph.
    private func block(_ text: String) -> String {
        let indent = "      "
        guard isolates else { return VisibleText.block(text, indent: indent) }
        let lines = VisibleText.block(text, indent: "").unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { VisibleText.isolated(String($0)) }.joined(separator: "\n" + indent)
    }
}
