import CRecordBuffers
import Testing

@Suite("Blocks for TLS records") struct RecordBuffersTests {
    /// What OpenSSL asks for: a record of TLS 1.3 and what surrounds it.
    private static let record = 16_716

    private func take(_ size: Int) throws -> UnsafeMutableRawPointer {
        try #require(fc_record_buffers_take(size, nil, 0))
    }

    private func give(_ block: UnsafeMutableRawPointer?) { fc_record_buffers_give(block, nil, 0) }

    @Test func `the last one that was given back is the next that is taken, whatever record it is for`() throws {
        let first = try take(Self.record)
        give(first)
        let second = try take(16_384)
        #expect(second == first)
        // All have room for the longest.
        second.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 17_408)
        give(second)
        #expect(try take(17_408) == first)
        give(first)
    }

    @Test func `a thread keeps four at most`() throws {
        let blocks = try (0..<6).map { _ in try take(Self.record) }
        #expect(Set(blocks).count == 6)
        for block in blocks { give(block) }
        let kept = blocks.prefix(4).reversed()
        var again: [UnsafeMutableRawPointer] = []
        for block in kept {
            again.append(try take(Self.record))
            #expect(again.last == block)
        }
        for block in again { give(block) }
    }

    @Test(arguments: [1, 16_383, 17_600, 1 << 20])
    func `other sizes are malloc's, and a kept block is never given for them`(size: Int) throws {
        let record = try take(Self.record)
        give(record)
        let other = try take(size)
        #expect(other != record)
        other.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
        give(other)
        let again = try take(Self.record)
        #expect(again == record)
        give(again)
    }

    @Test func `a block that was resized is told by its new size, and nothing may be given back`() throws {
        let record = try take(Self.record)
        give(record)
        let small = try take(100)
        let grown = try #require(fc_record_buffers_resize(small, 50_000, nil, 0))
        give(grown)
        give(nil)
        #expect(try take(Self.record) == record)
        give(record)
    }
}
