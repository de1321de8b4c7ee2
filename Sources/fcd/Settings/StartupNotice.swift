extension LoadedSettings {
    /// The names of settings that were given, by whatever source, and have no effect yet, in the order of the table.
    var withoutEffect: [String] {
        SettingKey.all.filter { !$0.isBuilt && origins[$0.name] != nil }.map(\.name)
    }

    /// Says once at start which settings were given without effect; silent when there are none.
    func reportWithoutEffect(to log: Log) {
        let names = withoutEffect
        if names.isEmpty { return }
        log.warning("settings", "taken, but without effect in this version", ["settings": names.joined(separator: ",")])
    }
}
