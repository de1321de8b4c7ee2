import COpenSSL
import Testing

@testable import TLS

@Suite("The oldest TLS version") struct TLSVersionTests {
    /// How the server's handshake ends with a client that offers exactly one version.
    private func outcome(offering version: Int32, to minimum: TLSVersion) throws -> TLSOutcome {
        let sockets = try ConnectedPair(.tcp)
        let context = try TLSContext.client()
        fc_SSL_CTX_set_min_proto_version(context.handle, version)
        fc_SSL_CTX_set_max_proto_version(context.handle, version)
        // The client must be able to speak the old versions, or the test would show only its own refusal.
        SSL_CTX_set_cipher_list(context.handle, "ALL:@SECLEVEL=0")
        let server = try TLSSession(server: TestCertificate().context(minimum: minimum), descriptor: sockets.server)
        let client = try TLSSession(client: context, descriptor: sockets.client, serverName: "localhost")
        return sockets.shakeHands(client, server).server
    }

    @Test func `1_1 is refused`() throws {
        let outcome = try outcome(offering: TLS1_1_VERSION, to: .tls12)
        guard case .failed(let fault) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(fault.description == "unsupported protocol")
    }

    @Test func `1_2 and 1_3 are accepted when 1_2 is the minimum`() throws {
        #expect(try outcome(offering: TLS1_2_VERSION, to: .tls12) == .bytes(0))
        #expect(try outcome(offering: TLS1_3_VERSION, to: .tls12) == .bytes(0))
    }

    @Test func `1_2 is refused when 1_3 is the minimum`() throws {
        #expect(try outcome(offering: TLS1_2_VERSION, to: .tls13).isFailure)
        #expect(try outcome(offering: TLS1_3_VERSION, to: .tls13) == .bytes(0))
    }

    @Test func `in 1_2 a suite without forward secrecy and AEAD is refused`() throws {
        let sockets = try ConnectedPair(.tcp)
        let context = try TLSContext.client()
        fc_SSL_CTX_set_max_proto_version(context.handle, TLS1_2_VERSION)
        SSL_CTX_set_cipher_list(context.handle, "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384")
        let server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        let client = try TLSSession(client: context, descriptor: sockets.client, serverName: "localhost")
        #expect(sockets.shakeHands(client, server).server.isFailure)
    }
}
