import Testing

@testable import fcbench

@Suite("What arrived") struct LedgerTests {
    /// Faults after one publisher's sequences have come to one subscriber in the given order.
    private func verdict(_ sequences: [UInt32]) -> (unique: Int, doubles: Int, disorders: Int) {
        var ledger = DeliveryLedger(rooms: 1, subscribersPerRoom: 1, publishersPerRoom: 1)
        for sequence in sequences { _ = ledger.record(subscriber: 0, publisher: 0, sequence: sequence) }
        return (ledger.unique, ledger.doubles, ledger.disorders)
    }

    @Test func `all in order is no fault`() { #expect(verdict(Array(0..<1000)) == (1000, 0, 0)) }

    @Test func `a gap is a loss and nothing else`() {
        #expect(verdict([0, 1, 3, 4]) == (4, 0, 0))
        #expect(verdict([0, 500]) == (2, 0, 0))
        #expect(verdict([7]) == (1, 0, 0))
    }

    @Test func `what fills a gap is out of order`() {
        #expect(verdict([0, 2, 1, 3]) == (4, 0, 1))
        #expect(verdict([1, 0]) == (2, 0, 1))
        #expect(verdict(Array((0..<64).reversed())) == (64, 0, 63))
    }

    @Test func `what was there is a double, at any distance`() {
        #expect(verdict([0, 0]) == (1, 1, 0))
        #expect(verdict([0, 2, 1, 1, 2, 0]) == (3, 3, 1))
        #expect(verdict(Array(0..<200) + [0, 199, 136, 135]) == (200, 4, 0))
    }

    @Test func `subscribers and publishers are told apart`() {
        var ledger = DeliveryLedger(rooms: 2, subscribersPerRoom: 2, publishersPerRoom: 2)
        for publisher in 0..<4 {
            for subscriber in 0..<4 where publisher / 2 == subscriber / 2 {
                expect(ledger.record(subscriber: subscriber, publisher: publisher, sequence: 0), true)
            }
        }
        #expect((ledger.unique, ledger.doubles, ledger.strays) == (8, 0, 0))
        expect(ledger.record(subscriber: 0, publisher: 2, sequence: 0), false)
        expect(ledger.record(subscriber: 0, publisher: 4, sequence: 0), false)
        #expect(ledger.strays == 2)
    }

    @Test func `acknowledged sequences must rise for a sender and never come twice`() {
        var ledger = AcknowledgementLedger(senders: 2)
        for (sender, sequence) in [(0, 5), (1, 4), (0, 6), (1, 7)] {
            ledger.record(sender: sender, sequence: UInt64(sequence))
        }
        #expect((ledger.unique, ledger.doubles, ledger.disorders) == (4, 0, 0))
        ledger.record(sender: 1, sequence: 6)
        #expect(ledger.doubles == 1)
        ledger.record(sender: 1, sequence: 3)
        #expect((ledger.unique, ledger.disorders) == (5, 1))
        ledger.record(sender: 0, sequence: 0)
        ledger.record(sender: 0, sequence: .max)
        #expect((ledger.unique, ledger.disorders) == (5, 3))
    }
}
