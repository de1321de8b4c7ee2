import Bytes
import Glibc
import SystemIO
import TLS

/// The server's certificate: the operator's, or one made at the first start.
enum Identity {
    /// - Parameters:
    ///   - directory: where the one that is made stands.
    ///   - mayMake: whether one is made when there is none.
    /// - Throws: `TLSFailure` naming the file and what is wrong with it.
    static func load(
        _ settings: Settings,
        in directory: String,
        mayMake: Bool = true
    ) throws(TLSFailure) -> TLSContext {
        let minimum: TLSVersion = settings.tls.min == .v1_3 ? .tls13 : .tls12
        if let certificate = settings.tls.certificate, let key = settings.tls.key {
            return try .server(certificateFile: certificate, keyFile: key, minimum: minimum)
        }
        let certificate = directory + "/certificate.pem"
        let key = directory + "/key.pem"
        if mayMake, access(certificate, F_OK) != 0 || access(key, F_OK) != 0 { try make(certificate, key) }
        return try .server(certificateFile: certificate, keyFile: key, minimum: minimum)
    }

    private static func make(_ certificate: String, _ key: String) throws(TLSFailure) {
        var names = ["localhost"]
        if let host = hostName, host != "localhost" { names.append(host) }
        let made = try SelfSignedCertificate.make(names: names, addresses: ["127.0.0.1", "::1"])
        do throws(Errno) {
            try write(made.key, to: key)
            try write(made.certificate, to: certificate)
        } catch {
            throw TLSFailure("\(certificate): \(error)")
        }
    }

    private static func write(_ text: String, to path: String) throws(Errno) {
        var bytes = ByteBuffer()
        bytes.append(string: text)
        try File.replace(path, with: bytes.readable)
    }

    /// The host's name when a certificate can carry it.
    private static var hostName: String? {
        var room = [CChar](repeating: 0, count: 256)
        guard gethostname(&room, room.count - 1) == 0 else { return nil }
        let name = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        return name.isEmpty || !allowed ? nil : name
    }
}
