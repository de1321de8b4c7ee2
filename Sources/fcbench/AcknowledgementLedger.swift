/// Judges the acknowledgements of sends into one conversation: no sequence twice, and rising for each sender.
struct AcknowledgementLedger {
    private var last: [UInt64]
    /// A bit for each sequence seen.
    private var seen: [UInt64] = []
    private(set) var unique = 0
    private(set) var doubles = 0
    private(set) var disorders = 0

    /// Sequences above this would make the bits outgrow memory; a server that says so is wrong.
    private static let limit: UInt64 = 1 << 33

    init(senders: Int) { last = Array(repeating: 0, count: senders) }

    /// Records the sequence that a sender's oldest open send was answered with. Amortised O(1).
    mutating func record(sender: Int, sequence: UInt64) {
        guard sequence > 0, sequence < Self.limit else {
            disorders += 1
            return
        }
        let (word, bit) = (Int(sequence / 64), UInt64(1) << (sequence % 64))
        if word >= seen.count { seen.append(contentsOf: repeatElement(0, count: word + 1024 - seen.count)) }
        if seen[word] & bit != 0 {
            doubles += 1
            return
        }
        seen[word] |= bit
        unique += 1
        if sequence < last[sender] { disorders += 1 }
        last[sender] = max(last[sender], sequence)
    }
}
