import COpenSSL
import Glibc
import Testing

@testable import TLS

/// A certificate and its key as two files in a directory of their own, removed with the object.
final class TestCertificate {
    let directory: String
    var certificateFile: String { directory + "/cert.pem" }
    var keyFile: String { directory + "/key.pem" }

    /// With a made key where `key` is nil; `valid` is in seconds from now.
    init(key: PrivateKey? = nil, valid: ClosedRange<Int64>? = nil) throws {
        var template = Array("/tmp/fc-tls-test-XXXXXX".utf8CString)
        directory = String(cString: try #require(mkdtemp(&template)))
        var texts = try SelfSignedCertificate.make(names: ["localhost"], addresses: ["127.0.0.1", "::1"])
        if key != nil || valid != nil {
            let now = Int64(time(nil))
            let seconds = valid ?? -60...3600
            texts = try SelfSignedCertificate.make(
                names: ["localhost"],
                addresses: [],
                key: key ?? Self.curve("P-256"),
                valid: (now + seconds.lowerBound)...(now + seconds.upperBound)
            )
        }
        write(texts.certificate, to: certificateFile)
        write(texts.key, to: keyFile)
    }

    deinit {
        for name in ["cert.pem", "key.pem"] { unlink(directory + "/" + name) }
        rmdir(directory)
    }

    static func curve(_ name: String) throws -> PrivateKey { PrivateKey(owning: try #require(fc_EVP_EC_gen(name))) }
    static func rsa(_ bits: UInt32) throws -> PrivateKey { PrivateKey(owning: try #require(fc_EVP_RSA_gen(bits))) }

    func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    func context(minimum: TLSVersion = .tls12) throws -> TLSContext {
        try TLSContext.server(certificateFile: certificateFile, keyFile: keyFile, minimum: minimum)
    }
}
