import SystemIO
import Testing

@Suite("Mail between threads") struct MailboxTests {
    private struct Letter: Sendable {
        let sender: Int
        let number: Int
    }

    /// Waits for mail as the loops do, and at most ten seconds for each: a lost wake-up shows as an empty wait.
    private func receive(_ mailbox: Mailbox<Letter>, _ count: Int, rests: Bool) throws -> [[Int]] {
        let poller = try Poller()
        try poller.add(mailbox.wakeUp.number, .input, token: 0)
        var batch = ContiguousArray<Letter>()
        var heard: [[Int]] = [[], [], [], []]
        var (got, idle) = (0, 0)
        while got < count {
            if mailbox.sleep(), poller.wait(milliseconds: 10_000) == 0 { break }
            mailbox.take(into: &batch)
            idle = batch.isEmpty ? idle + 1 : 0
            if idle > 1_000 { break }
            for letter in batch { heard[letter.sender].append(letter.number) }
            got += batch.count
            batch.removeAll(keepingCapacity: true)
            if rests { _ = poller.wait(milliseconds: 0) }
        }
        return heard
    }

    @Test(arguments: [false, true])
    func `from several senders is all there, in each one's order, and no wake-up is lost`(rests: Bool) throws {
        let mailbox = try Mailbox<Letter>()
        let each = Scale.of(50_000)
        let senders = (0..<4).map { sender in
            SystemIO.Thread(name: "sender \(sender)") {
                var few = ContiguousArray<Letter>()
                for number in 0..<each {
                    if sender % 2 == 0 {
                        mailbox.post(Letter(sender: sender, number: number))
                        continue
                    }
                    few.append(Letter(sender: sender, number: number))
                    if few.count == number % 7 + 1 { mailbox.post(all: &few) }
                }
                mailbox.post(all: &few)
            }
        }
        let heard = try receive(mailbox, 4 * each, rests: rests)
        for thread in senders { thread.join() }
        for numbers in heard { #expect(numbers == Array(0..<each)) }
    }

    @Test func `one letter at a time, each answered before the next, never waits for nothing`() throws {
        let (there, back) = (try Mailbox<Int>(), try Mailbox<Int>())
        let count = Scale.of(10_000)
        let echo = SystemIO.Thread(name: "echo") {
            guard let poller = try? Poller() else { return }
            try? poller.add(there.wakeUp.number, .input, token: 0)
            var batch = ContiguousArray<Int>()
            while true {
                if there.sleep(), poller.wait(milliseconds: 10_000) == 0 { return }
                there.take(into: &batch)
                for number in batch { back.post(number) }
                if batch.last == count { return }
                batch.removeAll(keepingCapacity: true)
            }
        }
        let poller = try Poller()
        try poller.add(back.wakeUp.number, .input, token: 0)
        var batch = ContiguousArray<Int>()
        for number in 1...count {
            there.post(number)
            while batch.isEmpty {
                guard !back.sleep() || poller.wait(milliseconds: 10_000) > 0 else {
                    Issue.record("no answer to \(number)")
                    break
                }
                back.take(into: &batch)
            }
            #expect(Array(batch) == [number])
            batch.removeAll(keepingCapacity: true)
        }
        echo.join()
    }
}
