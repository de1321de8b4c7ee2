/// What happened to an item, with its collection's next seq. Rendered once, as the line protocol.md shows.
package struct ItemEvent: Sendable {
    package enum Operation: Sendable, Equatable {
        /// The object, compact, in the arena of the batch; nil at recovery, where the line has it.
        case put(json: ArenaRange?)
        case delete
    }

    package let collection: CollectionNumber
    /// Also the item's `rev`.
    package let seq: Seq
    package let time: Timestamp
    package let by: AccountNumber
    package let id: String
    package let operation: Operation

    package init(
        collection: CollectionNumber,
        seq: Seq,
        time: Timestamp,
        by: AccountNumber,
        id: String,
        operation: Operation
    ) {
        (self.collection, self.seq, self.time, self.by) = (collection, seq, time, by)
        (self.id, self.operation) = (id, operation)
    }

    package var isDeletion: Bool { operation == .delete }
}

/// What an item may be called: 1 to 64 of A–Z a–z 0–9 `-` `_` `.`.
package enum ItemID {
    package static func isSound(_ bytes: some Collection<UInt8>) -> Bool {
        (1...64).contains(bytes.count)
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Eight letters and digits made of a random number, 41 bits of it.
    package static func make(_ word: UInt64) -> String {
        var (rest, digits) = (word, [UInt8]())
        for _ in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: rest % 36)
            digits.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            rest /= 36
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
