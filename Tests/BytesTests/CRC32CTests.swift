import ChatTesting
import Testing

@testable import Bytes

@Suite("CRC-32C, by instruction and by tables")
struct CRC32CTests {
    @Test func `both agree, at every length, place and seed`() {
        var random = SeededRandom(seed: 5)
        let bytes = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.withUnsafeBytes { all in
            for start in 0..<16 {
                for length in 0...300 {
                    let some = UnsafeRawBufferPointer(rebasing: all[start..<start + length])
                    let seed = UInt32.random(in: 0...UInt32.max, using: &random)
                    #expect(CRC32C.checksum(some, seed: seed) == CRC32C.checksumByTables(some, seed: seed))
                }
            }
        }
    }
}
