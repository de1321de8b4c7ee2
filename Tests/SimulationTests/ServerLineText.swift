/// A line of the server, looked at by its words.
extension String {
    /// The value of a bare `key=`; nil when there is none.
    func value(_ key: String) -> String? {
        for word in split(separator: " " as Character) where word.hasPrefix(key + "=") {
            return String(word.dropFirst(key.count + 1))
        }
        return nil
    }

    var seq: Int { value("seq").flatMap { Int($0) } ?? 0 }
    var words: [String] { split(separator: " " as Character).map(String.init) }
}
