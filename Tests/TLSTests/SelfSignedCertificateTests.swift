import COpenSSL
import Glibc
import Testing

@testable import TLS

@Suite("The self-signed certificate") struct SelfSignedCertificateTests {
    @Test func `is taken by a server and valid for ten years`() throws {
        let context = try TestCertificate().context()
        let seconds = try #require(context.secondsUntilExpiry)
        #expect((3649 * 86_400...3650 * 86_400).contains(seconds))
    }

    @Test func `names every name and address`() throws {
        let texts = try SelfSignedCertificate.make(
            names: ["localhost", "chat.example.test"],
            addresses: ["127.0.0.1", "::1"]
        )
        let bio = try #require(BIO_new(BIO_s_mem()))
        defer { BIO_free(bio) }
        BIO_puts(bio, texts.certificate)
        let certificate = Certificate(owning: try #require(PEM_read_bio_X509(bio, nil, nil, nil)))
        for name in ["localhost", "chat.example.test"] {
            #expect(X509_check_host(certificate.handle, name, 0, 0, nil) == 1)
        }
        #expect(X509_check_host(certificate.handle, "other.example.test", 0, 0, nil) == 0)
        for address in ["127.0.0.1", "::1"] { #expect(X509_check_ip_asc(certificate.handle, address, 0) == 1) }
        #expect(X509_check_ip_asc(certificate.handle, "127.0.0.2", 0) == 0)
        #expect(texts.key.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test func `is another one each time`() throws {
        let fingerprints = try (0..<3).map { _ in try TestCertificate().context().fingerprint }
        #expect(Set(fingerprints).count == 3)
    }

    @Test(arguments: ["", "a b", "x,DNS:evil.example.test", "naïve.example", "*"])
    func `refuses what is not a host name`(name: String) throws {
        #expect(throws: TLSFailure.self) { try SelfSignedCertificate.make(names: [name], addresses: []) }
    }

    @Test(arguments: ["", "localhost", "127.0.0.1,DNS:evil", "1.2.3"])
    func `refuses what is not an address`(address: String) throws {
        #expect(throws: TLSFailure.self) { try SelfSignedCertificate.make(names: [], addresses: [address]) }
    }

    @Test func `needs a name or an address`() throws {
        #expect(throws: TLSFailure.self) { try SelfSignedCertificate.make(names: [], addresses: []) }
        _ = try SelfSignedCertificate.make(names: [], addresses: ["192.0.2.1"])
    }
}
