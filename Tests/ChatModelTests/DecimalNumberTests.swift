import ChatModel
import Testing

@Suite("Numbers compared by value") struct DecimalNumberTests {
    private func number(_ text: String) -> DecimalNumber? { Array(text.utf8).withUnsafeBytes { DecimalNumber($0) } }

    @Test func `the order is that of the values, however they are written`() throws {
        let ascending = [
            "-1e400", "-9007199254740993", "-9007199254740992", "-2.50001", "-2.5", "-1e-400", "0", "1e-400", "0.001",
            "1", "1.0000000000000000000000001", "2.5", "10", "9007199254740992", "9007199254740993",
            "18446744073709551616", "1e400",
        ]
        for (i, a) in ascending.enumerated() {
            for (j, b) in ascending.enumerated() {
                let (x, y) = (try #require(number(a)), try #require(number(b)))
                #expect(x.compare(y).signum() == (i - j).signum(), "\(a) and \(b)")
            }
        }
    }

    @Test(arguments: [("2.50", "25e-1"), ("0", "-0.00e9"), ("100", "1E+2"), ("0.05", "5e-2"), ("12e1", "120.0")])
    func `equal values are equal`(a: String, b: String) throws {
        #expect(try #require(number(a)).compare(try #require(number(b))) == 0)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "1e99999", "NaN", "Infinity", "1 ", "--1", "1.2.3",
    ])
    func `what is no number of JSON is none`(text: String) { #expect(number(text) == nil) }

    @Test func `64 bytes are a number, 65 are none`() {
        #expect(number(String(repeating: "9", count: 64)) != nil)
        #expect(number(String(repeating: "9", count: 65)) == nil)
    }
}
