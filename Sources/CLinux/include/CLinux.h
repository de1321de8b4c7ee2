/* The kernel calls that Glibc's Swift module hides or types awkwardly: plain integers in, plain integers out.
 * Every function returns what the system call returns; errno is set as usual. Nothing here keeps state. */
#ifndef FC_CLINUX_H
#define FC_CLINUX_H
#include <stddef.h>
#include <stdint.h>

#include "CLinuxTerminal.h"

/* One readiness report of epoll_wait(2); the layout is ours, so that no system type leaks into Swift. */
typedef struct fc_event {
    uint32_t events;
    uint64_t token;
} fc_event;

enum { FC_IN = 0x001, FC_OUT = 0x004, FC_ERR = 0x008, FC_HUP = 0x010, FC_RDHUP = 0x2000 };

int fc_epoll_create(void);
/* op: 1 add, 2 delete, 3 modify, as EPOLL_CTL_*. */
int fc_epoll_ctl(int epoll, int op, int fd, uint32_t events, uint64_t token);
int fc_epoll_wait(int epoll, fc_event *events, int capacity, int timeout_ms);

int fc_eventfd(void);
/* A descriptor that becomes readable at a moment of CLOCK_MONOTONIC; 0 takes the moment back. */
int fc_timerfd(void);
int fc_timerfd_set(int fd, uint64_t nanoseconds);
/* A descriptor that becomes readable on each of `count` signals, which are blocked in the calling thread. */
int fc_signalfd(const int *signals, int count);
/* The number of the next signal waiting at the descriptor, or -1. */
int fc_signalfd_read(int fd);
/* pidfd_open(2): readable once the process has ended; close-on-exec. */
int fc_pidfd_open(int pid);
/* pipe2(2) with O_CLOEXEC: the reading end, then the writing one. */
int fc_pipe(int *ends);
int fc_block_signals(const int *signals, int count);
void fc_ignore_sigpipe(void);
/* SIGPIPE and SIGXFSZ: the calls fail instead. */
void fc_ignore_write_signals(void);

/* environ(7): "NAME=value" each, then NULL. Nobody may set variables meanwhile. */
const char *const *fc_environment(void);

/* malloc_trim(3): memory that was freed goes back to the kernel. */
void fc_give_back_memory(void);

/* accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC. */
int fc_accept(int fd);
/* family: 4, 6 or 1 (unix). The socket is bound and listening, non-blocking and close-on-exec. */
int fc_listen(int family, const char *address, uint16_t port, int backlog);
/* Connects, blocking; close-on-exec. */
int fc_connect(int family, const char *address, uint16_t port);
/* Writes "host:port", "[host]:port" or "unix:/path" of the local (peer: of the other) end. */
int fc_socket_name(int fd, int peer, char *text, size_t capacity);
int fc_set_nodelay(int fd);
int fc_set_keepalive(int fd);
int fc_set_user_timeout(int fd, unsigned milliseconds);
int fc_set_nonblocking(int fd);
/* Resolves a host name for a client; writes numeric addresses, one a line. */
int fc_resolve(const char *host, char *text, size_t capacity);
intptr_t fc_peek(int fd, void *byte);
intptr_t fc_send(int fd, const void *bytes, size_t count);
/* uid of the process at the other end of a unix socket, or -1 (SO_PEERCRED). */
int fc_peer_uid(int fd);
/* Bytes the kernel still holds for the other end, unsent or not acknowledged (SIOCOUTQ), or -1. */
int fc_queued_output(int fd);
/* The descriptors this process may have open (RLIMIT_NOFILE). */
long fc_descriptor_limit(void);
int fc_set_descriptor_limit(long limit);

int fc_flock_exclusive(int fd); /* LOCK_EX | LOCK_NB */
int fc_getrandom(void *bytes, size_t count);
/* CPUs this process may run on (sched_getaffinity(2)). */
int fc_cpu_count(void);
int fc_set_thread_name(const char *name);
int fc_set_thread_nice(int nice);
/* Raises RLIMIT_NOFILE to the hard limit; the limit then in force. */
long fc_raise_descriptor_limit(void);
/* openat(2) that follows no link in its last part; flags as in open(2), mode 0600 unless told. */
int fc_open(const char *path, int flags, unsigned mode);
/* rename(2), but -1 with EEXIST when `to` is there. Where the file system cannot tell, it is looked at before. */
int fc_rename_new(const char *from, const char *to);
/* preadv2(2) with RWF_NOWAIT: reads what is in memory; -1 with EAGAIN when it would wait for the disk. */
intptr_t fc_pread_cached(int fd, void *bytes, size_t count, int64_t offset);
int fc_statvfs_free(const char *path, uint64_t *bytes);
#endif
