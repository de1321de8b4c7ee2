import SystemIO
import Testing

@Suite("Network prefixes")
struct NetworkPrefixTests {
    @Test(arguments: [
        ("127.0.0.0/8", "127.255.255.255", true), ("127.0.0.0/8", "128.0.0.0", false),
        ("10.1.2.128/25", "10.1.2.128", true), ("10.1.2.128/25", "10.1.2.127", false),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "127.0.0.1", false), ("128.0.0.0/1", "127.0.0.1", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::1", "::1", true), ("::1/128", "::2", false), ("fe00::/7", "ff12::1", true),
    ])
    func `an address is in a prefix when their leading bits agree`(prefix: String, address: String, isIn: Bool) throws {
        let prefix = try #require(NetworkPrefix(prefix))
        #expect(try prefix.contains(#require(NumericAddress(address))) == isIn)
    }

    @Test(arguments: [
        ("127.0.0.1/32", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("2001:DB8:0:0::/32", "2001:db8::/32"),
        ("::1/128", "::1"), ("::ffff:10.0.0.0/104", "::ffff:10.0.0.0/104"), ("0.0.0.0/0", "0.0.0.0/0"),
    ])
    func `there is one spelling of it`(given: String, spelling: String) throws {
        let prefix = try #require(NetworkPrefix(given))
        #expect(prefix.description == spelling)
        #expect(NetworkPrefix(spelling) == prefix)
    }

    @Test(arguments: [
        "", "/8", "x", "1.2.3", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/08", "1.2.3.4/+8", "1.2.3.4/-1", "1.2.3.4/8",
        "1.2.3.4/24/24", "1.2.3.4/99999999999999999999", "::/129", "::1/127", "fe80::1%eth0", "٣.0.0.1", "1.2.3.4 ",
        "1.2.3.4/٨",
    ])
    func `what is no address, or has bits behind the prefix, is none`(given: String) {
        #expect(NetworkPrefix(given) == nil)
    }
}
