import Testing

@testable import fcd

/// A setting with values at and beyond its edges.
struct Edge: Sendable, CustomTestStringConvertible {
    let name: String
    let taken: [String]
    let refused: [String]
    var testDescription: String { name }

    static func number(_ name: String, _ range: ClosedRange<Int>) -> Edge {
        let (low, high) = (range.lowerBound, range.upperBound)
        return Edge(
            name: name,
            taken: ["\(low)", "\(high)"],
            refused: [
                "\(low - 1)", "\(high + 1)", "", "-1", "+\(low)", "0\(low)", "\(low).0", "1e3", "0x10", " \(low)", "٣",
                "9223372036854775808", "18446744073709551616", "many",
            ]
        )
    }

    static func words(_ name: String, _ words: String...) -> Edge {
        Edge(name: name, taken: words, refused: ["", "\(words[0]) ", words[0].uppercased() + "x", "none", "yes"])
    }

    /// Written by hand from the documentation, not from the table under test.
    static let all: [Edge] = [
        .words("durability", "sync", "interval"),
        Edge(name: "loops", taken: ["auto", "1", "256"], refused: ["0", "257", "-1", "cpus", ""]),
        Edge(name: "engine", taken: ["auto", "loop", "thread"], refused: ["", "none", "2"]),
        .words("log.format", "text", "json"),
        .words("log.level", "error", "warning", "info", "debug"),
        Edge(
            name: "listen.chat",
            taken: ["127.0.0.1:0", "0.0.0.0:7700,[::1]:7700", "unix:/run/fcd/chat.sock", "localhost:65535"],
            refused: ["", "none", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:7700,", "unix:", "unix:x", "::1:7700"]
        ),
        Edge(
            name: "listen.plain",
            taken: ["none", "127.0.0.1:0", "127.9.9.9:1", "[::1]:7702", "localhost:7702"],
            refused: ["", "0.0.0.0:7702", "[::]:7702", "192.168.1.1:7702", "unix:/run/plain", "off"]
        ),
        Edge(
            name: "listen.blobs",
            taken: ["127.0.0.1:0", "[::]:7701"],
            refused: ["", "none", "unix:/run/blobs", "1.2.3.4:1,1.2.3.4:2"]
        ),
        Edge(
            name: "blobs.url",
            taken: ["", "https://chat.example.org", "http://10.0.0.1:80", "https://[::1]:7701", "https://h:7701/"],
            refused: [
                "chat.example.org", "ftp://h", "https://", "https://h:0", "https://h/x", "https://h y", "https://h:1:2",
            ]
        ),
        Edge(
            name: "proxies",
            taken: ["", "10.0.0.1", "10.0.0.0/8,::1", "fd00::/8"],
            refused: ["10.0.0.1/8", "10.0.0.0/33", "host", "10.0.0.1,", "::/129"]
        ),
        Edge(name: "tls.certificate", taken: ["", "/etc/fcd/chain.pem"], refused: ["a\nb", "a\u{0}"]),
        Edge(name: "tls.key", taken: ["", "key.pem"], refused: ["a\nb", "\u{7f}"]),
        .words("tls.min", "1.2", "1.3"),
        .words("auth.signup", "open", "invite", "closed"),
        Edge(name: "auth.anonymous", taken: ["on", "off"], refused: ["", "true", "ON", "1", "yes"]),
        Edge(name: "auth.anonymous-create", taken: ["on", "off"], refused: ["", "false", "Off"]),
        .words("auth.password-rule", "length8", "classes6"),
        Edge(
            name: "auth.scrypt-n",
            taken: ["1024", "32768", "1048576"],
            refused: ["512", "1025", "2097152", "0", "-1024", "32769", ""]
        ),
        .number("auth.scrypt-p", 1...16),
        .number("limits.text", 1...10000),
        .number("limits.line", 1024...65536),
        .number("limits.reactions", 1...1000),
        .number("limits.blob", 1...17_179_869_184),
        .number("limits.avatar", 1...104_857_600),
        .number("limits.quota", 0...1_125_899_906_842_624),
        .number("limits.blob-unused", 1...31_536_000),
        .number("limits.replies", 16384...16_777_216),
        .number("limits.stall", 10...604_800),
        .number("limits.in-flight", 1...65536),
        .number("limits.subscriptions", 1...100_000),
        .number("limits.sign-in-time", 1...3600),
        .number("limits.handshake-time", 1...600),
        .number("limits.conversations-owned", 0...100_000),
        .number("limits.conversations-joined", 1...100_000),
        .number("limits.items", 0...10_000_000),
        .number("limits.sessions", 1...10000),
        .number("limits.tokens", 0...10000),
        .number("limits.nonces", 1...1_000_000),
        .number("limits.guest-idle", 1...3650),
        .number("limits.undurable", 65536...1_073_741_824),
        .number("limits.handshakes", 1...4096),
        .number("limits.memory", 1...100),
        Edge(name: "limits.rate", taken: ["on", "off"], refused: ["", "none", "0"]),
        .number("limits.sign-ins", 1...1000),
        .number("limits.sign-in-wait", 1...86400),
        .number("limits.commands", 1...1_000_000),
        .number("limits.sign-ups", 1...1_000_000),
        .number("limits.connections-per-source", 1...1_000_000),
        .number("snapshot.interval", 1...86400),
        .number("snapshot.journal-bytes", 4096...1_099_511_627_776),
        Edge(name: "history.max-messages", taken: ["all", "1", "1000000000"], refused: ["0", "none", ""]),
        Edge(name: "history.max-age", taken: ["all", "60", "3153600000"], refused: ["59", "30d", ""]),
    ]
}

@Suite("The range of each setting") struct SettingRangeTests {
    @Test func `every setting has its edges tested`() {
        #expect(SettingKey.all.map(\.name).sorted() == Edge.all.map(\.name).sorted())
    }

    @Test(arguments: Edge.all) func `values at the edges are taken and those beyond are refused by name`(_ edge: Edge)
        throws
    {
        let key = try #require(SettingKey.named(edge.name))
        for text in edge.taken {
            var settings = Settings()
            #expect(throws: Never.self, "\(text)") { try key.write(&settings, text) }
            let again = key.read(settings)
            #expect(throws: Never.self, "\(again)") { try key.write(&settings, again) }
            #expect(key.read(settings) == again)
        }
        for text in edge.refused {
            var sources = SettingSources()
            sources.sets = [.init(origin: .set, name: edge.name, text: text)]
            let fault = #expect(throws: UsageFault.self, "\(edge.name)=\(text)") { try sources.load() }
            let message = fault?.description ?? ""
            #expect(message.contains("--set: \(edge.name) = "))
            #expect(!message.contains("\n"))
        }
    }

    @Test(arguments: Edge.all) func `a refused value leaves the settings as they were`(_ edge: Edge) throws {
        let key = try #require(SettingKey.named(edge.name))
        var settings = Settings()
        for text in edge.refused { try? key.write(&settings, text) }
        #expect(settings == Settings())
    }

    @Test func `every taken value changes its own setting only`() throws {
        for edge in Edge.all {
            let key = try #require(SettingKey.named(edge.name))
            for text in edge.taken {
                var settings = Settings()
                try key.write(&settings, text)
                let changed = SettingKey.all.filter { $0.read(settings) != $0.defaultText }.map(\.name)
                #expect(changed == [] || changed == [edge.name])
            }
        }
    }
}
