/* OpenSSL 3.0 for Swift: the headers, and inline functions for what are macros in C. */
#ifndef FC_COPENSSL_SHIM_H
#define FC_COPENSSL_SHIM_H
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline long fc_SSL_CTX_set_mode(SSL_CTX *c, long m) { return SSL_CTX_set_mode(c, m); }
static inline void fc_SSL_CTX_set_read_ahead(SSL_CTX *c, int yes) { SSL_CTX_set_read_ahead(c, yes); }
static inline long fc_SSL_CTX_set_session_cache_mode(SSL_CTX *c, long m) { return SSL_CTX_set_session_cache_mode(c, m); }
static inline int fc_SSL_CTX_set_min_proto_version(SSL_CTX *c, int v) { return SSL_CTX_set_min_proto_version(c, v); }
static inline int fc_SSL_CTX_set_max_proto_version(SSL_CTX *c, int v) { return SSL_CTX_set_max_proto_version(c, v); }
static inline long fc_SSL_set_tlsext_host_name(SSL *s, const char *name) { return SSL_set_tlsext_host_name(s, name); }
static inline uint64_t fc_SSL_OP_NO_RENEGOTIATION(void) { return SSL_OP_NO_RENEGOTIATION; }
static inline uint64_t fc_SSL_OP_NO_COMPRESSION(void) { return SSL_OP_NO_COMPRESSION; }
static inline uint64_t fc_SSL_OP_IGNORE_UNEXPECTED_EOF(void) { return SSL_OP_IGNORE_UNEXPECTED_EOF; }
static inline int fc_PEM_write_PrivateKey(BIO *b, EVP_PKEY *k) { return PEM_write_bio_PrivateKey(b, k, NULL, NULL, 0, NULL, NULL); }
static inline long fc_BIO_get_mem_data(BIO *b, char **p) { return BIO_get_mem_data(b, p); }
static inline EVP_PKEY *fc_EVP_EC_gen(const char *curve) { return EVP_EC_gen(curve); }
static inline EVP_PKEY *fc_EVP_RSA_gen(unsigned bits) { return EVP_RSA_gen(bits); }
static inline uint64_t fc_SSL_OP_SERVER_ORDER(void) { return SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA; }
static inline long fc_SSL_CTX_add0_chain_cert(SSL_CTX *c, X509 *x) { return SSL_CTX_add0_chain_cert(c, x); }
static inline int fc_BIO_reset(BIO *b) { return (int)BIO_reset(b); }
static inline int fc_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }
static inline int fc_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }

/* A key file protected by a passphrase is answered with this, never by asking at the terminal. */
static inline int fc_note_passphrase(char *buffer, int size, int writing, void *asked) {
    (void)buffer; (void)size; (void)writing;
    *(int *)asked = 1;
    return -1;
}
/* The first private key in the text, or NULL; `asked` becomes 1 when a passphrase was needed. */
static inline EVP_PKEY *fc_PEM_read_PrivateKey(BIO *b, int *asked) {
    *asked = 0;
    return PEM_read_bio_PrivateKey(b, NULL, fc_note_passphrase, asked);
}
static inline X509 *fc_PEM_read_X509(BIO *b, int *asked) {
    *asked = 0;
    return PEM_read_bio_X509(b, NULL, fc_note_passphrase, asked);
}

/* What one call on a connection came to. value > 0: done, so many bytes (a finished handshake: 1). Else kind is an
 * SSL_ERROR_*, with errno and the last packed error of the queue as they were right after the call. */
typedef struct fc_tls_result {
    int value;
    int kind;
    int system;
    unsigned long code;
} fc_tls_result;

static inline fc_tls_result fc_tls_outcome(SSL *s, int value) {
    fc_tls_result r = { value, SSL_ERROR_NONE, 0, 0 };
    if (value <= 0) {
        r.system = errno;
        r.kind = SSL_get_error(s, value);
        r.code = ERR_peek_last_error();
    }
    return r;
}
/* SSL_get_error(3) wants the thread's queue of errors to be empty before each call. To see that it is costs much less than to
 * empty it once more. */
static inline void fc_tls_begin(void) {
    if (ERR_peek_error()) ERR_clear_error();
    errno = 0;
}
static inline fc_tls_result fc_tls_handshake(SSL *s) {
    fc_tls_begin();
    return fc_tls_outcome(s, SSL_do_handshake(s));
}
static inline fc_tls_result fc_tls_read(SSL *s, void *bytes, int count) {
    fc_tls_begin();
    return fc_tls_outcome(s, SSL_read(s, bytes, count));
}
static inline fc_tls_result fc_tls_write(SSL *s, const void *bytes, int count) {
    fc_tls_begin();
    return fc_tls_outcome(s, SSL_write(s, bytes, count));
}

#endif
