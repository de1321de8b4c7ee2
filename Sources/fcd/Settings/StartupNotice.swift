extension LoadedSettings {
    /// The names of settings that were given, by whatever source, and have no effect yet, in the order of the table;
    /// for those that only lack one word, `name=word`.
    var withoutEffect: [String] {
        SettingKey.all.compactMap { key in
            guard origins[key.name] != nil else { return nil }
            let text = key.read(settings)
            if key.hasEffect(text) { return nil }
            return key.isBuilt ? "\(key.name)=\(text)" : key.name
        }
    }

    /// Says once at start which settings were given without effect; silent when there are none.
    func reportWithoutEffect(to log: Log) {
        let names = withoutEffect
        if names.isEmpty { return }
        log.warning("settings", "taken, but without effect in this version", ["settings": names.joined(separator: ",")])
    }
}
