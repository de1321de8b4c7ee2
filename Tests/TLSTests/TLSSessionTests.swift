import COpenSSL
import Glibc
import Testing

@testable import TLS

@Suite("A TLS session") struct TLSSessionTests {
    /// A pair with both sessions past the handshake.
    private struct Talk {
        let sockets: ConnectedPair
        let client: TLSSession
        let server: TLSSession

        init(_ kind: ConnectedPair.Kind = .tcp, sendBuffer: Int32? = nil) throws {
            sockets = try ConnectedPair(kind, sendBuffer: sendBuffer)
            server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
            client = try TLSSession(client: .client(), descriptor: sockets.client, serverName: "localhost")
            let outcomes = sockets.shakeHands(client, server)
            try #require(outcomes.client == .bytes(0) && outcomes.server == .bytes(0))
        }
    }

    @Test(arguments: [ConnectedPair.Kind.unix, .tcp])
    func `carries bytes both ways after the handshake`(kind: ConnectedPair.Kind) throws {
        let talk = try Talk(kind)
        #expect(talk.client.send("AUTH anonymous=yes\n") == .bytes(19))
        #expect(talk.server.receive().bytes == Array("AUTH anonymous=yes\n".utf8))
        #expect(talk.server.send("OK\n") == .bytes(3))
        #expect(talk.client.receive().bytes == Array("OK\n".utf8))
        #expect(talk.client.summary == "TLSv1.3 TLS_AES_128_GCM_SHA256")
    }

    @Test func `says wantRead when nothing has come`() throws {
        let talk = try Talk()
        #expect(talk.server.readOnce().outcome == .wantRead)
    }

    @Test func `the client sees the fingerprint the server's context tells`() throws {
        let certificate = try TestCertificate()
        let context = try certificate.context()
        let sockets = try ConnectedPair(.tcp)
        let server = try TLSSession(server: context, descriptor: sockets.server)
        let client = try TLSSession(client: .client(), descriptor: sockets.client, serverName: "127.0.0.1")
        #expect(client.peerFingerprint == nil)
        _ = sockets.shakeHands(client, server)
        let fingerprint = try #require(client.peerFingerprint)
        #expect(fingerprint == context.fingerprint)
        #expect(fingerprint.utf8.count == 95 && fingerprint.split(separator: ":").count == 32)
    }

    @Test func `input already taken from the socket is announced as pending`() throws {
        let talk = try Talk()
        #expect(talk.client.send("first") == .bytes(5))
        #expect(talk.client.send("second") == .bytes(6))
        #expect(talk.server.receive().bytes == Array("first".utf8))
        #expect(talk.server.hasPending)
        #expect(talk.server.receive().bytes == Array("second".utf8))
        #expect(!talk.server.hasPending)
    }

    @Test func `a plain FIN is an ordinary end`() throws {
        let talk = try Talk()
        Glibc.shutdown(talk.sockets.client, Int32(SHUT_WR))
        #expect(talk.server.receive().outcome == .closed)
    }

    @Test func `close_notify is an ordinary end, and the other side can still be written to`() throws {
        let talk = try Talk()
        talk.client.shutdown()
        #expect(talk.server.receive().outcome == .closed)
        #expect(talk.server.send("BYE OK\n") == .bytes(7))
        #expect(talk.client.receive().bytes == Array("BYE OK\n".utf8))
    }

    @Test func `a reset is a disconnect with the system's reason`() throws {
        let talk = try Talk()
        // Closing with a linger time of 0 sends RST (socket(7)); the descriptor itself stays taken until the end.
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(talk.sockets.client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(talk.sockets.client, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        let outcome = talk.server.receive().outcome
        #expect(outcome == .failed(.system(ECONNRESET)))
        #expect(TLSFault.system(ECONNRESET).isDisconnect)
        #expect(TLSFault.system(ECONNRESET).description == "Connection reset by peer")
    }

    @Test func `bytes that are no TLS fail the handshake with OpenSSL's reason`() throws {
        let sockets = try ConnectedPair(.tcp)
        let server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        _ = Glibc.write(sockets.client, "GET / HTTP/1.0\r\n\r\n", 18)
        let outcome = server.conclude()
        guard case .failed(let fault) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(fault.description == "http request")
        #expect(!fault.isDisconnect)
    }

    @Test func `a FIN within the handshake is an end`() throws {
        let sockets = try ConnectedPair(.tcp)
        let server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        Glibc.shutdown(sockets.client, Int32(SHUT_WR))
        let outcome = server.conclude()
        #expect(outcome == .closed)
    }

    @Test func `one failed connection leaves no mark on the next`() throws {
        let talk = try Talk()
        let sockets = try ConnectedPair(.tcp)
        let failing = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        _ = Glibc.write(sockets.client, "GET / HTTP/1.0\r\n\r\n", 18)
        #expect(failing.conclude().isFailure)
        #expect(talk.server.readOnce().outcome == .wantRead)
        #expect(talk.client.send("x") == .bytes(1))
        #expect(talk.server.receive().bytes == [0x78])
    }
}
