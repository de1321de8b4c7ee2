import Testing

@testable import fcd

@Suite("A listening address") struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:7700", ListenAddress.Family.ipv4, "127.0.0.1", UInt16(7700), "127.0.0.1:7700"),
        ("0.0.0.0:0", .ipv4, "0.0.0.0", 0, "0.0.0.0:0"),
        ("localhost:65535", .ipv4, "127.0.0.1", 65535, "127.0.0.1:65535"),
        ("[::1]:1", .ipv6, "::1", 1, "[::1]:1"),
        ("[2001:DB8:0::1]:1", .ipv6, "2001:db8::1", 1, "[2001:db8::1]:1"),
        ("unix:/run/fcd/a:b", .unix, "/run/fcd/a:b", 0, "unix:/run/fcd/a:b"),
    ]) func `is read in three forms and written back in the usual spelling`(
        _ text: String,
        _ family: ListenAddress.Family,
        _ host: String,
        _ port: UInt16,
        _ spelling: String
    ) throws {
        let address = try ListenAddress(text)
        #expect((address.family, address.host, address.port) == (family, host, port))
        #expect(address.description == spelling)
    }

    @Test(arguments: [
        ("127.0.0.1", "there is no port"), ("", "there is no port"), (":7700", "there is no host"),
        ("127.0.0.1:", "the port is not"), ("127.0.0.1:65536", "the port is not"), ("127.0.0.1:-1", "the port is not"),
        ("127.0.0.1:+1", "the port is not"), ("127.0.0.1:01", "the port is not"), ("127.0.0.1:٣", "the port is not"),
        ("127.0.0.1:99999999999999999999", "the port is not"), ("example.org:1", "the host is no numeric address"),
        ("127.0.0.256:1", "the host is no numeric address"), ("127.1:1", "the host is no numeric address"),
        ("127.0.0.1\u{0}:1", "the host is no numeric address"), ("::1:7700", "an IPv6 address stands in brackets"),
        ("[127.0.0.1]:1", "there is no IPv6 address"), ("[::g]:1", "there is no IPv6 address"),
        ("[::1%lo]:1", "there is no IPv6 address"), ("[]:1", "there is no IPv6 address"), ("[:1", "the host is no"),
        ("unix:", "the path of a unix socket begins"), ("unix:relative", "the path of a unix socket begins"),
        ("unix:/", "the path of a unix socket begins"), ("unix:/a b", "blanks, commas and control"),
        ("unix:/a,b", "blanks, commas and control"), ("unix:/a\nb", "blanks, commas and control"),
        ("unix:/" + String(repeating: "x", count: 107), "the path of a unix socket has at most 107"),
    ]) func `is refused with what is wrong in it`(_ text: String, _ why: String) {
        let rejection = #expect(throws: Rejection.self, "\(text)") { try ListenAddress(text) }
        #expect(rejection?.why.hasPrefix(why) == true, "\(rejection?.why ?? "")")
    }

    @Test func `is loopback for 127.0.0.0 with 8 bits and for ::1 only`() throws {
        for text in ["127.0.0.1:1", "127.255.255.254:1", "[::1]:1"] { #expect(try ListenAddress(text).isLoopback) }
        for text in ["0.0.0.0:1", "128.0.0.1:1", "[::]:1", "[::2]:1", "[::ffff:127.0.0.1]:1", "unix:/a"] {
            #expect(try !ListenAddress(text).isLoopback, "\(text)")
        }
    }
}

@Suite("The nearest name") struct NearestNameTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "ab", 1), ("kitten", "sitting", 3),
    ]) func `is counted in insertions, deletions, replacements and swaps`(_ a: String, _ b: String, _ edits: Int) {
        #expect(NearestName.distance(Array(a.utf8), Array(b.utf8)) == edits)
        #expect(NearestName.distance(Array(b.utf8), Array(a.utf8)) == edits)
    }

    @Test(arguments: [
        ("limits.tetx", "limits.text"), ("LIMITS.TEXT", "limits.text"), ("limits.in_flight", "limits.in-flight"),
        ("scrypt-n", "auth.scrypt-n"), ("certificate", "tls.certificate"), ("loop", "loops"),
        ("snapshot.journalbytes", "snapshot.journal-bytes"), ("auth.sign-up", "auth.signup"),
    ]) func `of a mistyped setting is the one meant`(_ given: String, _ meant: String) {
        #expect(NearestName.of(given, among: SettingKey.all.map(\.name)) == meant)
    }
}
