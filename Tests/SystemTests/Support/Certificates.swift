import COpenSSL
import ChatTesting
import Foundation
import Testing

@testable import TLS

/// Certificate and key files for a daemon, in a directory of their own, and the ways they can be wrong.
final class Certificates {
    private let directory = TemporaryDirectory()
    var certificate: String { directory.path + "/certificate.pem" }
    var key: String { directory.path + "/key.pem" }
    var settings: [String] { ["tls.certificate=\(certificate)", "tls.key=\(key)"] }

    init() throws { try put(Self.pair()) }

    typealias Pair = (certificate: String, key: String)

    /// A new pair, valid for these seconds from now; of a curve or, with `bits`, an RSA key.
    static func pair(valid: ClosedRange<Int64> = -60...8_640_000, bits: UInt32? = nil) throws -> Pair {
        let handle = try #require(bits.map { fc_EVP_RSA_gen($0) } ?? fc_EVP_EC_gen("P-256"))
        let now = Int64(Date().timeIntervalSince1970)
        return try SelfSignedCertificate.make(
            names: ["localhost"],
            addresses: ["127.0.0.1"],
            key: PrivateKey(owning: handle),
            valid: (now + valid.lowerBound)...(now + valid.upperBound)
        )
    }

    func put(_ pair: Pair) throws {
        try pair.certificate.write(toFile: certificate, atomically: true, encoding: .utf8)
        try pair.key.write(toFile: key, atomically: true, encoding: .utf8)
    }

    /// A way in which a pair is no good.
    enum Fault: CaseIterable {
        case keyOfAnother, halfCertificate, halfKey, emptyCertificate, emptyKey, unreadableKey, unreadableCertificate
        case expired, notYetValid, weakKey, missing, swapped, directory
    }

    /// Puts a pair that is no good, over what is there.
    func spoil(_ fault: Fault) throws {
        var pair = try Self.pair()
        switch fault {
        case .keyOfAnother: pair.key = try Self.pair().key
        case .halfCertificate: pair.certificate = String(pair.certificate.prefix(pair.certificate.count / 2))
        case .halfKey: pair.key = String(pair.key.prefix(pair.key.count / 2))
        case .emptyCertificate: pair.certificate = ""
        case .emptyKey: pair.key = ""
        case .expired: pair = try Self.pair(valid: -7200 ... -3600)
        case .notYetValid: pair = try Self.pair(valid: 3600...7200)
        case .weakKey: pair = try Self.pair(bits: 1024)
        case .swapped: pair = (certificate: pair.key, key: pair.certificate)
        case .unreadableKey, .unreadableCertificate, .missing, .directory: break
        }
        try put(pair)
        let files = FileManager.default
        switch fault {
        case .unreadableKey: try files.setAttributes([.posixPermissions: 0], ofItemAtPath: key)
        case .unreadableCertificate: try files.setAttributes([.posixPermissions: 0], ofItemAtPath: certificate)
        case .missing: try files.removeItem(atPath: certificate)
        case .directory:
            try files.removeItem(atPath: key)
            try files.createDirectory(atPath: key, withIntermediateDirectories: false)
        default: break
        }
    }

    /// Takes away what `put` cannot write over.
    func clear() throws {
        for path in [certificate, key] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Lets a daemon run by root be stopped by file modes like any other user: without the capabilities that pass them.
    static var wrapper: [String] {
        let capabilities = "-dac_override,-dac_read_search"
        return geteuid() == 0 ? ["setpriv", "--bounding-set", capabilities, "--inh-caps", capabilities] : []
    }
}

/// SHA-256 of the certificate that a port of 127.0.0.1 shows, as READY writes it.
func shownFingerprint(port: UInt16) throws -> String {
    try LineProbe(port: port).fingerprint
}
