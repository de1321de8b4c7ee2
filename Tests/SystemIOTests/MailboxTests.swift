import Testing

@testable import SystemIO

@Suite("A mailbox") struct MailboxTests {
    private func take<Message>(_ mailbox: Mailbox<Message>) -> [Message] {
        var batch = ContiguousArray<Message>()
        mailbox.take(into: &batch)
        return Array(batch)
    }

    @Test func `gives everything once, in the order of posting`() throws {
        let mailbox = try Mailbox<Int>()
        mailbox.post(1)
        var more: ContiguousArray = [2, 3]
        mailbox.post(all: &more)
        mailbox.post(4)
        #expect(more.isEmpty)
        #expect(take(mailbox) == [1, 2, 3, 4])
        #expect(take(mailbox) == [])
    }

    @Test func `does not let its receiver sleep on waiting mail`() throws {
        let mailbox = try Mailbox<Int>()
        #expect(mailbox.sleep())
        mailbox.post(1)
        #expect(!mailbox.sleep())
        _ = take(mailbox)
        #expect(mailbox.sleep())
    }

    @Test func `rings for a sleeping receiver, once, and is silent when the mail was taken`() throws {
        let mailbox = try Mailbox<Int>()
        let poller = try Poller()
        try poller.add(mailbox.wakeUp.number, .input, token: 7)
        mailbox.post(1)
        #expect(poller.wait(milliseconds: 0) == 0, "a receiver that is awake needs no ring")
        _ = take(mailbox)
        #expect(mailbox.sleep())
        mailbox.post(2)
        mailbox.post(3)
        #expect(poller.wait(milliseconds: 0) == 1)
        #expect(poller.report(0).token == 7 && poller.report(0).readable)
        #expect(take(mailbox) == [2, 3])
        #expect(poller.wait(milliseconds: 0) == 0)
    }

    @Test func `is not rung for a receiver that something else has woken`() throws {
        let mailbox = try Mailbox<Int>()
        #expect(mailbox.sleep())
        mailbox.wake()
        mailbox.post(1)
        #expect(mailbox.wakeUp.silence() == 0)
        #expect(!mailbox.sleep(), "it may not sleep on that mail")
    }

    @Test func `an empty post does not ring`() throws {
        let mailbox = try Mailbox<Int>()
        let poller = try Poller()
        try poller.add(mailbox.wakeUp.number, .input, token: 0)
        #expect(mailbox.sleep())
        var none = ContiguousArray<Int>()
        mailbox.post(all: &none)
        #expect(poller.wait(milliseconds: 0) == 0)
    }

    /// The receiver may be awake for another reason while a sender is between posting and ringing.
    @Test func `a ring that comes late wakes its receiver once, not for ever`() throws {
        let mailbox = try Mailbox<Int>()
        let poller = try Poller()
        try poller.add(mailbox.wakeUp.number, .input, token: 0)
        for round in 1...3 {
            #expect(mailbox.sleep())
            let mustRing = mailbox.enqueue(round)
            #expect(take(mailbox) == [round])
            mailbox.ring(mustRing)
            #expect(mailbox.sleep())
            #expect(poller.wait(milliseconds: 0) == 1)
            #expect(take(mailbox) == [])
            #expect(mailbox.sleep())
            #expect(poller.wait(milliseconds: 0) == 0, "awake without mail and without end")
        }
        mailbox.post(9)
        #expect(poller.wait(milliseconds: 0) == 1, "the next ring is heard")
        #expect(take(mailbox) == [9])
        #expect(poller.wait(milliseconds: 0) == 0)
    }
}
