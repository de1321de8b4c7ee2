/// What a message of the benchmark carries as its text: who sent it in which run, its number and its time, then filler.
///
/// `fb`, then in hexadecimal: run (4 digits), publisher (4), sequence (8), nanoseconds (16); then `x` to the length.
struct Payload: Equatable {
    /// Bytes of the text without filler.
    static let headerCount = 34

    /// Tells this run's messages from those of earlier runs in the same room.
    let run: UInt16
    let publisher: UInt16
    /// Counts each publisher's messages from 0.
    let sequence: UInt32
    /// When it was sent, or should have been, on the monotonic clock.
    let stamp: UInt64

    /// Writes the header into the first `headerCount` bytes of `room`.
    func write(into room: UnsafeMutableRawBufferPointer) {
        room[0] = UInt8(ascii: "f")
        room[1] = UInt8(ascii: "b")
        Self.put(UInt64(run), digits: 4, into: room, at: 2)
        Self.put(UInt64(publisher), digits: 4, into: room, at: 6)
        Self.put(UInt64(sequence), digits: 8, into: room, at: 10)
        Self.put(stamp, digits: 16, into: room, at: 18)
    }

    init(run: UInt16, publisher: UInt16, sequence: UInt32, stamp: UInt64) {
        (self.run, self.publisher, self.sequence, self.stamp) = (run, publisher, sequence, stamp)
    }

    /// Reads the header from the front of a text; nil when it is none of ours.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count >= Self.headerCount, text[0] == UInt8(ascii: "f"), text[1] == UInt8(ascii: "b"),
            let run = Self.number(text, at: 2, digits: 4),
            let publisher = Self.number(text, at: 6, digits: 4),
            let sequence = Self.number(text, at: 10, digits: 8),
            let stamp = Self.number(text, at: 18, digits: 16)
        else { return nil }
        self.init(
            run: UInt16(truncatingIfNeeded: run),
            publisher: UInt16(truncatingIfNeeded: publisher),
            sequence: UInt32(truncatingIfNeeded: sequence),
            stamp: stamp
        )
    }

    /// Finds the payload of `count` bytes in a whole `EV msg` line; nil when its text is none of ours.
    init?(line: UnsafeRawBufferPointer, count: Int) {
        let start = line.count - count - 1
        guard start >= 6, line[line.count - 1] == UInt8(ascii: "\""), line[start - 1] == UInt8(ascii: "\""),
            line[start - 2] == UInt8(ascii: "=")
        else { return nil }
        self.init(UnsafeRawBufferPointer(rebasing: line[start..<(start + count)]))
    }

    private static func put(_ value: UInt64, digits: Int, into room: UnsafeMutableRawBufferPointer, at start: Int) {
        var rest = value
        for at in stride(from: start + digits - 1, through: start, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            room[at] = digit < 10 ? 0x30 + digit : 0x57 + digit
            rest >>= 4
        }
    }

    private static func number(_ text: UnsafeRawBufferPointer, at start: Int, digits: Int) -> UInt64? {
        var value: UInt64 = 0
        for at in start..<(start + digits) {
            let byte = text[at]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            value = value << 4 | UInt64(digit)
        }
        return value
    }
}
