/// The other one of a 1:1.
package enum Peer {
    /// What `user` calls the conversation `name`: `@ada,bob` is `@bob` for ada; all else keeps its name.
    package static func title(of name: String, for user: String) -> String {
        guard name.hasPrefix("@") else { return name }
        let both = name.dropFirst().split(separator: ",").map(String.init)
        guard both.count == 2, let mine = both.firstIndex(where: { $0.lowercased() == user.lowercased() }) else {
            return name
        }
        return "@" + both[1 - mine]
    }
}
