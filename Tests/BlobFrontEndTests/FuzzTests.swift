import BlobFrontEnd
import ChatTesting
import Testing

@Suite("Broken requests") struct FuzzTests {
    private static let seeds =
        RequestTests.faults.map { Array($0.0.utf8.prefix(600)) } + [
            Array(
                "GET /blobs/b_AAAAAAAAAAAAAAAAAAAAAA/n HTTP/1.1\r\nHost: a\r\nRange: bytes=1-2\r\nIf-Range: \"x\"\r\n\r\n"
                    .utf8
            ),
            Array(
                "HEAD /health HTTP/1.1\r\nHost: [::1]:80\r\nIf-None-Match: \"a\", W/\"b\"\r\nConnection: close\r\n\r\n"
                    .utf8
            ),
        ]
    private static let spice: [[UInt8]] = [
        [0], [10], [13], [13, 10], [32], [9], [58], [0xFF], [0xC3, 0xA9], [0x25], Array("\r\n\r\n".utf8),
        Array("HTTP/1.1".utf8),
        Array("Content-Length: 18446744073709551616\r\n".utf8), Array("Range: bytes=18446744073709551615-\r\n".utf8),
        Array("Host: ]".utf8),
    ]

    private static func mutated(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(contentsOf: spice[Int.random(in: 0..<spice.count, using: &random)], at: at)
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...9, using: &random)))
            case 2 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
            default: bytes += bytes[..<min(at, 200)]
            }
        }
        return bytes
    }

    @Test func `trap nothing, and come to the same however they are cut`() {
        var random = SeededRandom(seed: 33)
        var counts: [Int: Int] = [:]
        for round in 0..<60_000 {
            let bytes = Self.mutated(&random)
            let whole = Reading(bytes)
            let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            #expect(Reading(bytes, cuts: cuts) == whole, "round \(round): \(bytes)")
            switch whole {
            case .more: counts[0, default: 0] += 1
            case .refused(let status): counts[status, default: 0] += 1
            case .request(let request):
                counts[200, default: 0] += 1
                _ = HTTPSelection(request, tag: "\"t\"", size: UInt64.random(in: 0...5, using: &random))
            }
        }
        for outcome in [0, 200, 400, 405, 501, 505] { #expect(counts[outcome, default: 0] > 50, "\(outcome)") }
    }

    @Test func `byte by byte comes to the same as at once`() {
        for seed in Self.seeds { #expect(Reading(seed, cuts: Array(0..<seed.count)) == Reading(seed)) }
    }
}
