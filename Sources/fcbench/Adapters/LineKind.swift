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
            self = line.has("EV msg ") ? .message : .other
        case (UInt8(ascii: "O"), UInt8(ascii: "K")): self = .ok
        case (UInt8(ascii: "E"), UInt8(ascii: "R")): self = .refusal
        case (UInt8(ascii: "B"), UInt8(ascii: "Y")): self = .bye
        default: self = .other
        }
    }

    /// The number behind ` seq=` of an OK line, 0 when there is none.
    static func sequence(in line: UnsafeRawBufferPointer) -> UInt64 {
        var at = 0
        while at + 5 < line.count {
            guard line.has(" seq=", at: at) else {
                at += 1
                continue
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
