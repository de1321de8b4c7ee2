import Bytes

/// One record of the journal as it stands on disk, a line of text:
///
/// `<gseq> <durable> <flag> <length> <crc> <payload>LF`
///
/// - gseq: the global sequence number, decimal, 1 at first, then always one more;
/// - durable: the global sequence that was known to be on disk when the record was made, below gseq;
/// - flag: `.`, or `+` when the record belongs together with the one that follows;
/// - length: bytes of the payload, six digits;
/// - crc: eight lower-case hexadecimal digits, the CRC-32C of everything before the field and of the payload.
///
/// Length and checksum have a fixed width so that they are filled in behind a payload of unknown length.
public enum JournalRecord {
    /// Bytes a payload may have.
    public static let maximumPayload = 128 << 10
    /// Bytes of the longest record: two numbers of 20 digits, the fixed parts and the payload.
    public static let maximumLength = 20 + 1 + 20 + 1 + 2 + 7 + 9 + maximumPayload + 1
    /// Bytes of the shortest record, `1 0 . 000000 00000000 LF`.
    public static let minimumLength = 1 + 1 + 1 + 1 + 2 + 7 + 9 + 1

    /// A record whose payload is being appended.
    public struct Open {
        /// Bytes in the buffer before the record and before its payload.
        @usableFromInline let (start, payload): (Int, Int)

        @usableFromInline init(start: Int, payload: Int) { (self.start, self.payload) = (start, payload) }
    }

    /// Appends a whole record; `payload` appends its bytes, at most `maximumPayload`, none of them LF or NUL.
    ///
    /// Allocates nothing when the buffer has room. Must not consume from the buffer meanwhile.
    @inlinable
    public static func append(
        to buffer: inout ByteBuffer,
        globalSequence: UInt64,
        durable: UInt64,
        together: Bool = false,
        payload: (inout ByteBuffer) -> Void
    ) {
        let open = begin(in: &buffer, globalSequence: globalSequence, durable: durable, together: together)
        payload(&buffer)
        finish(open, in: &buffer)
    }

    /// Appends the record's head; the caller then appends the payload and calls `finish`.
    public static func begin(
        in buffer: inout ByteBuffer,
        globalSequence: UInt64,
        durable: UInt64,
        together: Bool
    ) -> Open {
        precondition(durable < globalSequence, "a record cannot be durable before it is written")
        let start = buffer.count
        buffer.append(decimal: globalSequence)
        buffer.append(byte: 0x20)
        buffer.append(decimal: durable)
        if together { buffer.append(" + 000000 00000000 ") } else { buffer.append(" . 000000 00000000 ") }
        return Open(start: start, payload: buffer.count)
    }

    /// Fills in length and checksum and ends the line. O(payload).
    public static func finish(_ open: Open, in buffer: inout ByteBuffer) {
        let record = UnsafeMutableRawBufferPointer(
            mutating: UnsafeRawBufferPointer(rebasing: buffer.readable[open.start...])
        )
        let head = open.payload - open.start
        let length = record.count - head
        precondition(length >= 0 && length <= maximumPayload, "a journal payload has 0 to 128 KiB")
        var (rest, at) = (length, head - 11)
        while rest > 0 {
            record[at] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
            at -= 1
        }
        var crc = checksum(of: UnsafeRawBufferPointer(record), head: head, length: length)
        at = head - 2
        for _ in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: crc & 15)
            record[at] = digit < 10 ? digit &+ 0x30 : digit &+ 0x57
            crc >>= 4
            at -= 1
        }
        buffer.append(byte: 0x0A)
    }

    /// The checksum of a record whose payload begins at `head`.
    static func checksum(of record: UnsafeRawBufferPointer, head: Int, length: Int) -> UInt32 {
        let before = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: record[..<(head - 9)]))
        return CRC32C.checksum(UnsafeRawBufferPointer(rebasing: record[head..<(head + length)]), seed: before)
    }
}
