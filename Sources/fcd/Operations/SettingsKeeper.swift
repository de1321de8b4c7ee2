import ChatModel
import Engine
import OperatorFrontEnd
import SystemIO

/// The settings as they count while the daemon runs.
///
/// For a setting that is live: what the operator SET, else what the sources said when they were last read. For the others:
/// what they said at start. Read again by the loop that takes SIGHUP, asked by the engine's thread.
final class SettingsKeeper: SettingsDesk, Sendable {
    private struct Book {
        /// The sources, as last read without fault.
        var loaded: LoadedSettings
        /// What the operator SET, by name.
        var overrides: [String: String]
        /// What `current` last gave.
        var told: Settings
    }

    private let sources: SettingSources
    private let started: Settings
    private let greeting: @Sendable (Settings, String) -> [KeyValue]
    private let book: Lock<Book>

    /// Settings that are not live but are taken by a reload: new connections get the new certificate.
    private static let ofCertificate = ["tls.certificate", "tls.key", "tls.min"]

    /// - Parameters:
    ///   - recorded: what the operator SET before; what this version does not take is left out and logged.
    ///   - greeting: HI for settings and the log's identity, without its time.
    init(
        _ loaded: LoadedSettings,
        from sources: SettingSources,
        recorded: [String: String],
        log: Log,
        greeting: @escaping @Sendable (Settings, String) -> [KeyValue]
    ) {
        (self.sources, started, self.greeting) = (sources, loaded.settings, greeting)
        var overrides: [String: String] = [:]
        for (name, value) in recorded.sorted(by: { $0.key < $1.key }) {
            var copy = loaded.settings
            if let key = SettingKey.named(name), key.isLive, (try? key.write(&copy, value)) != nil {
                overrides[name] = value
            } else {
                log.warning("settings", "what was SET is not taken any more", ["key": name, "value": value])
            }
        }
        let told = Self.effective(loaded.settings, loaded.settings, overrides)
        book = Lock(Book(loaded: loaded, overrides: overrides, told: told))
    }

    private static func effective(_ started: Settings, _ now: Settings, _ overrides: [String: String]) -> Settings {
        var settings = started
        for key in SettingKey.all where key.isLive {
            // Both texts were taken before.
            try? key.write(&settings, overrides[key.name] ?? key.read(now))
        }
        return settings
    }

    /// What counts now.
    var settings: Settings {
        book.withLock { (book: inout Book) -> Settings in
            Self.effective(started, book.loaded.settings, book.overrides)
        }
    }

    // MARK: Reload

    /// Reads the sources again; nothing is taken yet.
    func readAgain() throws(UsageFault) -> LoadedSettings { try sources.load() }

    /// Takes what was read.
    /// - Returns: the names of changed settings that count only after a restart.
    func adopt(_ loaded: LoadedSettings) -> [String] {
        book.withLock { (book: inout Book) in book.loaded = loaded }
        return SettingKey.all.filter { waitsForRestart($0, loaded.settings) }.map(\.name)
    }

    private func waitsForRestart(_ key: SettingKey, _ now: Settings) -> Bool {
        !key.isLive && !Self.ofCertificate.contains(key.name) && key.read(now) != key.read(started)
    }

    // MARK: SettingsDesk

    func rows(key: String?) throws(Refusal) -> [Row] {
        let keys = try key.map { name throws(Refusal) in [try Self.find(name)] } ?? SettingKey.all
        return book.withLock { (book: inout Book) -> [Row] in keys.map { row($0, book) } }
    }

    private func row(_ key: SettingKey, _ book: Book) -> Row {
        let settings = Self.effective(started, book.loaded.settings, book.overrides)
        let isRead = key.isLive || Self.ofCertificate.contains(key.name)
        let origin = book.overrides[key.name] == nil ? book.loaded.origins[key.name]?.description ?? "default" : "SET"
        var fields: [KeyValue] = [
            .word("key", key.name), .word("value", key.read(isRead && !key.isLive ? book.loaded.settings : settings)),
            .word("from", origin), .flag("live", key.isLive),
        ]
        if waitsForRestart(key, book.loaded.settings) {
            fields.append(.word("after-restart", key.read(book.loaded.settings)))
        }
        return Row("setting", fields)
    }

    func check(key name: String, value: String?) throws(Refusal) {
        let key = try Self.find(name)
        guard key.isLive else {
            throw Refusal(.conflict, field: "key", "\(name) counts from the start only: change it there and restart")
        }
        guard let value else { return }
        var copy = settings
        do throws(Rejection) { try key.write(&copy, value) } catch { throw .badArg("value", error.why) }
    }

    func take(key: String, value: String?) {
        book.withLock { (book: inout Book) in book.overrides[key] = value }
    }

    func current(log: String) -> (live: LiveSettings, changed: [(key: String, value: String)]) {
        let (before, now) = book.withLock { (book: inout Book) -> (Settings, Settings) in
            let now = Self.effective(started, book.loaded.settings, book.overrides)
            defer { book.told = now }
            return (book.told, now)
        }
        let changed = SettingKey.all.filter {
            $0.isLive && $0.name.hasPrefix("limits.") && $0.read(before) != $0.read(now)
        }
        let live = LiveSettings(limits: now.coreLimits, backOff: now.backOff, greeting: greeting(now, log))
        return (live, changed.map { ($0.name, $0.read(now)) })
    }

    private static func find(_ name: String) throws(Refusal) -> SettingKey {
        if let key = SettingKey.named(name) { return key }
        let nearest = NearestName.of(name, among: SettingKey.all.map(\.name))
        throw .badArg("key", "there is no such setting; the nearest is \(nearest)")
    }
}

extension Settings {
    /// Slows failed sign-ins down; nil when rates are off.
    var backOff: SignInBackOff? {
        limits.rate ? SignInBackOff(free: limits.signIns, longestSeconds: limits.signInWait) : nil
    }
}
