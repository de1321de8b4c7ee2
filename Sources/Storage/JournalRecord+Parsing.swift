extension JournalRecord {
    /// A sound record, as numbers and places in the bytes it was parsed from.
    struct Parsed {
        let globalSequence: UInt64
        let durable: UInt64
        let together: Bool
        let payload: Range<Int>
        /// Bytes of the whole record with its LF.
        var length: Int { payload.upperBound + 1 }
    }

    /// What stands at the beginning of some bytes.
    enum Outcome {
        case record(Parsed)
        /// Sound so far, but the bytes end.
        case cutShort
        case bad(String)
    }

    /// Reads the record that begins `bytes`. Accepts only what `append` writes, byte for byte. O(record).
    static func parse(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        var at = 0
        guard let globalSequence = number(bytes, &at), let durable = number(bytes, &at) else {
            return at == bytes.count ? .cutShort : .bad("its numbers are unreadable")
        }
        guard bytes.count - at >= 18 else { return .cutShort }
        let flag = bytes[at]
        guard flag == 0x2E || flag == 0x2B, bytes[at + 1] == 0x20, bytes[at + 8] == 0x20, bytes[at + 17] == 0x20,
            let length = digits(bytes, at + 2, count: 6, base: 10),
            let crc = digits(bytes, at + 9, count: 8, base: 16)
        else { return .bad("its head is unreadable") }
        let head = at + 18
        guard length <= maximumPayload else { return .bad("its length is out of range") }
        guard bytes.count - head > length else { return .cutShort }
        guard bytes[head + length] == 0x0A else { return .bad("it does not end where it says") }
        guard checksum(of: bytes, head: head, length: length) == UInt32(truncatingIfNeeded: crc) else {
            return .bad("its checksum does not match")
        }
        guard durable < globalSequence else { return .bad("its numbers contradict each other") }
        return .record(
            Parsed(
                globalSequence: globalSequence,
                durable: durable,
                together: flag == 0x2B,
                payload: head..<(head + length)
            )
        )
    }

    /// A decimal number without leading zeros and the blank behind it; nil leaves `at` where reading stopped.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> UInt64? {
        let start = at
        var value: UInt64 = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte == 0x20 {
                guard at > start, at - start == 1 || bytes[start] != 0x30 else { return nil }
                at += 1
                return value
            }
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (tens, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, more) = tens.addingReportingOverflow(UInt64(byte &- 0x30))
            if over || more { return nil }
            value = sum
            at += 1
        }
        return nil
    }

    /// Exactly `count` digits of `base`, lower case only.
    private static func digits(_ bytes: UnsafeRawBufferPointer, _ start: Int, count: Int, base: Int) -> Int? {
        var value = 0
        for at in start..<(start + count) {
            let byte = bytes[at]
            let digit: Int
            switch byte {
            case 0x30...0x39: digit = Int(byte &- 0x30)
            case 0x61...0x66 where base == 16: digit = Int(byte &- 0x57)
            default: return nil
            }
            value = value &* base &+ digit
        }
        return value
    }
}
