import Glibc
import TLS

/// A self-signed certificate in a temporary file, made once for all tests.
enum TestIdentity {
    static let server: TLSContext? = try? make()
    static let client: TLSContext? = try? TLSContext.client()

    private static func make() throws -> TLSContext {
        let (certificate, key) = try SelfSignedCertificate.make(names: ["localhost"], addresses: ["127.0.0.1"])
        let path = try TestDirectory.path("identity.pem")
        guard let file = fopen(path, "w") else { throw TestFailure("no file for the certificate") }
        fputs(certificate + key, file)
        fclose(file)
        return try TLSContext.server(certificateFile: path, keyFile: path, minimum: .tls12)
    }
}

/// Something the test needed did not happen.
struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A directory of this test run.
enum TestDirectory {
    private static let root: String? = {
        var template = Array("/tmp/transport-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    static func path(_ name: String) throws -> String {
        guard let root else { throw TestFailure("no temporary directory") }
        return root + "/" + name
    }
}
