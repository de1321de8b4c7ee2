import FoundationEssentials
import SystemIO
import Testing

@testable import fcd

@Suite("A configuration file") struct ConfigFileTests {
    private func load(_ text: String) throws -> LoadedSettings {
        var loaded = LoadedSettings()
        let file = try ConfigFile(path: "my.json5", bytes: Array(text.utf8))
        for entry in file.entries { try loaded.take(entry, of: file.path) }
        return loaded
    }

    private func fault(_ text: String) -> String {
        do {
            _ = try load(text)
            return "no fault"
        } catch let fault as UsageFault {
            return fault.description
        } catch {
            return "\(error)"
        }
    }

    @Test func `comments, trailing commas, names without quotes and single quotes are understood`() throws {
        let loaded = try load(
            """
            // a comment
            {
              limits: { text: 0x10, 'line': 2048, /* inside */ rate: false, },
              "auth.scrypt-n": 1024,
              auth: { "password-rule": 'classes6' },
              tls: { min: 1.3 },
              listen: { chat: ["0.0.0.0:1", 'unix:/run/a',], plain: "none", blobs: "127.0.0.1:0" },
              proxies: ['10.0.0.0/8'], loops: 2,
            }
            """
        )
        let settings = loaded.settings
        #expect((settings.limits.text, settings.limits.line, settings.limits.rate) == (16, 2048, false))
        #expect((settings.auth.scryptN, settings.auth.passwordRule) == (1024, .classes6))
        #expect(settings.listen.chat == [.ipv4("0.0.0.0", port: 1), .unix("/run/a")])
        #expect((settings.listen.plain, settings.tls.min, settings.loops) == (nil, .v1_3, 2))
        #expect(settings.proxies.map(\.description) == ["10.0.0.0/8"])
        #expect(loaded.origins["limits.text"] == .file("my.json5"))
    }

    @Test(arguments: [
        ("{limits: {txt: 1}}", "my.json5: limits.txt is not a setting; the nearest is limits.text"),
        ("{limit: {text: 1}}", "my.json5: limit.text is not a setting; the nearest is limits.text"),
        ("{text: 1}", "my.json5: text is not a setting; the nearest is limits.text"),
        ("{'auth.scrypt_n': 1024}", "my.json5: auth.scrypt_n is not a setting; the nearest is auth.scrypt-n"),
        ("{log: {format: 'json'}, lop: 2}", "my.json5: lop is not a setting; the nearest is loops"),
        ("{tsl: {}}", "my.json5: tsl is not a setting; the nearest is tls"),
    ]) func `an unknown name is reported with file and nearest name`(_ text: String, _ expected: String) {
        #expect(fault(text) == expected)
    }

    @Test(arguments: [
        ("{limits: {text: 'long'}}", "limits.text = \"long\": allowed is a whole number from 1 to 10000 (characters)"),
        ("{limits: {text: '4000'}}", "limits.text = \"4000\": allowed is a whole number from 1 to 10000 (characters)"),
        ("{limits: {text: 0}}", "limits.text = 0: allowed is a whole number from 1 to 10000 (characters)"),
        ("{limits: {text: -5}}", "limits.text = -5: allowed is"),
        ("{limits: {text: 1.5}}", "limits.text = 1.5: allowed is a whole number"),
        ("{limits: {text: NaN}}", "limits.text = nan: allowed is a whole number"),
        ("{limits: {text: 18446744073709551616}}", "limits.text = 1.8446744073709552e+19: allowed is"),
        ("{limits: {text: null}}", "limits.text = null: allowed is"),
        ("{limits: {text: true}}", "limits.text = true: allowed is"),
        ("{limits: {text: [1]}}", "limits.text = […]: allowed is"),
        ("{limits: {text: {a: 1}}}", "limits.text = {…}: allowed is"),
        ("{limits: 5}", "limits = 5: limits is a group; its settings stand between { and }"),
        ("{'auth.scrypt-n': 1000}", "auth.scrypt-n = 1000: allowed is a power of two from 1024 to 1048576"),
        ("{durability: 'never'}", "durability = never: allowed is sync or interval"),
        ("{listen: {chat: []}}", "listen.chat = \"\": there is no port"),
        ("{listen: {chat: [7700]}}", "listen.chat = […]: allowed is a list of HOST:PORT"),
        ("{listen: {plain: '0.0.0.0:1'}}", "listen.plain = 0.0.0.0:1: without TLS only a loopback address is allowed"),
        ("{tls: {min: 1.1}}", "tls.min = 1.1: allowed is 1.2 or 1.3"),
    ]) func `a wrong value is reported with file, setting and what is allowed`(_ text: String, _ expected: String) {
        #expect(fault(text).hasPrefix("my.json5: \(expected)"), "\(fault(text))")
    }

    @Test(arguments: [
        ("", "line 1, column 1: the file ends where a value is expected"),
        ("{a: 1\n b: 2}", "line 2, column 2: a , or a } is expected"),
        ("{\n  limits: {text: 4000", "line 2, column 22: the file ends where a , or a } is expected"),
        ("{log: {format: json}}", "line 1, column 16: the value json stands in quotes"),
        ("{auth: {scrypt-n: 1}}", "line 1, column 15: a name with - or . in it stands in quotes"),
        ("{} x", "line 1, column 4: nothing may follow the last }"),
        ("{/* a", "line 1, column 2: the comment opened here is not closed"),
        ("{a: \"x\ny\"}", "line 1, column 5: the quote opened here is not closed on its line"),
        ("{a 1}", "line 1, column 4: a : after the name is expected"),
        ("{,}", "line 1, column 2: a name is expected"),
        (String(repeating: "[", count: 100_000), "line 1, column 66: this is nested too deeply"),
    ]) func `a mistake of syntax is reported with file, line and column`(_ text: String, _ expected: String) {
        #expect(fault(text) == "my.json5: \(expected)")
    }

    @Test func `bytes that are no UTF-8 are a mistake of syntax`() {
        #expect(throws: UsageFault.self) {
            try ConfigFile(path: "x", bytes: [0x7b, 0x61, 0x3a, 0x22, 0xff, 0x22, 0x7d])
        }
    }

    @Test(arguments: ["{limits: {text: 1, text: 2}}", "{limits: {text: 1}, 'limits.text': 2}"])
    func `a setting given twice is refused`(_ text: String) {
        #expect(fault(text).contains("text is given twice"))
    }

    @Test(arguments: ["[]", "5", "'x'"]) func `a file that is no object is refused`(_ text: String) {
        #expect(fault(text) == "my.json5: the settings stand between { and }")
    }

    @Test func `a file that cannot be read is named with the reason`() {
        let missing = #expect(throws: UsageFault.self) { try ConfigFile(path: "/nonexistent/fcd.json5") }
        #expect(missing?.description == "/nonexistent/fcd.json5: cannot be read (open: No such file or directory)")
        let directory = #expect(throws: UsageFault.self) { try ConfigFile(path: "/") }
        #expect(directory?.description == "/: cannot be read (read: Is a directory)")
    }

    @Test func `a file without end is refused and not read for ever`() {
        #expect(throws: UsageFault.tooLarge(file: "/dev/zero", limit: ConfigFile.largest)) {
            try ConfigFile(path: "/dev/zero")
        }
    }

    @Test(arguments: ["{'a\\u001b[2J': 1}", "{limits: {text: '\\u000aforged'}}", "{'\\u202e': 1}"])
    func `names and values from the file are shown escaped on one line`(_ text: String) {
        #expect(fault(text).unicodeScalars.allSatisfy { !VisibleText.isHidden($0) })
    }
}
