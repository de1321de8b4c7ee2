/* Counts for tests: a library that is loaded into a running fcd by LD_PRELOAD and counts its allocations.
 *
 * Every call of malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign is counted in one of two words: as
 * OpenSSL's when the code it returns to is libcrypto's or libssl's, else as our own, which takes in what the C library
 * allocates on our behalf. It also lets any process of the same user trace this one, where the kernel would let only a
 * parent (Yama, prctl(2) PR_SET_PTRACER).
 *
 * Environment, read when the library is loaded; without it nothing is counted:
 *   FC_COUNTS   a file of FC_COUNT_WORDS 64-bit words in the machine's order, mapped for as long as the process lives:
 *               the test reads from it while the process runs */
#ifndef FC_COUNTS_H
#define FC_COUNTS_H

/* The words of the file: calls so far. */
enum { FC_COUNT_OWN, FC_COUNT_OPENSSL, FC_COUNT_WORDS };

#endif
