import ChatClient
import Testing

@Suite("Files of the client")
struct FileTests {
    @Test func `The first bytes go before the name`() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(FileType.of(name: "a.txt", first: png) == "image/png")
        #expect(FileType.of(name: "/x.y/a.TXT", first: Array("hi".utf8)) == "text/plain")
        #expect(FileType.of(name: "x.y/a", first: []) == "application/octet-stream")
        #expect(FileType.of(name: "a.png", first: Array("hi".utf8)) == "application/octet-stream")
    }

    @Test func `A blob is named by its id, or by a URL of this server alone`() {
        let base = "https://127.0.0.1:7701"
        #expect(BlobAddress("b_12ab", base: base)?.target == "/blobs/b_12ab")
        let signed = BlobAddress("https://127.0.0.1:7701/blobs/b_1/cat.png?exp=1&sig=x#y", base: base)
        #expect(signed?.target == "/blobs/b_1/cat.png?exp=1&sig=x")
        #expect(signed?.lastPart == "cat.png")
        for wrong in [
            "https://evil.test/blobs/b_1", "https://127.0.0.1:7701.evil.test/blobs/b_1",
            "http://127.0.0.1:7701/blobs/b_1",
            "https://127.0.0.1:7701/admin", "https://127.0.0.1:7701/blobs/b_1 HTTP/1.1\r\nX: y", "b_1/../x", "",
            "cat.png",
        ] {
            #expect(BlobAddress(wrong, base: base) == nil, "\(wrong)")
        }
        #expect(BlobAddress.endpoint(of: "https://[::1]:7701") == Endpoint(host: "::1", port: 7701))
        #expect(BlobAddress.endpoint(of: "https://chat.example")?.port == 443)
    }

    @Test(arguments: [
        ("attachment; filename=\"cat.png\"", "cat.png"),
        ("attachment; filename=\"../../.bashrc\"", "bashrc"),
        ("attachment; filename=\"..\\\\..\\\\a.exe\"", "a.exe"),
        ("attachment; filename=\"x.png\"; filename*=UTF-8''%E4%BD%A0.png", "你.png"),
        ("attachment; filename=\"a\u{202e}gnp.exe\"", "a_gnp.exe"),
        ("attachment; filename*=UTF-8''%1b%5b2J", "_[2J"),
        ("attachment; filename=\"-rf\"", "rf"),
        ("attachment; filename=\"...\"", "blob"),
        ("attachment", "part.bin"),
    ])
    func `The proposed name is made harmless`(_ disposition: String, _ name: String) {
        #expect(DownloadName.safe(disposition: disposition, lastPart: "part.bin") == name)
    }

    @Test func `A long name keeps its ending`() {
        let name = DownloadName.safe(disposition: nil, lastPart: String(repeating: "x", count: 900) + ".png")
        #expect(name.utf8.count <= 200 && name.hasSuffix(".png"))
    }

    @Test func `An answer's head is taken apart strictly`() {
        let good = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"x\"\r\n\r\nhello".utf8)
        guard case .complete(let head, let count) = HTTPHead.parse(good) else { return #expect(Bool(false)) }
        #expect(head.status == 200 && head.length == 5 && head["etag"] == "\"x\"" && count == good.count - 5)
        #expect(HTTPHead.parse(Array(good.prefix(20))) == .incomplete)
        for bad in [
            "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n folded\r\n\r\n", "ftp\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        ] {
            #expect(HTTPHead.parse(Array(bad.utf8)) == .malformed, "\(bad)")
        }
        for length in ["-5", "+5", "5 ", "0x5", "", "99999999999999999999"] {
            let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)
            if case .complete(let head, _) = HTTPHead.parse(bytes) { #expect(head.length == nil, "\(length)") }
        }
    }

    @Test func `The bar fits its window, whatever the name`() {
        for columns in 0...200 {
            let bar = ProgressBar(name: "你\u{1b}[2J.png", done: 1_234_567, total: 2_800_000, seconds: 2)
            let text = bar.text(columns: columns)
            #expect(CellWidth.of(text) < max(columns, 1) && !text.unicodeScalars.contains(where: JSONText.isEscaped))
        }
        let bar = ProgressBar(name: "cat.png", done: 500_000, total: 1_000_000, seconds: 0)
        #expect(bar.text(columns: 80).contains("cat.png 50% [####"))
    }
}
