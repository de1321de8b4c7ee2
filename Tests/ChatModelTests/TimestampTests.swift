import ChatModel
import ChatTesting
import Testing

@Suite("Timestamps") struct TimestampTests {
    private func parse(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { Timestamp($0)?.milliseconds }
    }

    /// Seconds of known moments, from `date -u +%s`.
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T12:34:56.000Z", 951_827_696),
            ("1969-12-31T23:59:59.000Z", -1),
            ("1900-03-01T00:00:00.000Z", -2_203_891_200), ("2024-02-29T23:59:59.000Z", 1_709_251_199),
            ("2100-02-28T00:00:00.000Z", 4_107_456_000), ("2100-03-01T00:00:00.000Z", 4_107_542_400),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200), ("9999-12-31T23:59:59.000Z", 253_402_300_799),
        ] as [(String, Int64)]
    )
    func `are what the calendar says`(text: String, seconds: Int64) {
        #expect(parse(text) == seconds * 1000)
        #expect(Timestamp(milliseconds: seconds * 1000).text == text)
    }

    @Test func `every day of four centuries is read as it was written, and days follow each other`() {
        var last = ""
        for day in -80_000...80_000 as ClosedRange<Int64> {
            let moment = Timestamp(milliseconds: day * 86_400_000)
            let text = moment.text
            if parse(text) != moment.milliseconds || text <= last || !text.hasSuffix("T00:00:00.000Z") {
                Issue.record("\(text)")
                return
            }
            last = text
        }
    }

    @Test func `any moment from year 0 to 9999 is read as it was written`() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let moment = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
            let text = Timestamp(milliseconds: moment).text
            #expect(text.utf8.count == Timestamp.width)
            if parse(text) != moment { Issue.record("\(text)") }
        }
    }

    @Test func `moments beyond are written as the first or last one there is`() {
        #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
    }

    @Test func `a fraction has one to three digits, or is not there`() {
        #expect(parse("1970-01-01T00:00:01Z") == 1000)
        #expect(parse("1970-01-01T00:00:01.5Z") == 1500)
        #expect(parse("1970-01-01T00:00:01.05Z") == 1050)
        #expect(parse("1970-01-01T00:00:01.005Z") == 1005)
    }

    @Test(arguments: [
        "", "Z", "now", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00:00+00:00", "1970-01-01T00:00:00z",
        "1970-01-01t00:00:00Z", "1970-01-01 00:00:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.0000Z",
        "1970-00-01T00:00:00Z", "1970-13-01T00:00:00Z", "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z",
        "1970-04-31T00:00:00Z", "1970-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "1970-01-01T24:00:00Z",
        "1970-01-01T00:60:00Z", "1970-01-01T00:00:60Z", "+970-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
        "1970-1-01T00:00:000Z", "1970-01-01T00:00:0٣Z", "19700101T000000.000Z", "1970-01-01T00:00:00.-1Z",
        "1970-01-01T00:00:00,5Z", "99999-01-01T00:00:00Z", " 1970-01-01T00:00:00Z",
    ])
    func `anything else is no time`(text: String) {
        #expect(parse(text) == nil)
    }

    @Test func `random bytes are never taken for a time by accident`() {
        var random = SeededRandom(seed: 2)
        let sound = Array("1970-01-01T00:00:00.000Z".utf8)
        for _ in 0..<50_000 {
            var bytes = sound
            bytes[Int.random(in: 0..<24, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard let found = bytes.withUnsafeBytes({ Timestamp($0) }) else { continue }
            #expect(Array(found.text.utf8) == bytes)
        }
    }
}
