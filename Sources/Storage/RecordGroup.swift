import Bytes

/// Copies of records that belong together, held back until the last of them has been read.
struct RecordGroup: ~Copyable {
    private var heads: [(globalSequence: UInt64, durable: UInt64, segment: UInt64, offset: UInt64, count: Int)] = []
    private var payloads = ByteBuffer()

    /// The first record of the group; nil when no group is open.
    var first: (globalSequence: UInt64, offset: UInt64)? { heads.first.map { ($0.globalSequence, $0.offset) } }

    mutating func add(_ record: ReplayedRecord) {
        heads.append(
            (record.globalSequence, record.durable, record.segment, record.offset, record.payload.count)
        )
        payloads.append(record.payload)
    }

    /// Hands the records with numbers above `after` to `body` and closes the group.
    mutating func handOver(above after: UInt64, _ body: JournalReader.Body) throws(JournalFault) {
        var at = 0
        for head in heads {
            let payload = UnsafeRawBufferPointer(rebasing: payloads.readable[at..<(at + head.count)])
            at += head.count
            guard head.globalSequence > after else { continue }
            try body(
                ReplayedRecord(
                    globalSequence: head.globalSequence,
                    durable: head.durable,
                    payload: payload,
                    segment: head.segment,
                    offset: head.offset
                )
            )
        }
        heads.removeAll(keepingCapacity: true)
        payloads.clear()
    }
}
