import BlobFrontEnd
import Testing

@Suite("Conditions and ranges") struct SelectionTests {
    private func select(_ fields: String, method: String = "GET", size: UInt64 = 10) -> HTTPSelection? {
        let head = "\(method) /blobs/x HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
        guard case .request(let request) = Reading(Array(head.utf8)) else { return nil }
        return HTTPSelection(request, tag: "\"t\"", size: size)
    }

    @Test(arguments: [
        ("bytes=0-3", HTTPSelection.part(first: 0, last: 3)), ("bytes=-3", .part(first: 7, last: 9)),
        ("bytes=8-", .part(first: 8, last: 9)),
        ("bytes=0-99", .part(first: 0, last: 9)), ("bytes=-99", .part(first: 0, last: 9)),
        ("BYTES=9-9", .part(first: 9, last: 9)),
        ("bytes=10-", .notSatisfiable), ("bytes=-0", .notSatisfiable), ("bytes=99999999999999999999-", .notSatisfiable),
        ("bytes=0-18446744073709551615", .part(first: 0, last: 9)),
        ("bytes=0-99999999999999999999999", .part(first: 0, last: 9)),
        ("bytes=18446744073709551615-18446744073709551615", .notSatisfiable),
        ("bytes=5-2", .whole), ("bytes=a-b", .whole), ("bytes=-", .whole), ("bytes=", .whole), ("bytes=1", .whole),
        ("lines=0-1", .whole),
        ("bytes=0-1,3-4", .whole), ("bytes=+1-2", .whole), ("bytes=0x1-2", .whole), ("bytes= 0-1", .whole),
    ])
    func `of a range`(range: String, expected: HTTPSelection) {
        #expect(select("Range: \(range)\r\n") == expected)
        #expect(select("Range: \(range)\r\n", method: "HEAD") == .whole, "a range means nothing to HEAD")
    }

    @Test func `nothing of an empty blob can be had in parts`() {
        for range in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
            #expect(select("Range: \(range)\r\n", size: 0) == .notSatisfiable)
        }
    }

    @Test(arguments: [
        ("If-None-Match: \"t\"", HTTPSelection.notModified), ("If-None-Match: W/\"t\"", .notModified),
        ("If-None-Match: *", .notModified),
        ("If-None-Match: \"a\", \"t\"", .notModified), ("If-None-Match: \"a\"", .whole), ("If-None-Match: t", .whole),
        ("If-Match: \"t\"", .whole), ("If-Match: *", .whole), ("If-Match: \"a\"", .preconditionFailed),
        ("If-Match: W/\"t\"", .preconditionFailed),
        ("If-Range: \"t\"\r\nRange: bytes=0-0", .part(first: 0, last: 0)),
        ("If-Range: W/\"t\"\r\nRange: bytes=0-0", .whole),
        ("If-Range: \"a\"\r\nRange: bytes=0-0", .whole),
        ("If-Range: Mon, 30 Nov 2026 10:00:00 GMT\r\nRange: bytes=0-0", .whole),
        ("If-None-Match: \"t\"\r\nRange: bytes=99-", .notModified),
        ("If-Match: \"a\"\r\nIf-None-Match: \"t\"", .preconditionFailed),
        // A tag may hold a comma; what is no list of tags matches nothing.
        ("If-None-Match: \"a,\"t\",b\"", .whole), ("If-None-Match: \"a,b\",\"t\"", .notModified),
        ("If-None-Match: \"t", .whole), ("If-None-Match: \"t\"x", .whole), ("If-None-Match: w/\"t\"", .whole),
        ("If-None-Match: ,, \"t\" ,", .notModified), ("If-Match: \"x\",\"t\"", .whole),
        // A server without dates passes them over (section 13.1.3 and 13.1.4).
        ("If-Modified-Since: Mon, 30 Nov 2099 10:00:00 GMT", .whole),
        ("If-Unmodified-Since: Mon, 30 Nov 1999 10:00:00 GMT", .whole),
        ("If-Match: \"t\"\r\nIf-None-Match: \"t\"", .notModified),
        ("If-None-Match: \"a\"\r\nRange: bytes=0-0", .part(first: 0, last: 0)),
        ("If-Match: \"t\"\r\nIf-Range: \"a\"\r\nRange: bytes=0-0", .whole),
    ])
    func `of conditions`(fields: String, expected: HTTPSelection) { #expect(select(fields + "\r\n") == expected) }
}
