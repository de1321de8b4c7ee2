import Testing

@testable import fcbench

@Suite("What is printed") struct ReportTests {
    private let storm = StormReport(
        signIn: true,
        wanted: 4,
        done: 3,
        resumed: 2,
        failed: 1,
        seconds: 0.5,
        perSecond: 6,
        serverCPUMillis: 0.25,
        generatorLoad: 0.1
    )

    @Test func `raw words are the values that are there, and whether all was well`() {
        #expect(
            storm.raw == "mode=storm signIn=true wanted=4 done=3 resumed=2 failed=1 seconds=0.50000 perSecond=6.00000 "
                + "serverCPUMillis=0.25000 generatorLoad=0.10000 sound=0"
        )
        #expect(IdleReport(connections: 1, setUpSeconds: 1, seconds: 1, closed: 0).raw.hasSuffix("closed=0 sound=1"))
    }

    @Test func `a row has a cell under each heading`() {
        #expect(storm.header.count == storm.row.count)
        #expect(storm.row.hasPrefix("storm "))
        #expect(storm.text(.table, header: true) == "\(storm.header)\n\(storm.row)")
        #expect(storm.faults(first: "x") == "storm: 1 failed; first: x")
    }

    @Test func `the table has medians, and the first server's share of each other's`() {
        let lines = """
            scenario=fan100 server=fcd run=1 mode=fan serverCPUPerMillion=0.3 perSecond=100 sound=1
            scenario=fan100 server=redis run=1 mode=fan serverCPUPerMillion=0.6 perSecond=50 sound=1
            scenario=fan100 server=fcd run=2 mode=fan serverCPUPerMillion=9 perSecond=300 sound=1
            scenario=fan100 server=fcd run=3 mode=fan serverCPUPerMillion=0.2 perSecond=200 sound=1
            scenario=durable server=fcd mode=acked perSecond=7 p99Micros=1 sound=1
            scenario=door server=fcd mode=storm serverCPUMillis=0.5 resumed=6
            scenario=door server=nats mode=storm serverCPUMillis=0.25 resumed=3
            scenario=fan100 server=nats mode=fan serverCPUPerMillion=0.15 perSecond=400 sound=0
            nothing of ours
            scenario=other server=fcd mode=unknown x=1
            """
        let rows = ComparisonTable(lines: lines.split(separator: "\n")).text.split(separator: "\n").map { row in
            row.split(separator: "  ").map { $0.trimmingPrefix(while: { $0 == " " }) }
        }
        #expect(
            rows.dropLast() == [
                ["fcd", "redis", "nats"],
                ["fan100: CPU s per million", "0.300", "0.600 (0.50)", "0.150! (2.00)"],
                ["fan100: deliveries a second", "200", "50 (4.00)", "400! (0.50)"],
                ["durable: sends a second", "7", "-", "-"], ["durable: p99, microseconds", "1", "-", "-"],
                ["door: CPU ms for each", "0.500", "-", "0.250 (2.00)"], ["door: resumed", "6", "-", "3"],
            ]
        )
        #expect(ComparisonTable.median([4, 1, 3, 2]) == 2.5)
        #expect(ComparisonTable.median([]) == nil)
        #expect(ComparisonTable(lines: []).text == "no results\n")
    }
}
