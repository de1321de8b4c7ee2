import FoundationEssentials
import Testing

@testable import fcd

@Suite("The table of settings") struct SettingTableTests {
    /// The settings that scripts rely on, with their defaults as text.
    static let documented: [(name: String, standard: String)] = [
        ("durability", "sync"), ("snapshot.interval", "300"), ("snapshot.journal-bytes", "67108864"),
        ("limits.text", "4000"), ("limits.line", "16384"), ("limits.blob", "26214400"), ("limits.avatar", "1048576"),
        ("limits.quota", "1073741824"), ("limits.rate", "on"), ("auth.signup", "open"), ("auth.anonymous", "on"),
        ("auth.anonymous-create", "off"), ("auth.password-rule", "length8"), ("auth.scrypt-n", "32768"),
        ("auth.scrypt-p", "3"), ("tls.certificate", ""), ("tls.key", ""), ("tls.min", "1.2"),
        ("listen.chat", "127.0.0.1:7700"), ("listen.plain", "127.0.0.1:7702"), ("listen.blobs", "127.0.0.1:7701"),
        ("blobs.url", ""), ("proxies", ""), ("history.max-messages", "all"), ("history.max-age", "all"),
        ("limits.memory", "70"), ("limits.replies", "262144"), ("limits.stall", "7200"), ("loops", "auto"),
        ("log.format", "text"), ("log.level", "info"), ("limits.conversations-owned", "50"),
        ("limits.conversations-joined", "1000"), ("limits.items", "10000"), ("limits.tokens", "100"),
        ("limits.sessions", "100"), ("limits.nonces", "10000"), ("limits.subscriptions", "1000"),
        ("limits.reactions", "50"), ("limits.in-flight", "256"), ("limits.undurable", "8388608"),
        ("limits.sign-in-time", "60"), ("limits.handshake-time", "10"),
    ]

    @Test func `every documented setting is in the table with its default`() throws {
        for (name, standard) in Self.documented {
            let key = try #require(SettingKey.named(name), "\(name)")
            #expect(key.defaultText == standard, "\(name)")
        }
    }

    @Test func `the settings that can be changed live are the documented ones`() {
        let live = SettingKey.all.filter(\.isLive).map(\.name)
        #expect(
            live.sorted() == [
                "auth.anonymous", "auth.anonymous-create", "auth.password-rule", "auth.signup", "limits.avatar",
                "limits.blob", "limits.blob-unused", "limits.quota", "limits.rate", "limits.text",
            ]
        )
    }

    @Test func `names and environment variables are each used once`() {
        #expect(Set(SettingKey.all.map(\.name)).count == SettingKey.all.count)
        #expect(Set(SettingKey.all.map(\.variable)).count == SettingKey.all.count)
        #expect(SettingKey.named("auth.scrypt-n")?.variable == "FCD_AUTH_SCRYPT_N")
    }

    @Test func `no setting has the name of a group`() {
        for key in SettingKey.all {
            #expect(!SettingKey.all.contains { $0.name.hasPrefix(key.name + ".") }, "\(key.name)")
        }
    }

    @Test func `help names every option and setting and keeps to the width of a page`() {
        let help = Help.text
        for option in Option.allCases {
            #expect(help.contains("  \(option.rawValue)") || help.contains(", \(option.rawValue)"))
        }
        for key in SettingKey.all { #expect(help.contains("  \(key.name)")) }
        for line in help.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
}

@Suite("The sample configuration") struct SampleConfigurationTests {
    private func sample() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: root.appending(path: "etc/fcd.json5")), as: UTF8.self)
    }

    private func load(_ text: String) throws -> LoadedSettings {
        var loaded = LoadedSettings()
        let file = try ConfigFile(path: "fcd.json5", bytes: Array(text.utf8))
        for entry in file.entries { try loaded.take(entry, of: file.path) }
        return loaded
    }

    @Test func `as it is it changes nothing`() throws {
        let loaded = try load(try sample())
        #expect(loaded.origins.isEmpty)
        #expect(loaded.settings == Settings())
    }

    @Test func `with every setting uncommented it gives all of them with their defaults`() throws {
        let lines = try sample().split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            let text = line.drop { $0 == " " }
            return text.hasPrefix("//") && !text.hasPrefix("// ") ? text.dropFirst(2) : line
        }
        let loaded = try load(lines.joined(separator: "\n"))
        #expect(loaded.settings == Settings())
        #expect(Set(loaded.origins.keys) == Set(SettingKey.all.map(\.name)))
    }
}
