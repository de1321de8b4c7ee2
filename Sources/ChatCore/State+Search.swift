import ChatModel

extension State {
    /// The handles under which messages of whoever has `handle` stand in lines; nil when nobody has or had it.
    package func names(ofHandle handle: String) -> [String]? {
        guard let number = handles[NameFolding.key(of: handle)] else { return nil }
        return account(number)?.names ?? expiredHandles[number].map { [$0] }
    }
}
