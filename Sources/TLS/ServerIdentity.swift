import COpenSSL
import Glibc

/// A server's certificate chain and key, checked against each other and against the clock.
struct ServerIdentity {
    private let leaf: Certificate
    private let chain: [Certificate]
    private let key: PrivateKey

    /// - Throws: `TLSFailure` naming file and reason.
    init(certificateFile: String, keyFile: String) throws(TLSFailure) {
        ERR_clear_error()
        var certificates = try Self.certificates(in: certificateFile)
        leaf = certificates.removeFirst()
        chain = certificates
        key = try Self.key(in: keyFile)
        guard X509_check_private_key(leaf.handle, key.handle) == 1 else {
            ERR_clear_error()
            throw TLSFailure("\(keyFile): this key does not belong to the certificate in \(certificateFile)")
        }
        if let weakness = key.weakness { throw TLSFailure("\(keyFile): \(weakness)") }
        if let fault = leaf.faultOfTime { throw TLSFailure("\(certificateFile): \(fault)") }
    }

    var fingerprint: String { leaf.fingerprint }
    var expiry: Int64? { leaf.expiry }

    /// Gives certificate, chain and key to a context.
    func install(in context: OpaquePointer) throws(TLSFailure) {
        guard SSL_CTX_use_certificate(context, leaf.handle) == 1 else {
            throw .ofOpenSSL("the certificate is refused")
        }
        for link in chain {
            // The context takes over one reference of each link of the chain.
            X509_up_ref(link.handle)
            guard fc_SSL_CTX_add0_chain_cert(context, link.handle) == 1 else {
                X509_free(link.handle)
                throw .ofOpenSSL("the certificate's chain is refused")
            }
        }
        guard SSL_CTX_use_PrivateKey(context, key.handle) == 1 else { throw .ofOpenSSL("the key is refused") }
    }

    private static func certificates(in path: String) throws(TLSFailure) -> [Certificate] {
        let file = try PEMFile(path: path)
        var found: [Certificate] = []
        var asked: Int32 = 0
        while let handle = fc_PEM_read_X509(file.bio, &asked) { found.append(Certificate(owning: handle)) }
        let code = ERR_peek_last_error()
        ERR_clear_error()
        if fc_ERR_GET_LIB(code) != ERR_LIB_PEM || fc_ERR_GET_REASON(code) != PEM_R_NO_START_LINE {
            throw TLSFailure(
                "\(path): certificate number \(found.count + 1) is damaged: \(TLSFailure.reason(of: code))"
            )
        }
        if found.isEmpty { throw TLSFailure("\(path): there is no PEM certificate in this file") }
        return found
    }

    private static func key(in path: String) throws(TLSFailure) -> PrivateKey {
        let file = try PEMFile(path: path)
        var asked: Int32 = 0
        if let handle = fc_PEM_read_PrivateKey(file.bio, &asked) { return PrivateKey(owning: handle) }
        let code = ERR_peek_last_error()
        ERR_clear_error()
        if asked != 0 { throw TLSFailure("\(path): the key is protected by a passphrase; it must be without one") }
        if !file.contains("PRIVATE KEY-----") {
            throw TLSFailure("\(path): there is no PEM private key in this file")
        }
        throw TLSFailure("\(path): the private key is damaged: \(TLSFailure.reason(of: code))")
    }
}
