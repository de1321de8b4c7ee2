import COpenSSL

/// A private key. Owned by whoever holds the object; freed with it.
final class PrivateKey {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) { self.handle = handle }

    deinit { EVP_PKEY_free(handle) }

    /// Why a server should not use it, nil when it may: RSA below 2048 bits, curves below 256, and all other kinds but
    /// Ed25519 and Ed448.
    var weakness: String? {
        let bits = EVP_PKEY_get_bits(handle)
        switch EVP_PKEY_get_base_id(handle) {
        case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS:
            return bits < 2048 ? "an RSA key of \(bits) bits is too weak, 2048 is the least" : nil
        case EVP_PKEY_EC:
            return bits < 256 ? "an EC key of \(bits) bits is too weak, 256 is the least" : nil
        case EVP_PKEY_ED25519, EVP_PKEY_ED448: return nil
        default: return "keys of this kind are not supported; use EC P-256 or RSA"
        }
    }
}
