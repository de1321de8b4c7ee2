import ChatModel

extension Request {
    /// Bytes of the longest name that is worth folding; no valid name is longer before it is normalised.
    private static let longestName = 512

    /// The conversation the next word names: `#name`, `@user` or `@a,b`. A name that could never be valid is one that
    /// does not exist.
    /// - Throws: BAD-ARG with `field=conv` when the word is missing or begins with neither.
    mutating func conversation() throws(Refusal) -> ConversationTarget {
        let word = try words.argument("conv")
        let name = UnsafeRawBufferPointer(rebasing: word.dropFirst())
        switch word.first {
        case 0x23: return .named(Self.key(name))
        case 0x40:
            guard let comma = name.firstIndex(of: 0x2C) else { return .direct(Self.key(name)) }
            return .pair(
                Self.key(UnsafeRawBufferPointer(rebasing: name[..<comma])),
                Self.key(UnsafeRawBufferPointer(rebasing: name[(comma + 1)...]))
            )
        default: throw .badArg("conv", "a conversation is #name, or @user for one to one")
        }
    }

    /// The next word, which must be a `#name`, without its `#`, as written.
    mutating func newName() throws(Refusal) -> String {
        let word = try words.argument("conv")
        guard word.first == 0x23 else { throw .badArg("conv", "a conversation's name begins with #") }
        return String(decoding: UnsafeRawBufferPointer(rebasing: word.dropFirst()), as: UTF8.self)
    }

    /// The folded key of a name; the empty one, which nothing has, for a name longer than any.
    static func key(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.count <= longestName else { return "" }
        let name = String(decoding: bytes, as: UTF8.self)
        return NameFolding.isFolded(bytes) ? name : NameFolding.key(of: name)
    }
}
