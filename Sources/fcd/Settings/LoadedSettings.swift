/// Settings as they came out of their sources.
struct LoadedSettings: Sendable, Equatable {
    private(set) var settings = Settings()
    /// The last source of each setting that was given at all, by its name.
    private(set) var origins: [String: SettingOrigin] = [:]

    /// Sets one value from the words of the command line or the environment.
    mutating func take(_ key: SettingKey, _ text: String, from origin: SettingOrigin) throws(UsageFault) {
        do {
            try key.write(&settings, text)
        } catch {
            throw .badValue(origin, setting: key.name, given: text, why: error.why)
        }
        origins[key.name] = origin
    }

    /// Sets one value of a configuration file, whose type counts too.
    mutating func take(_ entry: ConfigFile.Entry, of path: String) throws(UsageFault) {
        let (key, value) = (entry.key, entry.value)
        guard let text = key.kind.text(of: value) else {
            let why = "allowed is \(key.kind.allowed)"
            throw .badValue(.file(path), setting: key.name, given: value.shown, why: why)
        }
        try take(key, text, from: .file(path))
    }
}
