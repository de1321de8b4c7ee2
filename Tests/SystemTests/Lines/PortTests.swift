import ChatTesting
import Testing

@Suite("Ports")
struct PortTests {
    @Test(arguments: [1, 2])
    func `HI names the server, the limits and the ways to sign in`(loops: Int) throws {
        let client = try SharedDaemon.with(loops: loops).client()
        let hi = try #require(client.hi)
        #expect(hi["server"]?.hasPrefix("fcd/") == true && hi["proto"] == "1" && hi["log"] != nil)
        #expect(hi["line"] == "16384" && hi["text"] == "4000" && hi["blob"] == "26214400")
        #expect(hi["blobs"]?.hasPrefix("https://") == true && hi["durability"] == "sync")
        #expect(hi["auth"] == "password,token,anonymous" && isTime(hi["time"]))
        #expect(hi.human == "type HELP")
    }

    @Test(arguments: [1, 2])
    func `the plain port speaks the same protocol without TLS`(loops: Int) throws {
        let daemon = try SharedDaemon.with(loops: loops)
        let plain = try daemon.plainClient()
        #expect(try plain.ok("PING x")["pong"] == "x")
        #expect(try plain.hi?["log"] == daemon.client().hi?["log"])
    }

    @Test(arguments: ["PING x\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"], [1, 2])
    func `a plain first byte on the chat port gets one plain line and is closed`(bytes: String, loops: Int) throws {
        let daemon = try SharedDaemon.with(loops: loops)
        let client = try TestClient(port: daemon.chatPort, .init(isSecure: false, readsHi: false))
        try client.send(bytes)
        let line = try client.line(within: 5)
        #expect(line.word == "BYE" && line.code == "NEED-TLS" && line.human?.isEmpty == false)
        #expect(client.isEnded(within: 5))
    }

    @Test(arguments: [1, 2])
    func `READY names every port, the control socket and the certificate`(loops: Int) throws {
        let ready = try #require(try SharedDaemon.with(loops: loops).ready)
        #expect(ready["chat"]?.hasPrefix("127.0.0.1:") == true && ready["plain"]?.hasPrefix("127.0.0.1:") == true)
        #expect(ready["blobs"]?.hasPrefix("127.0.0.1:") == true && ready["control"]?.hasSuffix("control.sock") == true)
        #expect(ready["cert-sha256"]?.wholeMatch(of: /([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
    }
}
