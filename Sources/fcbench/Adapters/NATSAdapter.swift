import Bytes

/// NATS (docs.nats.io, "Client Protocol"): INFO in plain, then TLS, CONNECT, SUB and PUB.
enum NATSAdapter: Adapter {
    /// What its core takes is neither answered nor stored.
    static let traits = ServerTraits(greetsInPlain: true, acknowledges: false, stores: false)

    private static let connect =
        #"CONNECT {"verbose":false,"pedantic":false,"tls_required":true,"lang":"fcbench","version":"1.0","protocol":1}"#

    static func opening(_ seat: Seat) -> String {
        var lines = [connect]
        if let room = seat.room, seat.reads { lines.append("SUB \(room) 1") }
        lines.append("PING")
        return lines.map { "\($0)\r\n" }.joined()
    }

    static func entering(_ seat: Seat) -> String { "" }

    static func frame(_ seat: Seat, textCount: Int) -> (before: String, behind: String) {
        ("PUB \(seat.room ?? "#lobby") \(textCount)\r\n", "\r\n")
    }

    static func pong(_ word: UnsafeRawBufferPointer) -> [UInt8] { Array("PONG\r\n".utf8) }

    @inline(__always)
    static func scan(_ bytes: UnsafeRawBufferPointer, textCount: Int, _ body: (Notice) -> Void) -> Int {
        var start = 0
        while let end = LineSplitter.lineEnd(in: bytes, from: start) {
            if bytes.has("MSG ", at: start) {
                guard let size = lastNumber(bytes, start..<end) else {
                    body(.farewell(bytes.part(start..<end)))
                    return bytes.count
                }
                // The text and its CRLF.
                guard bytes.count - (end + 1) >= size + 2 else { return start }
                body(.delivery(size == textCount ? Payload(bytes.part(end + 1..<end + 1 + size)) : nil))
                start = end + 1 + size + 2
                continue
            }
            let line = bytes.part(start..<end)
            if line.has("PING") {
                body(.ping(bytes.part(end..<end)))
            } else if line.has("PONG") {
                body(.ready)
            } else if line.has("-ERR") {
                body(.refusal(line))
            }
            start = end + 1
        }
        return start
    }

    /// The number that a line ends with: a message's size. nil when there is none, or one of more than nine digits.
    @inline(__always)
    private static func lastNumber(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Int? {
        var at = line.upperBound
        if at > line.lowerBound, bytes[at - 1] == 0x0D { at -= 1 }
        var (value, scale) = (0, 1)
        while at > line.lowerBound, case 0x30...0x39 = bytes[at - 1] {
            if scale == 1_000_000_000 { return nil }
            value += Int(bytes[at - 1] - 0x30) * scale
            scale *= 10
            at -= 1
        }
        return scale == 1 ? nil : value
    }
}
