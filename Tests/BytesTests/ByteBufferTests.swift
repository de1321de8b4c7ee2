import Bytes
import ChatTesting
import Testing

@Suite("A byte buffer") struct ByteBufferTests {
    @Test(arguments: [UInt64(1), 2, 3]) func `holds what a plain array holds, whatever is done to it`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var buffer = ByteBuffer(capacity: seed == 1 ? 0 : 10)
        var model: [UInt8] = []
        for _ in 0..<5_000 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0...3:
                let bytes = (0..<Int.random(in: 0...300, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
                bytes.withUnsafeBytes { buffer.append($0) }
                model += bytes
            case 4:
                buffer.append(byte: 7)
                model.append(7)
            case 5, 6:
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.consume(count)
                model.removeFirst(count)
            case 7:
                let count = Int.random(in: 0...min(20, model.count), using: &random)
                buffer.removeLast(count)
                model.removeLast(count)
            default:
                let room = UnsafeMutableRawBufferPointer(start: buffer.reserve(50), count: 50)
                for at in 0..<50 { room[at] = UInt8(at) }
                buffer.commit(30)
                model += (0..<30).map { UInt8($0) }
            }
            if !buffer.readable.elementsEqual(model) || buffer.count != model.count {
                Issue.record("they differ")
                return
            }
        }
        buffer.clear()
        #expect(buffer.isEmpty && buffer.count == 0)
        buffer.release()
        #expect(buffer.capacity == 0 && buffer.readable.isEmpty)
    }

    @Test func `does not grow while what is consumed makes room`() {
        var buffer = ByteBuffer(capacity: 1024)
        for _ in 0..<10_000 {
            buffer.append("0123456789")
            buffer.consume(10)
        }
        #expect(buffer.capacity == 1024)
    }

    @Test(
        arguments: [
            0, 9, 10, 11, 99, 100, 101, 999, 1000, 1009, 12_345, 4_294_967_295, 10_000_000_000_000_000_000, .max,
        ] as [UInt64]
    )
    func `writes numbers in decimal`(value: UInt64) {
        var buffer = ByteBuffer()
        buffer.append(decimal: value)
        #expect(String(decoding: buffer.readable, as: UTF8.self) == String(value))
    }

    @Test func `writes text as UTF-8`() {
        var buffer = ByteBuffer()
        buffer.append("static ")
        buffer.append(string: "é👍")
        #expect(String(decoding: buffer.readable, as: UTF8.self) == "static é👍")
    }
}

@Suite("Line ends") struct LineSplitterTests {
    private func with<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes(body)
    }

    @Test func `are LF bytes, whatever characters stand around them`() {
        #expect(with("a\r\nb\n") { LineSplitter.lineEnd(in: $0) } == 2)
        #expect(with("a\r\nb\n") { LineSplitter.lineEnd(in: $0, from: 3) } == 4)
        #expect(with("x\n\u{301}y\n") { LineSplitter.lineEnd(in: $0) } == 1)
        #expect(with("a\u{85}\u{2028}\r\u{B}") { LineSplitter.lineEnd(in: $0) } == nil)
        #expect(with("") { LineSplitter.lineEnd(in: $0) } == nil)
        #expect(with("a\n") { LineSplitter.lineEnd(in: $0, from: 2) } == nil)
        #expect(with("a\n") { LineSplitter.lineEnd(in: $0, from: 9) } == nil)
    }

    @Test func `whole lines end with the last of them`() {
        #expect(with("a\nb\nc") { LineSplitter.wholeLines(in: $0) } == 4)
        #expect(with("a\nb\n") { LineSplitter.wholeLines(in: $0) } == 4)
        #expect(with("abc") { LineSplitter.wholeLines(in: $0) } == 0)
        #expect(with("") { LineSplitter.wholeLines(in: $0) } == 0)
        #expect(with("\n") { LineSplitter.wholeLines(in: $0) } == 1)
    }

    @Test func `the start of each line is found, the end of the last too, and none beyond`() {
        #expect(
            (0...3).map { line in with("a\n\nbc\n") { LineSplitter.offset(ofLine: line, in: $0) } } == [0, 2, 3, 6]
        )
        #expect(with("a\n\nbc\n") { LineSplitter.offset(ofLine: 4, in: $0) } == nil)
        #expect(with("") { LineSplitter.offset(ofLine: 0, in: $0) } == 0)
    }
}

@Suite("CRC-32C") struct ChecksumTests {
    private func checksum(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { CRC32C.checksum($0, seed: seed) }
    }

    /// RFC 3720, appendix B.4, and the check value of the polynomial.
    @Test func `is that of the standard`() {
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0...31)) == 0x46DD_794E)
        #expect(checksum([]) == 0)
    }

    @Test func `goes on from a seed, at every cut`() {
        let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let whole = checksum(bytes)
        for cut in 0...100 { #expect(checksum(Array(bytes[cut...]), seed: checksum(Array(bytes[..<cut]))) == whole) }
    }

    @Test func `tells every single flipped bit`() {
        var bytes = (0..<64).map { UInt8($0) }
        let whole = checksum(bytes)
        for bit in 0..<512 {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(checksum(bytes) != whole)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }
}
