import BlobFrontEnd
import ChatModel
import Testing

@Suite("What an address says of a signed link") struct LinkQueryTests {
    private static let hex = String(repeating: "0a", count: 32)

    @Test func `time and signature, in one spelling`() throws {
        let signature = try #require(LinkSignature(hex: Self.hex))
        #expect(LinkQuery("exp=17&sig=\(Self.hex)") == .link(expires: 17, signature))
        #expect(
            LinkQuery("exp=999999999999&sig=\(Self.hex)")
                == .link(expires: 999_999_999_999, signature)
        )
    }

    @Test(arguments: [nil, "", "exp=1", "conv=%23lobby", "x", "xsig=1", "&"])
    func `none where there is no signature`(query: String?) { #expect(LinkQuery(query) == .none) }

    @Test(arguments: [
        "?sig=", "?sig=HEX", "?exp=&sig=HEX", "?exp=01&sig=HEX", "?exp=+1&sig=HEX", "?exp=-1&sig=HEX",
        "?exp=1x&sig=HEX",
        "?exp=1000000000000&sig=HEX", "?exp=1&sig=HEX0", "?exp=1&sig=", "?sig=HEX&exp=1", "?exp=1&sig=HEX&x=1",
        "?exp=1&exp=1&sig=HEX", "?exp=1&&sig=HEX", "?exp=1&sig=HEX&sig=HEX", "?exp=1&sig=HEX?", "?exp=\u{0661}&sig=HEX",
        "?x=1&sig=HEX",
    ])
    func `unsound where it means to be one and is not`(query: String) {
        let query = String(query.dropFirst()).replacing("HEX", with: Self.hex)
        #expect(LinkQuery(query) == .unsound, "\(query)")
        #expect(LinkQuery("exp=1&sig=" + Self.hex.uppercased()) == .unsound)
    }
}
