/// What a server line is, from its first bytes (protocol.md, Lines).
enum LineKind: Equatable {
    case message, ok, refusal, bye, other

    @inline(__always)
    init(_ line: UnsafeRawBufferPointer) {
        guard line.count >= 2 else {
            self = .other
            return
        }
        switch (line[0], line[1]) {
        case (UInt8(ascii: "E"), UInt8(ascii: "V")):
            self = Self.starts(line, "EV msg ") ? .message : .other
        case (UInt8(ascii: "O"), UInt8(ascii: "K")): self = .ok
        case (UInt8(ascii: "E"), UInt8(ascii: "R")): self = .refusal
        case (UInt8(ascii: "B"), UInt8(ascii: "Y")): self = .bye
        default: self = .other
        }
    }

    @inline(__always)
    private static func starts(_ line: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        if line.count < text.utf8CodeUnitCount { return false }
        for at in 0..<text.utf8CodeUnitCount where line[at] != text.utf8Start[at] { return false }
        return true
    }

    /// The number behind ` seq=` of an OK line, 0 when there is none.
    static func sequence(in line: UnsafeRawBufferPointer) -> UInt64 {
        let key: StaticString = " seq="
        var at = 0
        search: while at + 5 < line.count {
            for offset in 0..<5 where line[at + offset] != key.utf8Start[offset] {
                at += 1
                continue search
            }
            var value: UInt64 = 0
            at += 5
            while at < line.count, case 0x30...0x39 = line[at], value < UInt64.max / 16 {
                value = value * 10 + UInt64(line[at] - 0x30)
                at += 1
            }
            return value
        }
        return 0
    }
}
