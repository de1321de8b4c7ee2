import Testing

@testable import fcbench

@Suite("The server's lines") struct LineTests {
    private func kind(_ line: String) -> LineKind { Array(line.utf8).withUnsafeBytes { LineKind($0) } }
    private func sequence(_ line: String) -> UInt64 { Array(line.utf8).withUnsafeBytes { LineKind.sequence(in: $0) } }

    @Test func `are told apart by their first word`() {
        #expect(kind("EV msg conv=#lobby seq=1") == .message)
        #expect(kind("EV join conv=#lobby seq=1") == .other)
        #expect(kind("EV ms") == .other)
        #expect(kind("OK conv=#lobby seq=1") == .ok)
        #expect(kind("ERR BUSY retry=1 - later") == .refusal)
        #expect(kind("BYE SHUTDOWN - bye") == .bye)
        #expect(kind("HI server=fcd/1.0") == .other)
        #expect(kind("") == .other)
    }

    @Test func `tell the sequence of a send`() {
        #expect(sequence("OK conv=#lobby seq=42 ts=2026-01-01T00:00:00.000Z") == 42)
        #expect(sequence("OK conv=#r1 seq=18446744073709551615999") < .max)
        #expect(sequence("OK pong=ready") == 0)
        #expect(sequence("OK conv=#lobby seq=") == 0)
        #expect(sequence("OK seq=7") == 7)
    }

    @Test func `the kernel's figures are read whatever the program's name`() {
        let stat = "42 (a) b (c)) S 1 42 42 0 -1 4194560 100 0 0 0 150 25 0 0 20 0 3 0 12345 1 2 3"
        #expect(ServerUsage.ticks(inStat: stat) == 175)
        #expect(ServerUsage.ticks(inStat: "nothing") == nil)
        #expect(ServerUsage.resident(inStatus: "VmPeak:\t 9 kB\nVmRSS:\t  13824 kB\n") == 13824)
    }
}
