#ifndef FC_SOCKET_BIO_H
#define FC_SOCKET_BIO_H

struct ssl_st;

/* Lets `session` read and write the non-blocking socket `descriptor`, which stays the caller's, like SSL_set_fd(3), but by bare
 * recvfrom(2) and sendto(2). OpenSSL's own BIO goes by way of libc's read and write, which are points of cancellation, and
 * through the kernel's files: a twentieth of what a record costs. And a peer that is gone raises SIGPIPE there. 0 when there is
 * no memory. */
int fc_tls_set_socket(struct ssl_st *session, int descriptor);

#endif
