/// One setting: its name, what it takes, what it is for, and where its value stands in `Settings`.
struct SettingKey: Sendable {
    struct Traits: OptionSet, Sendable {
        let rawValue: Int
        /// Changeable while the daemon runs.
        static let live = Traits(rawValue: 1)
        /// The part it steers is not built yet: taken and checked, without effect.
        static let later = Traits(rawValue: 2)
    }

    /// Where a value stands in `Settings`.
    typealias Place<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// As written in `--set`: lower case, parts joined by dots.
    let name: String
    let kind: SettingKind
    /// One sentence in the operator's words.
    let summary: String
    let traits: Traits
    /// The value in the spelling that `write` takes.
    let read: @Sendable (Settings) -> String
    /// Sets the value from text.
    /// - Throws: `Rejection`; the settings are then unchanged.
    let write: @Sendable (inout Settings, String) throws(Rejection) -> Void

    var isLive: Bool { traits.contains(.live) }
    var isBuilt: Bool { !traits.contains(.later) }
    var defaultText: String { read(Settings()) }

    /// The environment variable: `FCD_LIMITS_TEXT` for `limits.text`.
    var variable: String {
        "FCD_" + name.uppercased().split { $0 == "." || $0 == "-" }.joined(separator: "_")
    }
}

extension SettingKey {
    static func number(
        _ name: String,
        _ path: Place<Int>,
        _ range: ClosedRange<Int>,
        _ unit: String,
        is traits: Traits = [],
        _ summary: String
    ) -> SettingKey {
        let kind = SettingKind.number(range, unit: unit)
        return SettingKey(name: name, kind: kind, summary: summary, traits: traits) {
            String($0[keyPath: path])
        } write: {
            (settings, text) throws(Rejection) in
            guard let number = decimal(text, in: range) else { throw Rejection("allowed is \(kind.allowed)") }
            settings[keyPath: path] = number
        }
    }

    /// A number that may be left unset, for which `absent` is the word.
    static func number(
        _ name: String,
        _ path: Place<Int?>,
        _ range: ClosedRange<Int>,
        _ unit: String,
        absent: String,
        is traits: Traits = [],
        _ summary: String
    ) -> SettingKey {
        let kind = SettingKind.number(range, unit: unit, absent: absent)
        return SettingKey(name: name, kind: kind, summary: summary, traits: traits) {
            $0[keyPath: path].map { String($0) } ?? absent
        } write: { (settings, text) throws(Rejection) in
            let number = decimal(text, in: range)
            guard number != nil || text == absent else { throw Rejection("allowed is \(kind.allowed)") }
            settings[keyPath: path] = number
        }
    }

    static func powerOfTwo(
        _ name: String,
        _ path: Place<Int>,
        _ range: ClosedRange<Int>,
        _ summary: String
    ) -> SettingKey {
        let kind = SettingKind.powerOfTwo(range)
        return SettingKey(name: name, kind: kind, summary: summary, traits: []) {
            String($0[keyPath: path])
        } write: {
            (settings, text) throws(Rejection) in
            guard let number = decimal(text, in: range), number.nonzeroBitCount == 1 else {
                throw Rejection("allowed is \(kind.allowed)")
            }
            settings[keyPath: path] = number
        }
    }

    static func flag(
        _ name: String,
        _ path: Place<Bool>,
        is traits: Traits = [],
        _ summary: String
    ) -> SettingKey {
        SettingKey(name: name, kind: .flag, summary: summary, traits: traits) {
            $0[keyPath: path] ? "on" : "off"
        } write: {
            (settings, text) throws(Rejection) in
            guard text == "on" || text == "off" else { throw Rejection("allowed is \(SettingKind.flag.allowed)") }
            settings[keyPath: path] = text == "on"
        }
    }

    static func word<Word: SettingWord>(
        _ name: String,
        _ path: Place<Word>,
        is traits: Traits = [],
        _ summary: String
    ) -> SettingKey {
        let kind = SettingKind.words(Word.allCases.map(\.rawValue))
        return SettingKey(name: name, kind: kind, summary: summary, traits: traits) {
            $0[keyPath: path].rawValue
        } write: {
            (settings, text) throws(Rejection) in
            guard let word = Word(rawValue: text) else { throw Rejection("allowed is \(kind.allowed)") }
            settings[keyPath: path] = word
        }
    }
}
