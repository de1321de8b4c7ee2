import Testing

@testable import fcbench

@Suite("A benchmark message") struct PayloadTests {
    private let payload = Payload(run: 0xBEEF, publisher: 49_999, sequence: 4_000_000_000, stamp: 0x0123_4567_89AB_CDEF)

    private func text(_ byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: byteCount)
        bytes.withUnsafeMutableBytes { payload.write(into: $0) }
        return bytes
    }

    @Test func `reads back as it was written`() {
        #expect(text(34).withUnsafeBytes { Payload($0) } == payload)
        #expect(text(100).withUnsafeBytes { Payload($0) } == payload)
    }

    @Test func `is found at the end of an EV line`() {
        let line =
            Array("EV msg conv=#lobby seq=7 ts=2026-01-01T00:00:00.000Z by=guest-1 text=\"".utf8) + text(100) + [0x22]
        #expect(line.withUnsafeBytes { Payload(line: $0, count: 100) } == payload)
        #expect(line.withUnsafeBytes { Payload(line: $0, count: 99) } == nil)
        #expect(line.dropLast().withUnsafeBytes { Payload(line: $0, count: 100) } == nil)
    }

    @Test(arguments: ["", "fb", "EV msg text=\"hello\"", "\"", "x=\"\""])
    func `is not found in other lines`(line: String) {
        #expect(Array(line.utf8).withUnsafeBytes { Payload(line: $0, count: 34) } == nil)
    }

    @Test func `with a wrong digit it is none`() {
        for at in 0..<Payload.headerCount {
            var bytes = text(34)
            bytes[at] = UInt8(ascii: "z")
            #expect(bytes.withUnsafeBytes { Payload($0) } == nil)
        }
    }
}
