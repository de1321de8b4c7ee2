#include "CSocketBIO.h"
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int descriptor_of(BIO *bio) { return (int)(intptr_t)BIO_get_data(bio); }

static int should_retry(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static int write_some(BIO *bio, const char *bytes, size_t count, size_t *written) {
    BIO_clear_retry_flags(bio);
    long n = syscall(SYS_sendto, descriptor_of(bio), bytes, count, MSG_NOSIGNAL, NULL, 0);
    *written = n > 0 ? (size_t)n : 0;
    if (n > 0) return 1;
    if (n < 0 && should_retry()) BIO_set_retry_write(bio);
    return (int)n;
}

static int read_some(BIO *bio, char *bytes, size_t room, size_t *got) {
    BIO_clear_retry_flags(bio);
    long n = syscall(SYS_recvfrom, descriptor_of(bio), bytes, room, 0, NULL, NULL);
    *got = n > 0 ? (size_t)n : 0;
    if (n > 0) return 1;
    if (n < 0 && should_retry()) BIO_set_retry_read(bio);
    if (n == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return (int)n;
}

static long control(BIO *bio, int command, long number, void *pointer) {
    (void)number;
    switch (command) {
    case BIO_C_GET_FD:
        if (pointer) *(int *)pointer = descriptor_of(bio);
        return descriptor_of(bio);
    case BIO_CTRL_FLUSH:
    case BIO_CTRL_DUP: return 1;
    case BIO_CTRL_EOF: return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    default: return 0;
    }
}

static int create(BIO *bio) {
    BIO_set_init(bio, 1);
    return 1;
}

static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static BIO_METHOD *method;

static void make_method(void) {
    BIO_METHOD *made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK | BIO_TYPE_DESCRIPTOR, "bare socket");
    if (!made) return;
    if (BIO_meth_set_write_ex(made, write_some) && BIO_meth_set_read_ex(made, read_some) && BIO_meth_set_ctrl(made, control)
        && BIO_meth_set_create(made, create))
        method = made;
    else
        BIO_meth_free(made);
}

int fc_tls_set_socket(SSL *session, int descriptor) {
    if (!CRYPTO_THREAD_run_once(&once, make_method) || !method) return 0;
    BIO *bio = BIO_new(method);
    if (!bio) return 0;
    BIO_set_data(bio, (void *)(intptr_t)descriptor);
    SSL_set_bio(session, bio, bio);
    return 1;
}
