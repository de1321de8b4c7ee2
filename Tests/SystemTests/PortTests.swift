import ChatTesting
import Testing

@Suite("Ports")
struct PortTests {
    @Test(arguments: [1, 2])
    func `the chat port greets over TLS`(loops: Int) throws {
        let client = try SharedDaemon.with(loops: loops).client()
        #expect(client.hi?["proto"] == "1")
    }
}
