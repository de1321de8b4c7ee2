import BlobFrontEnd
import Testing

/// What a stream of requests comes to: heads with their contents, and how it ends.
struct Exchange: Equatable {
    var events: [String] = []
    var content: [UInt8] = []

    /// Reads `bytes` as they would come, cut behind each of `cuts`.
    init(_ bytes: [UInt8], cuts: [Int] = []) {
        var reader = HTTPReader()
        var start = 0
        for end in cuts.filter({ $0 < bytes.count }).sorted() + [bytes.count] {
            let isOver = bytes[start..<end].withUnsafeBytes { part -> Bool in
                var at = 0
                defer { start += at }
                return read(&reader, part, &at)
            }
            if isOver { return }
        }
        events.append(reader.isInContent ? "content is missing" : reader.hasBegun ? "half a head" : "end")
    }

    /// True when nothing more is read.
    private mutating func read(_ reader: inout HTTPReader, _ part: UnsafeRawBufferPointer, _ at: inout Int) -> Bool {
        while true {
            switch reader.next(part, &at) {
            case .more: return false
            case .request(let request): events.append("\(request.method) \(request.place)")
            case .refused(let refused):
                events.append("refused \(refused.status.rawValue)")
                if refused.closes { return true }
            case .content(let range):
                content += part[range]
                reader.take(range.count)
                at = range.upperBound
            case .contentEnd: events.append("whole")
            case .broken(let status):
                events.append("broken \(status.rawValue)")
                return true
            }
        }
    }
}

@Suite("Content of requests") struct ContentTests {
    private static let head = "PUT /blobs/x HTTP/1.1\r\nHost: a\r\n"
    private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"

    private func read(_ text: String) -> Exchange { Exchange(Array(text.utf8)) }

    @Test func `a length is taken to its last byte, and the next request begins behind it`() {
        let found = read(Self.head + "Content-Length: 5\r\n\r\nhelloGET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(found.events == ["put blob(\"x\")", "whole", "get health", "end"])
        #expect(found.content == Array("hello".utf8))
    }

    @Test(arguments: [
        ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("05;a=b;c\r\nhello\r\n000\r\n\r\n", "hello"), ("0\r\n\r\n", ""),
        ("3 ; x=\"y z\"\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\nZ:\r\n\r\n", "hello"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
    ])
    func `chunks are joined, extensions and trailers passed over`(body: String, content: String) {
        let found = read(Self.chunked + body + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(found.events == ["put blob(\"x\")", "whole", "get health", "end"])
        #expect(found.content == Array(content.utf8))
    }

    static let faults: [(String, Int)] = [
        ("5\nhello\r\n0\r\n\r\n", 400), ("5\r\nhello\n0\r\n\r\n", 400), ("5\r\nhelloX\r\n", 400),
        ("5\r\nhello0\r\n\r\n", 400),
        ("x\r\n", 400), ("\r\n", 400), ("+5\r\n", 400), ("-1\r\n", 400), ("0x5\r\n", 400), ("5 \r\nhello\r\n", 400),
        (" 5\r\n", 400), ("5;a\u{0}b\r\n", 400), ("5;a\nb\r\n", 400), ("5\r5\r\n", 400), (";a\r\n", 400),
        ("1234567890123456\r\n", 400), ("ffffffffffffffffffff\r\n", 400), ("5:hello\r\n", 400),
        ("0\r\nX : y\r\n\r\n", 400), ("0\r\n x\r\n\r\n", 400), ("0\r\nX: a\r\n b\r\n\r\n", 400),
        ("0\r\nX\r\n\r\n", 400),
        ("0\r\nX: \u{0}\r\n\r\n", 400), ("0\r\nX: y\n\r\n", 400), ("0\r\n\n", 400),
        ("5;" + String(repeating: "x", count: 5000), 431),
        (String(repeating: "1;xxxxxxxxxxxxxxxx\r\ny\r\n", count: 300), 431),
        ("0\r\n" + String(repeating: "X: yyyyyyyyyyyyyyy\r\n", count: 500), 431),
    ]

    @Test(arguments: faults) func `what is no chunk is refused`(body: String, status: Int) {
        #expect(read(Self.chunked + body).events.last == "broken \(status)", "\(body.prefix(40).debugDescription)")
    }

    @Test func `any cut comes to the same`() {
        let streams =
            Self.faults.map { Self.chunked + $0.0.prefix(200) } + [
                Self.chunked + "3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n" + Self.head
                    + "Content-Length: 3\r\n\r\nabcGET x"
            ]
        for stream in streams.map({ Array($0.utf8) }) {
            let whole = Exchange(stream)
            #expect(Exchange(stream, cuts: Array(0..<stream.count)) == whole)
            for cut in stream.indices { #expect(Exchange(stream, cuts: [cut]) == whole, "cut at \(cut)") }
        }
    }

    @Test func `escapes of a query are resolved, a plus sign is one`() {
        let query = HTTPQuery("conv=%23lobby&sha256=a+b&x&=y&%61=%e6%b1%89")
        #expect(query.pairs.map(\.key) == ["conv", "sha256", "x", "", "a"])
        #expect(query.pairs.map { String(decoding: $0.value, as: UTF8.self) } == ["#lobby", "a+b", "", "y", "汉"])
    }
}
