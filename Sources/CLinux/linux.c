#define _GNU_SOURCE
#include "CLinux.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

const char *const *fc_environment(void) { return (const char *const *)environ; }

void fc_give_back_memory(void) { malloc_trim(0); }

int fc_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int fc_epoll_ctl(int epoll, int op, int fd, uint32_t events, uint64_t token) {
    struct epoll_event e = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, op, fd, &e);
}

int fc_epoll_wait(int epoll, fc_event *events, int capacity, int timeout_ms) {
    struct epoll_event e[256];
    if (capacity > 256) capacity = 256;
    int n = epoll_wait(epoll, e, capacity, timeout_ms);
    for (int i = 0; i < n; i++) {
        events[i].events = e[i].events;
        events[i].token = e[i].data.u64;
    }
    return n;
}

int fc_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static void set_of(sigset_t *set, const int *signals, int count) {
    sigemptyset(set);
    for (int i = 0; i < count; i++) sigaddset(set, signals[i]);
}

int fc_signalfd(const int *signals, int count) {
    sigset_t set;
    set_of(&set, signals, count);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int fc_signalfd_read(int fd) {
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}

int fc_block_signals(const int *signals, int count) {
    sigset_t set;
    set_of(&set, signals, count);
    return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void fc_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

void fc_ignore_write_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int fc_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

/* Fills an address; returns its length, 0 when the text is not one. */
static socklen_t address_of(int family, const char *address, uint16_t port, struct sockaddr_storage *out) {
    memset(out, 0, sizeof *out);
    if (family == 4) {
        struct sockaddr_in *a = (struct sockaddr_in *)out;
        a->sin_family = AF_INET;
        a->sin_port = htons(port);
        return inet_pton(AF_INET, address, &a->sin_addr) == 1 ? sizeof *a : 0;
    }
    if (family == 6) {
        struct sockaddr_in6 *a = (struct sockaddr_in6 *)out;
        a->sin6_family = AF_INET6;
        a->sin6_port = htons(port);
        return inet_pton(AF_INET6, address, &a->sin6_addr) == 1 ? sizeof *a : 0;
    }
    struct sockaddr_un *a = (struct sockaddr_un *)out;
    if (strlen(address) >= sizeof a->sun_path) return 0;
    a->sun_family = AF_UNIX;
    strcpy(a->sun_path, address);
    return sizeof *a;
}

static int domain_of(int family) { return family == 4 ? AF_INET : family == 6 ? AF_INET6 : AF_UNIX; }

static int closing(int fd) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

int fc_listen(int family, const char *address, uint16_t port, int backlog) {
    struct sockaddr_storage a;
    socklen_t n = address_of(family, address, port, &a);
    if (n == 0) { errno = EINVAL; return -1; }
    int fd = socket(domain_of(family), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    if (fd < 0) return -1;
    if (family != 1) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (family == 6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&a, n) < 0 || listen(fd, backlog) < 0) return closing(fd);
    return fd;
}

int fc_connect(int family, const char *address, uint16_t port) {
    struct sockaddr_storage a;
    socklen_t n = address_of(family, address, port, &a);
    if (n == 0) { errno = EINVAL; return -1; }
    int fd = socket(domain_of(family), SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr *)&a, n) < 0) return closing(fd);
    return fd;
}

int fc_socket_name(int fd, int peer, char *text, size_t capacity) {
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    char host[INET6_ADDRSTRLEN];
    memset(&a, 0, sizeof a);
    if ((peer ? getpeername : getsockname)(fd, (struct sockaddr *)&a, &n) < 0) return -1;
    if (a.ss_family == AF_INET) {
        struct sockaddr_in *v = (struct sockaddr_in *)&a;
        inet_ntop(AF_INET, &v->sin_addr, host, sizeof host);
        return snprintf(text, capacity, "%s:%u", host, ntohs(v->sin_port));
    }
    if (a.ss_family == AF_INET6) {
        struct sockaddr_in6 *v = (struct sockaddr_in6 *)&a;
        inet_ntop(AF_INET6, &v->sin6_addr, host, sizeof host);
        return snprintf(text, capacity, "[%s]:%u", host, ntohs(v->sin6_port));
    }
    return snprintf(text, capacity, "unix:%s", ((struct sockaddr_un *)&a)->sun_path);
}

int fc_set_nodelay(int fd) {
    int one = 1;
    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

int fc_set_keepalive(int fd) {
    int one = 1;
    return setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

int fc_set_user_timeout(int fd, unsigned milliseconds) {
    return setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
}

int fc_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int fc_resolve(const char *host, char *text, size_t capacity) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all = NULL;
    if (getaddrinfo(host, NULL, &hints, &all) != 0) return -1;
    size_t used = 0;
    int count = 0;
    for (struct addrinfo *a = all; a; a = a->ai_next) {
        char one[INET6_ADDRSTRLEN + 2];
        const void *raw = a->ai_family == AF_INET ? (void *)&((struct sockaddr_in *)a->ai_addr)->sin_addr
                                                  : (void *)&((struct sockaddr_in6 *)a->ai_addr)->sin6_addr;
        if (!inet_ntop(a->ai_family, raw, one, sizeof one)) continue;
        size_t n = strlen(one);
        if (used + n + 2 > capacity) break;
        memcpy(text + used, one, n);
        used += n;
        text[used++] = '\n';
        count++;
    }
    text[used] = 0;
    freeaddrinfo(all);
    return count;
}

intptr_t fc_peek(int fd, void *byte) { return recv(fd, byte, 1, MSG_PEEK | MSG_DONTWAIT); }

intptr_t fc_send(int fd, const void *bytes, size_t count) { return send(fd, bytes, count, MSG_NOSIGNAL); }

int fc_peer_uid(int fd) {
    struct ucred c;
    socklen_t n = sizeof c;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &n) < 0 ? -1 : (int)c.uid;
}

int fc_flock_exclusive(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

int fc_getrandom(void *bytes, size_t count) {
    unsigned char *p = bytes;
    while (count > 0) {
        ssize_t n = getrandom(p, count, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        p += n;
        count -= (size_t)n;
    }
    return 0;
}

int fc_cpu_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) < 0 ? 1 : CPU_COUNT(&set);
}

int fc_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }

int fc_set_thread_nice(int nice) { return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice); }

long fc_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return (long)limit.rlim_cur;
}

int fc_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode); }

intptr_t fc_pread_cached(int fd, void *bytes, size_t count, int64_t offset) {
    struct iovec room = {.iov_base = bytes, .iov_len = count};
    return preadv2(fd, &room, 1, offset, RWF_NOWAIT);
}

int fc_statvfs_free(const char *path, uint64_t *bytes) {
    struct statvfs s;
    if (statvfs(path, &s) < 0) return -1;
    *bytes = (uint64_t)s.f_bavail * (uint64_t)s.f_frsize;
    return 0;
}

int fc_rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    struct stat status;
    if (lstat(to, &status) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

int fc_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int fc_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
