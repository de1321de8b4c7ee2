/// The options of all verbs together.
enum OptionKey: Int, CaseIterable {
    case name, display, phone, invite, token, anonymous, all, isPrivate, title, after, limit, before
    case around, nonce, reply, blob, geo, kind, text, since, last, client, lang
    case size, type, conv, sha256, link, links
    case avatar, bio, duration, role, off, scope, expires, uses, max, age, by
    case id, rev, `where`

    /// As written in front of the `=`, in the order of the cases.
    private static let words: [String] = [
        "name", "display", "phone", "invite", "token", "anonymous", "all", "private", "title", "after", "limit",
        "before",
        "around", "nonce", "reply", "blob", "geo", "kind", "text", "since", "last", "client", "lang",
        "size", "type", "conv", "sha256", "link", "links",
        "avatar", "bio", "for", "role", "off", "scope", "expires", "uses", "max", "age", "by",
        "id", "rev", "where",
    ]
    private static let packed = words.map(PackedWord.init)

    var word: String { Self.words[rawValue] }

    /// Nil when no verb has such an option. Allocates nothing.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let key = PackedWord(bytes, upper: false), let index = Self.packed.firstIndex(of: key) else { return nil }
        self.init(rawValue: index)
    }
}

/// The options a verb takes.
struct OptionKeys: OptionSet {
    let rawValue: UInt64
    init(rawValue: UInt64) { self.rawValue = rawValue }
    init(_ keys: OptionKey...) { rawValue = keys.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }
    func contains(_ key: OptionKey) -> Bool { rawValue & 1 << UInt64(key.rawValue) != 0 }
    mutating func insert(_ key: OptionKey) { self = OptionKeys(rawValue: rawValue | 1 << UInt64(key.rawValue)) }
}
