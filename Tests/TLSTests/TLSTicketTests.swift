import Testing

@testable import TLS

@Suite("A ticket of TLS") struct TLSTicketTests {
    /// A handshake over new sockets, a word from the server so that the client reads its ticket, and both ends' end.
    private func talk(
        _ server: TLSContext,
        _ client: TLSContext,
        _ ticket: TLSTicket?
    ) throws -> (isResumed: Bool, ticket: TLSTicket?) {
        let sockets = try ConnectedPair(.tcp)
        let one = try TLSSession(server: server, descriptor: sockets.server)
        let other = try TLSSession(client: client, descriptor: sockets.client, serverName: "localhost")
        if let ticket { other.resume(with: ticket) }
        let outcomes = sockets.shakeHands(other, one)
        try #require(outcomes.client == .bytes(0) && outcomes.server == .bytes(0))
        #expect(other.ticket == nil || ticket != nil)
        #expect(one.send("HI\n") == .bytes(3))
        #expect(other.receive().bytes == Array("HI\n".utf8))
        let next = other.ticket
        other.shutdown()
        return (other.isResumed, next)
    }

    @Test func `shortens the handshakes of many connections, and is no use at another server`() throws {
        let (server, client) = (try TestCertificate().context(), try TLSContext.client(suite: "TLS_AES_128_GCM_SHA256"))
        let first = try talk(server, client, nil)
        #expect(!first.isResumed)
        let ticket = try #require(first.ticket)
        for _ in 0..<3 { #expect(try talk(server, client, ticket).isResumed) }
        #expect(try !talk(TestCertificate().context(), client, ticket).isResumed)
    }

    @Test func `a suite that does not exist is refused by name`() {
        let error = #expect(throws: TLSFailure.self) { try TLSContext.client(suite: "TLS_NONE") }
        #expect(error?.text.hasPrefix("the suite TLS_NONE cannot be used: ") == true)
    }
}
