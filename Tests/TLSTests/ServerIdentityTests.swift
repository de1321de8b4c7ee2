import COpenSSL
import Glibc
import Testing

@testable import TLS

@Suite("A server's certificate and key") struct ServerIdentityTests {
    /// The reason why the pair is refused, or "" when it is not.
    private func refusal(_ certificateFile: String, _ keyFile: String) -> String {
        do throws(TLSFailure) {
            _ = try TLSContext.server(certificateFile: certificateFile, keyFile: keyFile, minimum: .tls12)
            return ""
        } catch {
            return error.text
        }
    }

    private func refusal(_ certificate: TestCertificate) -> String {
        refusal(certificate.certificateFile, certificate.keyFile)
    }

    @Test func `a key of another certificate is refused, both files named`() throws {
        let (one, other) = (try TestCertificate(), try TestCertificate())
        let text = refusal(one.certificateFile, other.keyFile)
        #expect(text == "\(other.keyFile): this key does not belong to the certificate in \(one.certificateFile)")
    }

    @Test func `an expired certificate is refused`() throws {
        let certificate = try TestCertificate(valid: -7200 ... -3600)
        #expect(
            refusal(certificate).hasPrefix("\(certificate.certificateFile): the certificate has expired: it ended 20")
        )
    }

    @Test func `a certificate of the future is refused`() throws {
        let certificate = try TestCertificate(valid: 3600...7200)
        #expect(refusal(certificate).hasPrefix("\(certificate.certificateFile): the certificate is not yet valid"))
    }

    @Test func `an RSA key below 2048 bits is refused`() throws {
        let certificate = try TestCertificate(key: TestCertificate.rsa(1024))
        #expect(
            refusal(certificate) == "\(certificate.keyFile): an RSA key of 1024 bits is too weak, 2048 is the least"
        )
    }

    @Test func `a curve below 256 bits is refused`() throws {
        let certificate = try TestCertificate(key: TestCertificate.curve("P-224"))
        #expect(refusal(certificate) == "\(certificate.keyFile): an EC key of 224 bits is too weak, 256 is the least")
    }

    @Test func `RSA of 2048 bits and other curves of 256 bits and more are accepted`() throws {
        #expect(refusal(try TestCertificate(key: TestCertificate.rsa(2048))) == "")
        #expect(refusal(try TestCertificate(key: TestCertificate.curve("P-384"))) == "")
    }

    @Test func `a missing file is refused with its name`() throws {
        let certificate = try TestCertificate()
        #expect(
            refusal("/nonexistent/cert.pem", certificate.keyFile)
                == "/nonexistent/cert.pem: cannot be read: No such file or directory"
        )
        #expect(
            refusal(certificate.certificateFile, certificate.directory)
                == "\(certificate.directory): cannot be read: Is a directory"
        )
    }

    @Test func `a file without a certificate or key is refused`() throws {
        let certificate = try TestCertificate()
        #expect(
            refusal(certificate.keyFile, certificate.keyFile)
                == "\(certificate.keyFile): there is no PEM certificate in this file"
        )
        #expect(
            refusal(certificate.certificateFile, certificate.certificateFile)
                == "\(certificate.certificateFile): there is no PEM private key in this file"
        )
        certificate.write("", to: certificate.certificateFile)
        #expect(refusal(certificate).hasSuffix("there is no PEM certificate in this file"))
    }

    @Test func `a damaged certificate and a damaged key are refused`() throws {
        let certificate = try TestCertificate()
        certificate.write(
            "-----BEGIN CERTIFICATE-----\nMIIB!!!!\n-----END CERTIFICATE-----\n",
            to: certificate.certificateFile
        )
        #expect(refusal(certificate).hasPrefix("\(certificate.certificateFile): certificate number 1 is damaged: "))
        let second = try TestCertificate()
        second.write("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n", to: second.keyFile)
        #expect(refusal(second).hasPrefix("\(second.keyFile): the private key is damaged: "))
    }

    @Test func `a key with a passphrase is refused and nobody is asked for it`() throws {
        let certificate = try TestCertificate()
        let key = try TestCertificate.curve("P-256")
        let bio = try #require(BIO_new(BIO_s_mem()))
        defer { BIO_free(bio) }
        try #require(PEM_write_bio_PKCS8PrivateKey(bio, key.handle, EVP_aes_128_cbc(), "secret", 6, nil, nil) == 1)
        var start: UnsafeMutablePointer<CChar>?
        let count = fc_BIO_get_mem_data(bio, &start)
        let text = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        certificate.write(text, to: certificate.keyFile)
        #expect(
            refusal(certificate)
                == "\(certificate.keyFile): the key is protected by a passphrase; it must be without one"
        )
    }

    @Test func `a file larger than any chain is refused`() throws {
        let certificate = try TestCertificate()
        #expect(refusal("/dev/zero", certificate.keyFile) == "/dev/zero: larger than 1 MiB")
    }

    @Test func `a chain behind the leaf is sent along`() throws {
        let (certificate, link) = (try TestCertificate(), try TestCertificate())
        let both = try [certificate, link].map { try String(contentsOf: $0.certificateFile) }.joined()
        certificate.write(both, to: certificate.certificateFile)
        let context = try certificate.context()
        let sockets = try ConnectedPair(.unix)
        let server = try TLSSession(server: context, descriptor: sockets.server)
        let client = try TLSSession(client: .client(), descriptor: sockets.client, serverName: "localhost")
        _ = sockets.shakeHands(client, server)
        #expect(client.chainCount == 2)
        #expect(client.peerFingerprint == context.fingerprint)
    }

    @Test func `the time left is told`() throws {
        let context = try TestCertificate(valid: -60...86_400).context()
        let seconds = try #require(context.secondsUntilExpiry)
        #expect((86_000...86_400).contains(seconds))
        #expect(try TLSContext.client().secondsUntilExpiry == nil)
        #expect(try TLSContext.client().fingerprint == nil)
    }
}

extension String {
    fileprivate init(contentsOf path: String) throws {
        let file = try PEMFile(path: path)
        var start: UnsafeMutablePointer<CChar>?
        let count = fc_BIO_get_mem_data(file.bio, &start)
        self = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
