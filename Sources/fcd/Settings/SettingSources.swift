import SystemIO

/// Where the settings of a run come from; kept, so that a reload reads the same places again.
///
/// Later ones win: defaults, the configuration file, the environment, `--set` in the order given, and the options
/// `--chat`, `--plain` and `--blobs`.
struct SettingSources: Sendable, Equatable {
    /// A setting given on the command line.
    struct Given: Sendable, Equatable {
        let origin: SettingOrigin
        let name: String
        let text: String
    }

    /// The path after `--config`; nil without.
    var configFile: String?
    /// All variables of the process; those that begin with `FCD_` are settings.
    var environment: [String: String] = [:]
    var sets: [Given] = []
    var options: [Given] = []

    /// The variables of this process.
    static var processEnvironment: [String: String] { ProcessEnvironment.variables }

    /// Reads all sources and checks them; nothing is taken when one value is wrong.
    /// - Throws: `UsageFault` for the first wrong one, naming source, setting and what is allowed.
    func load() throws(UsageFault) -> LoadedSettings {
        var loaded = LoadedSettings()
        if let configFile {
            for entry in try ConfigFile(path: configFile).entries { try loaded.take(entry, of: configFile) }
        }
        for (variable, text) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("FCD_") {
            guard let key = SettingKey.all.first(where: { $0.variable == variable }) else {
                let nearest = NearestName.of(variable, among: SettingKey.all.map(\.variable))
                throw .unknownSetting(.environment(variable), name: variable, nearest: nearest)
            }
            try loaded.take(key, text, from: .environment(variable))
        }
        for given in sets + options {
            guard let key = SettingKey.named(given.name) else {
                let nearest = NearestName.of(given.name, among: SettingKey.all.map(\.name))
                throw .unknownSetting(given.origin, name: given.name, nearest: nearest)
            }
            try loaded.take(key, given.text, from: given.origin)
        }
        try loaded.settings.checkTogether()
        return loaded
    }
}
