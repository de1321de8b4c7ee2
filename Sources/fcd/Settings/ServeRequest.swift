/// What `fcd serve` was asked to do.
struct ServeRequest: Sendable, Equatable {
    /// As given, relative to the working directory.
    var dataDirectory = "fcd-data"
    var sources = SettingSources()

    /// The last one given for `setting` counts.
    mutating func option(_ option: Option, _ setting: String, _ text: String) {
        sources.options.removeAll { $0.name == setting }
        sources.options.append(.init(origin: .option(option.rawValue), name: setting, text: text))
    }

    /// Several add up.
    mutating func chat(_ text: String) {
        let before = sources.options.first { $0.name == "listen.chat" }
        option(.chat, "listen.chat", before.map { "\($0.text),\(text)" } ?? text)
    }
}
