import BlobFrontEnd
import Testing

/// What a head comes to: a request, the status it is refused with, or that more must come.
enum Reading: Equatable {
    case request(HTTPRequest)
    case refused(Int)
    case more

    /// Reads `bytes` as they would come, cut behind each of `cuts`.
    init(_ bytes: [UInt8], cuts: [Int] = []) {
        var scanner = HTTPHeadScanner()
        for end in cuts.filter({ $0 < bytes.count }) + [bytes.count] {
            switch bytes[..<end].withUnsafeBytes({ scanner.scan($0) }) {
            case .more: continue
            case .refused(let status): self = .refused(status.rawValue)
            case .whole(let start, let end): self = Self.parsed(Array(bytes[start..<end]))
            }
            return
        }
        self = .more
    }

    private static func parsed(_ head: [UInt8]) -> Reading {
        head.withUnsafeBytes { bytes in
            do throws(HTTPRequest.Refused) { return .request(try HTTPRequest(head: bytes)) } catch {
                return .refused(error.status.rawValue)
            }
        }
    }
}

@Suite("HTTP requests") struct RequestTests {
    private func read(_ text: String) -> Reading { Reading(Array(text.utf8)) }

    private func request(_ text: String) -> HTTPRequest? {
        if case .request(let request) = read(text) { request } else { nil }
    }

    @Test func `a plain GET is understood`() throws {
        let found = try #require(
            request(
                "GET /blobs/b_x/cat.png?a=b HTTP/1.1\r\nhost: localhost:7701\r\nAuthorization:  bearer  t0k \r\n"
                    + "Range: bytes=0-1\r\nIf-None-Match: \"a\"\r\nIf-None-Match: \"b\"\r\nX: \u{e9}\r\n\r\n"
            )
        )
        #expect(
            found.place == .blobPart("b_x") && found.query == "a=b" && found.token == "t0k" && !found.closes
                && !found.isHead
        )
        #expect(found.fields[.range] == "bytes=0-1" && found.fields[.ifNoneMatch] == "\"a\",\"b\"")
    }

    @Test(arguments: [
        ("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", HTTPPlace.health),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .elsewhere),
        ("GET https://A:1/health HTTP/1.1\r\nHost: a:1\r\n\r\n", .health),
        ("GET /blobs HTTP/1.1\r\nHost: [::1]:1\r\n\r\n", .blob("")),
        ("GET /blobs/ HTTP/1.1\r\nHost: a\r\n\r\n", .blob("")),
        ("GET /blobs/b_x HTTP/1.9\r\nHost: a\r\n\r\n", .blob("b_x")),
        ("GET /blobs//b_x HTTP/1.1\r\nHost: a\r\n\r\n", .blobPart("")),
        ("GET /blobs/b_x/a/b HTTP/1.1\r\nHost: a\r\n\r\n", .blobPart("")),
        ("GET /blobs/%62_x HTTP/1.1\r\nHost: a\r\n\r\n", .blob("%62_x")), ("GET /health HTTP/1.0\r\n\r\n", .health),
        ("GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", .health),
        ("GET /health HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\r\n", .health),
        ("PUT /blobs/cat.png?conv=%23lobby HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", .blob("cat.png")),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n", .elsewhere),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", .server), ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", .metrics),
        ("POST /tus HTTP/1.1\r\nHost: a\r\n\r\n", .uploads), ("POST /tus/ HTTP/1.1\r\nHost: a\r\n\r\n", .uploads),
        ("HEAD /tus/b_x HTTP/1.1\r\nHost: a\r\n\r\n", .upload("b_x")),
        ("HEAD /tus/b_x/y HTTP/1.1\r\nHost: a\r\n\r\n", .upload("")),
    ])
    func `leads to one place`(text: String, place: HTTPPlace) { #expect(request(text)?.place == place) }

    @Test func `the connection ends after a request that says so, and after HTTP 1.0`() {
        #expect(request("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n")?.closes == true)
        #expect(request("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")?.closes == true)
        #expect(request("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n")?.closes == false)
    }

    static let faults: [(String, Int)] = [
        // Line ends and characters.
        ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        ("GET / HTTP/1.1\rHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n", 400), ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // The request line.
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /\tHTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\r\nHost: a\r\n\r\n", 400),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("POST /blobs/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", 405),
        ("PUT /tus/ HTTP/1.1\r\nHost: a\r\n\r\n", 405), ("GET /tus/b_x HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        ("PUT /health HTTP/1.1\r\nHost: a\r\n\r\n", 405), ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405),
        ("TRACE /blobs/x HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        ("PATCH /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 405),
        ("POST /tus/b_x HTTP/1.1\r\nHost: a\r\nX-HTTP-Method-Override: GET\r\n\r\n", 405),
        ("POST /tus/b_x HTTP/1.1\r\nHost: a\r\nX-HTTP-Method-Override: BREW\r\n\r\n", 501),
        // The target.
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /% HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET https://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET https://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET https:///x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /" + String(repeating: "a", count: 4096) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET /" + String(repeating: "a", count: 30_000), 414), (String(repeating: "A", count: 30_000), 400),
        // Fields.
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX y: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a:x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400), ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-1\r\nRange: bytes=2-3\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 17_000) + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 101) + "\r\n", 431),
        // Content, and what could be read in two ways.
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n", 400),
    ]

    @Test(arguments: faults) func `every fault has its one right status`(text: String, status: Int) {
        #expect(read(text) == .refused(status), "\(text.prefix(80).debugDescription)")
    }

    @Test func `a POST to an upload may stand for another method, and nowhere else`() {
        let over = "HTTP/1.1\r\nHost: a\r\nX-HTTP-Method-Override: PATCH\r\n\r\n"
        #expect(request("POST /tus/b_x " + over)?.method == .patch)
        #expect(read("POST /blobs/b_x/y " + over) == .refused(405))
    }

    @Test func `content is announced by one length, or comes in chunks`() {
        let head = "PUT /blobs/x HTTP/1.1\r\nHost: a\r\n"
        #expect(request(head + "\r\n")?.framing == HTTPFraming.none)
        #expect(request(head + "Content-Length: 0\r\n\r\n")?.framing == HTTPFraming.none)
        #expect(request(head + "Content-Length: 05\r\n\r\n")?.framing == .length(5))
        #expect(request(head + "Transfer-Encoding: chunked\r\n\r\n")?.framing == .chunked)
        #expect(request(head + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")?.expectsContinue == true)
        #expect(request(head + "Expect: 100-continue\r\n\r\n")?.expectsContinue == false)
        let old = "PUT /blobs/x HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        #expect(request(old)?.expectsContinue == false)
    }

    @Test func `a target of 4096 bytes and a head of 16 KiB are taken`() {
        #expect(request("GET /" + String(repeating: "a", count: 4095) + " HTTP/1.1\r\nHost: a\r\n\r\n") != nil)
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        #expect(request(head + String(repeating: "x", count: 16_384 - head.utf8.count - 4) + "\r\n\r\n") != nil)
        #expect(request("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 99) + "\r\n") != nil)
    }
}
