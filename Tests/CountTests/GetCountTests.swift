import ChatTesting
import Testing

@Suite(
    "What fetching a small file costs",
    .serialized,
    .enabled(if: ReleasedDaemon.path != nil, "`make counts` counts on the release build")
)
struct GetCountTests {
    @Test func `allocations and system calls of GETs on a connection that is kept`() throws {
        let counted = try CountedDaemon()
        let daemon = counted.daemon
        let ann = try daemon.user("ann")
        let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let url = try #require(try ann.upload(content)["url"])
        let place = "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
        let request = "GET \(place) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\n\r\n"
        let http = try daemon.http()
        func get(_ count: Int) throws {
            for _ in 0..<count {
                try http.send(request)
                let answer = try http.answer()
                try #require(answer.status == 200 && answer.body == content)
            }
        }
        try get(100)
        let allocations = try counted.allocations { try get(100) }
        try Thresholds(of: "get").expect(["allocations": allocations / 100])
        let calls = try SystemCallCounter(daemon)
        try get(100)
        try Thresholds(of: "calls for 100 GETs").expect(try calls.counts())
    }
}
