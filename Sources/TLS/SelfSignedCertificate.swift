import COpenSSL
import Glibc

/// The certificate a server makes for itself at its first start.
package enum SelfSignedCertificate {
    private static let year: Int64 = 365 * 86_400

    /// A certificate with a new ECDSA P-256 key, valid for ten years from now, and before: a clock that is set back, or not
    /// set yet after a power cut, must not keep the server from starting.
    /// - Parameters:
    ///   - names: host names of ASCII letters, digits, `-`, `.`, `_`; the first is the subject's common name.
    ///   - addresses: IPv4 and IPv6 addresses in digits.
    /// - Returns: PEM texts; the key as PKCS #8 without a passphrase.
    /// - Throws: `TLSFailure` naming the name or address that is none, or when both lists are empty.
    package static func make(
        names: [String],
        addresses: [String]
    ) throws(TLSFailure) -> (certificate: String, key: String) {
        ERR_clear_error()
        guard let handle = fc_EVP_EC_gen("P-256") else { throw .ofOpenSSL("no key could be made") }
        let now = Int64(time(nil))
        return try make(
            names: names,
            addresses: addresses,
            key: PrivateKey(owning: handle),
            valid: 0...(max(0, now) + 10 * year)
        )
    }

    /// The same with a given key and time of validity, in seconds since 1970.
    static func make(
        names: [String],
        addresses: [String],
        key: PrivateKey,
        valid: ClosedRange<Int64>
    ) throws(TLSFailure) -> (certificate: String, key: String) {
        let alternatives = try alternativeNames(names, addresses)
        guard let handle = X509_new() else { throw .ofOpenSSL("no certificate could be made") }
        let certificate = Certificate(owning: handle)
        X509_set_version(handle, 2)  // counted from 0: this is version 3
        try setSerial(of: handle)
        ASN1_TIME_set(X509_getm_notBefore(handle), time_t(valid.lowerBound))
        ASN1_TIME_set(X509_getm_notAfter(handle), time_t(valid.upperBound))
        let subject = X509_get_subject_name(handle)
        let common = String((names.first ?? addresses.first ?? "").prefix(64))  // ub-common-name, RFC 5280
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, common, -1, -1, 0)
        X509_set_issuer_name(handle, subject)
        X509_set_pubkey(handle, key.handle)
        try extend(handle, NID_subject_alt_name, alternatives)
        try extend(handle, NID_basic_constraints, "critical,CA:FALSE")
        try extend(handle, NID_key_usage, "critical,digitalSignature,keyEncipherment")
        try extend(handle, NID_ext_key_usage, "serverAuth")
        guard X509_sign(handle, key.handle, EVP_sha256()) > 0 else { throw .ofOpenSSL("the certificate's signature") }
        return (
            try pem { PEM_write_bio_X509($0, certificate.handle) }, try pem { fc_PEM_write_PrivateKey($0, key.handle) }
        )
    }

    /// OpenSSL's notation for the subject's alternative names; only checked characters get into it.
    private static func alternativeNames(_ names: [String], _ addresses: [String]) throws(TLSFailure) -> String {
        var parts: [String] = []
        for name in names {
            guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy(isOfHostName) else {
                throw TLSFailure("\"\(name)\" is not a host name")
            }
            parts.append("DNS:\(name)")
        }
        for address in addresses {
            var room = in6_addr()
            guard inet_pton(AF_INET, address, &room) == 1 || inet_pton(AF_INET6, address, &room) == 1 else {
                throw TLSFailure("\"\(address)\" is not an address")
            }
            parts.append("IP:\(address)")
        }
        if parts.isEmpty { throw TLSFailure("a certificate needs a name or an address") }
        return parts.joined(separator: ",")
    }

    private static func isOfHostName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// A random positive serial number of 127 bits (RFC 5280 section 4.1.2.2 allows 20 bytes).
    private static func setSerial(of certificate: OpaquePointer) throws(TLSFailure) {
        guard let number = BN_new() else { throw .ofOpenSSL("no serial number could be made") }
        defer { BN_free(number) }
        guard BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1,
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
        else { throw .ofOpenSSL("no serial number could be made") }
    }

    private static func extend(_ certificate: OpaquePointer, _ kind: Int32, _ value: String) throws(TLSFailure) {
        guard let part = X509V3_EXT_conf_nid(nil, nil, kind, value) else {
            throw .ofOpenSSL("the certificate's extension \(value)")
        }
        defer { X509_EXTENSION_free(part) }
        guard X509_add_ext(certificate, part, -1) == 1 else { throw .ofOpenSSL("the certificate's extension \(value)") }
    }

    private static func pem(_ write: (OpaquePointer) -> Int32) throws(TLSFailure) -> String {
        // Memory that OpenSSL wipes when it is freed: one of the texts is a key.
        guard let bio = BIO_new(BIO_s_secmem()) else { throw .ofOpenSSL("no memory for a PEM text") }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { throw .ofOpenSSL("a PEM text could not be written") }
        var start: UnsafeMutablePointer<CChar>?
        let count = fc_BIO_get_mem_data(bio, &start)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: max(0, count)), as: UTF8.self)
    }
}
