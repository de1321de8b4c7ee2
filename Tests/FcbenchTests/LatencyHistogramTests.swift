import Testing

@testable import fcbench

@Suite("Latencies") struct LatencyHistogramTests {
    @Test func `nothing has no latency`() {
        #expect(LatencyHistogram().percentile(0.5) == 0)
        #expect(LatencyHistogram().maximum == 0)
    }

    @Test func `one value is every percentile`() {
        var histogram = LatencyHistogram()
        histogram.add(123_456)
        for share in [0, 0.5, 0.99, 0.999, 1] { #expect(histogram.percentile(share) == 123_456) }
    }

    @Test func `small values are exact`() {
        var histogram = LatencyHistogram()
        for value in 1...50 { histogram.add(UInt64(value)) }
        #expect(histogram.percentile(0.5) == 25)
        #expect(histogram.percentile(0.9) == 45)
        #expect(histogram.percentile(1) == 50)
    }

    @Test(arguments: [1000, 1_000_000, 5_000_000_000] as [UInt64])
    func `percentiles of an even spread are right to two in a hundred`(scale: UInt64) {
        var histogram = LatencyHistogram()
        for value in 1...10_000 as ClosedRange<UInt64> { histogram.add(value * scale / 10) }
        for share in [0.01, 0.5, 0.9, 0.99, 0.999] {
            let exact = share * 1000 * Double(scale)
            #expect(abs(Double(histogram.percentile(share)) - exact) <= exact * 0.02)
        }
        #expect(histogram.maximum == 1000 * scale)
    }

    @Test func `a few slow ones show in the high percentiles alone`() {
        var histogram = LatencyHistogram()
        for _ in 0..<9980 { histogram.add(50) }
        for _ in 0..<20 { histogram.add(1_000_000) }
        #expect(histogram.percentile(0.99) == 50)
        #expect(histogram.percentile(0.999) == 1_000_000)
    }

    @Test func `the longest time there is fits`() {
        var histogram = LatencyHistogram()
        histogram.add(.max)
        histogram.add(0)
        #expect(histogram.percentile(1) == .max)
        #expect(histogram.percentile(0.5) == 0)
    }
}
