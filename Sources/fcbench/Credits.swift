/// A publisher's window: at most so many of its messages may still be lacking at some subscriber.
struct Credits {
    private let window: UInt32
    private let readers: UInt32
    /// For each message of the window, how many subscribers still lack it.
    private var lacking: [UInt32]
    /// The next message's sequence.
    private(set) var next: UInt32 = 0
    private var oldest: UInt32 = 0

    /// - Parameters:
    ///   - window: at least 1.
    ///   - readers: subscribers each message goes to, at least 1.
    init(window: Int, readers: Int) {
        self.window = UInt32(window)
        self.readers = UInt32(readers)
        lacking = Array(repeating: 0, count: window)
    }

    var isOpen: Bool { next - oldest < window }

    /// The sequence of a message that is sent now; the window must be open.
    mutating func take() -> UInt32 {
        lacking[Int(next % window)] = readers
        next += 1
        return next - 1
    }

    /// One subscriber has got a message; true when that opened a closed window.
    @inline(__always)
    mutating func arrived(_ sequence: UInt32) -> Bool {
        guard sequence >= oldest, sequence < next else { return false }
        let index = Int(sequence % window)
        lacking[index] -= 1
        if lacking[index] > 0 || sequence != oldest { return false }
        let wasOpen = isOpen
        while oldest < next && lacking[Int(oldest % window)] == 0 { oldest += 1 }
        return !wasOpen
    }
}
