/// Finds the data of a chunked body (RFC 9112 section 7.1), strictly: every line ends in CR LF; extensions and trailers are
/// passed over and have their bounds. Holds no bytes.
struct ChunkScanner {
    /// Digits of a size; 15 can never be too many for an `UInt64`, whatever they are.
    private static let digitLimit = 15
    /// Bytes of extensions, and of trailers, of a whole body.
    static let extensionLimit = 4096
    static let trailerLimit = 8192

    private enum State {
        case size(digits: Int)
        case blanks
        case extensions
        case sizeEnd
        case data
        case dataEnd
        case dataLineEnd
        case trailer
        case trailerName
        case trailerValue
        case trailerEnd
        case lastEnd
        case over
    }

    private var state = State.size(digits: 0)
    private var left: UInt64 = 0
    private var extensionBytes = 0
    private var trailerBytes = 0

    mutating func take(_ count: Int) {
        left -= UInt64(count)
        if left == 0 { state = .dataEnd }
    }

    /// As `HTTPContentReader.next`.
    mutating func next(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> HTTPContentReader.Step {
        while true {
            if case .over = state { return .end }
            if at == bytes.count { return .more }
            if case .data = state { return .content(Int(clamping: min(left, UInt64(bytes.count - at)))) }
            guard step(bytes[at]) else { return .refused(.badRequest) }
            at += 1
            if extensionBytes > Self.extensionLimit || trailerBytes > Self.trailerLimit {
                return .refused(.headTooLarge)
            }
        }
    }

    /// Takes one byte of what is not data; false when it may not stand there.
    private mutating func step(_ byte: UInt8) -> Bool {
        switch state {
        case .size(let digits): return size(byte, digits)
        case .blanks, .extensions: return inExtensions(byte)
        case .sizeEnd: return expect(0x0A, byte, then: left == 0 ? .trailer : .data)
        case .dataEnd: return expect(0x0D, byte, then: .dataLineEnd)
        case .dataLineEnd: return expect(0x0A, byte, then: .size(digits: 0))
        case .trailer, .trailerName, .trailerValue: return inTrailer(byte)
        case .trailerEnd: return expect(0x0A, byte, then: .trailer)
        case .lastEnd: return expect(0x0A, byte, then: .over)
        case .data, .over: return false
        }
    }

    private mutating func expect(_ wanted: UInt8, _ byte: UInt8, then next: State) -> Bool {
        state = next
        return byte == wanted
    }

    private mutating func size(_ byte: UInt8, _ digits: Int) -> Bool {
        if let value = HTTPSyntax.hexValue(byte) {
            left = digits == 0 ? UInt64(value) : left << 4 | UInt64(value)
            state = .size(digits: digits + 1)
            return digits < Self.digitLimit
        }
        guard digits > 0 else { return false }
        return inExtensions(byte)
    }

    /// Behind the size: blanks may stand before a semicolon, and nowhere else.
    private mutating func inExtensions(_ byte: UInt8) -> Bool {
        extensionBytes += 1
        switch byte {
        case 0x0D:
            if case .blanks = state { return false }
            extensionBytes -= 1
            state = .sizeEnd
            return true
        case 0x3B: state = .extensions
        case 0x20, 0x09:
            if case .size = state { state = .blanks }
        default:
            guard case .extensions = state else { return false }
            return HTTPSyntax.isValueByte(byte)
        }
        return true
    }

    private mutating func inTrailer(_ byte: UInt8) -> Bool {
        trailerBytes += 1
        switch (state, byte) {
        case (.trailer, 0x0D): state = .lastEnd
        case (.trailerValue, 0x0D): state = .trailerEnd
        case (.trailerName, 0x3A): state = .trailerValue
        case (.trailer, _), (.trailerName, _):
            state = .trailerName
            return HTTPSyntax.isTokenByte(byte)
        default: return HTTPSyntax.isValueByte(byte)
        }
        return true
    }
}
