import COpenSSL
import Glibc

/// An X.509 certificate. Owned by whoever holds the object; freed with it.
final class Certificate {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) { self.handle = handle }

    deinit { X509_free(handle) }

    /// SHA-256 of the DER form, upper-case hexadecimal pairs with colons between.
    var fingerprint: String {
        var digest: [UInt8] = Array(repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(handle, EVP_sha256(), &digest, &count) == 1 else { return "" }
        return digest.prefix(Int(count)).map(Self.pair).joined(separator: ":")
    }

    /// The last second it is valid, since 1970; nil when its own field makes no sense.
    var expiry: Int64? {
        var parts = tm()
        guard ASN1_TIME_to_tm(X509_get0_notAfter(handle), &parts) == 1 else { return nil }
        return Int64(timegm(&parts))
    }

    /// Why it is not valid at this moment, nil when it is.
    var faultOfTime: String? {
        let (begin, end) = (X509_get0_notBefore(handle), X509_get0_notAfter(handle))
        // 0 is an unreadable time, below 0 is past, above is to come (X509_cmp_current_time(3)).
        let (sinceBegin, untilEnd) = (X509_cmp_current_time(begin), X509_cmp_current_time(end))
        if sinceBegin == 0 || untilEnd == 0 { return "the certificate's time of validity cannot be read" }
        if sinceBegin > 0 { return "the certificate is not yet valid: it begins \(Self.text(of: begin))" }
        if untilEnd < 0 { return "the certificate has expired: it ended \(Self.text(of: end))" }
        return nil
    }

    private static func pair(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
    }

    private static func text(of time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "?" }
        var room: [CChar] = Array(repeating: 0, count: 32)
        let count = strftime(&room, room.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: room.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
