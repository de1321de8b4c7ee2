import ChatTesting
import SystemIO
import Testing

@Suite("A poller") struct PollerTests {
    @Test func `reports what is ready under its token, level-triggered`() throws {
        let (poller, one, two) = (try Poller(), try WakeUp(), try WakeUp())
        try poller.add(one.number, .input, token: 11)
        try poller.add(two.number, .input, token: 1 << 63)
        #expect(poller.wait(milliseconds: 0) == 0)
        two.ring()
        for _ in 0..<2 {
            #expect(poller.wait(milliseconds: 1_000) == 1)
            #expect(poller.report(0).token == 1 << 63)
            #expect(poller.report(0).readable && !poller.report(0).writable)
        }
        two.silence()
        #expect(poller.wait(milliseconds: 0) == 0)
    }

    @Test func `reports only what it is interested in`() throws {
        let (poller, bell) = (try Poller(), try WakeUp())
        try poller.add(bell.number, .output, token: 1)
        bell.ring()
        #expect(poller.wait(milliseconds: 0) == 1)
        #expect(poller.report(0).writable && !poller.report(0).readable)
        try poller.modify(bell.number, .input, token: 2)
        #expect(poller.wait(milliseconds: 0) == 1)
        #expect(poller.report(0).token == 2 && poller.report(0).readable && !poller.report(0).writable)
        try poller.modify(bell.number, [], token: 2)
        #expect(poller.wait(milliseconds: 0) == 0)
        poller.remove(bell.number)
        #expect(poller.wait(milliseconds: 0) == 0)
    }

    @Test func `gives the rest of more than a hundred reports with the next wait`() throws {
        let poller = try Poller()
        let bells = try (0..<300).map { _ in try WakeUp() }
        for (token, bell) in bells.enumerated() {
            try poller.add(bell.number, .input, token: UInt64(token))
            bell.ring()
        }
        var seen = Set<UInt64>()
        for _ in 0..<3 {
            let count = poller.wait(milliseconds: 0)
            #expect(count <= Poller.capacity)
            for index in 0..<count {
                let token = poller.report(index).token
                seen.insert(token)
                bells[Int(token)].silence()
            }
        }
        #expect(seen.count == 300)
    }

    @Test func `says which call failed`() throws {
        let poller = try Poller()
        #expect(throws: Errno.self) { try poller.add(-1, .input, token: 0) }
        #expect(throws: Errno.self) { try poller.modify(0x7FFF, .input, token: 0) }
        poller.remove(0x7FFF)
    }
}
