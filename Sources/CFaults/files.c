/* The calls that change files. Each stands under every name that the C library gives it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "control.h"

/* Defines `name`, which asks first. In `arguments` stand the names of the parameters, in `judged` how it is judged. */
#define CALL(type, name, parameters, arguments, judged)                                   \
    type name parameters {                                                                \
        static type(*next) parameters;                                                    \
        if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                    \
        fc_verdict verdict = judged;                                                      \
        if (verdict.action == FC_ACTION_FAIL) {                                           \
            errno = verdict.error;                                                        \
            return -1;                                                                    \
        }                                                                                 \
        type result = next arguments;                                                     \
        fc_after(verdict);                                                                \
        return result;                                                                    \
    }

/* The same for a write of `count` bytes, of which at least one and at most half go out when it is to be short. */
#define WRITE(name, parameters, arguments)                                                \
    ssize_t name parameters {                                                             \
        static ssize_t(*next) parameters;                                                 \
        if (!next) next = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);                 \
        fc_verdict verdict = fc_judge_descriptor(FC_CALL_WRITE, fd);                      \
        if (verdict.action == FC_ACTION_FAIL) {                                           \
            errno = verdict.error;                                                        \
            return -1;                                                                    \
        }                                                                                 \
        if (verdict.action == FC_ACTION_SHORT && count > 1) count /= 2;                   \
        ssize_t result = next arguments;                                                  \
        fc_after(verdict);                                                                \
        return result;                                                                    \
    }

#define OPENS(flags) (((flags) & O_ACCMODE) != O_RDONLY || ((flags) & (O_CREAT | O_TRUNC)) != 0)
#define MODE(flags, mode)                                                                 \
    mode_t mode = 0;                                                                      \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                              \
        va_list list;                                                                     \
        va_start(list, flags);                                                            \
        mode = va_arg(list, mode_t);                                                      \
        va_end(list);                                                                     \
    }

static const fc_verdict nothing = {FC_ACTION_NONE, 0};

#define OPEN(name)                                                                        \
    int name(const char *path, int flags, ...) {                                          \
        static int (*next)(const char *, int, ...);                                       \
        if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);       \
        MODE(flags, mode)                                                                 \
        fc_verdict verdict = OPENS(flags) ? fc_judge_path(FC_CALL_OPEN, AT_FDCWD, path) : nothing; \
        if (verdict.action == FC_ACTION_FAIL) {                                           \
            errno = verdict.error;                                                        \
            return -1;                                                                    \
        }                                                                                 \
        int result = next(path, flags, mode);                                             \
        fc_after(verdict);                                                                \
        return result;                                                                    \
    }

#define OPENAT(name)                                                                      \
    int name(int directory, const char *path, int flags, ...) {                           \
        static int (*next)(int, const char *, int, ...);                                  \
        if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name);  \
        MODE(flags, mode)                                                                 \
        fc_verdict verdict = OPENS(flags) ? fc_judge_path(FC_CALL_OPEN, directory, path) : nothing; \
        if (verdict.action == FC_ACTION_FAIL) {                                           \
            errno = verdict.error;                                                        \
            return -1;                                                                    \
        }                                                                                 \
        int result = next(directory, path, flags, mode);                                  \
        fc_after(verdict);                                                                \
        return result;                                                                    \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
CALL(int, creat, (const char *path, mode_t mode), (path, mode), fc_judge_path(FC_CALL_OPEN, AT_FDCWD, path))
CALL(int, creat64, (const char *path, mode_t mode), (path, mode), fc_judge_path(FC_CALL_OPEN, AT_FDCWD, path))

WRITE(write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
WRITE(pwrite, (int fd, const void *bytes, size_t count, off_t offset), (fd, bytes, count, offset))
WRITE(pwrite64, (int fd, const void *bytes, size_t count, off64_t offset), (fd, bytes, count, offset))

/* Several pieces: never short. */
CALL(ssize_t, writev, (int fd, const struct iovec *pieces, int n), (fd, pieces, n), fc_judge_descriptor(FC_CALL_WRITE, fd))
CALL(ssize_t, pwritev, (int fd, const struct iovec *pieces, int n, off_t at), (fd, pieces, n, at), fc_judge_descriptor(FC_CALL_WRITE, fd))
CALL(ssize_t, pwritev64, (int fd, const struct iovec *pieces, int n, off64_t at), (fd, pieces, n, at), fc_judge_descriptor(FC_CALL_WRITE, fd))

CALL(int, fsync, (int fd), (fd), fc_judge_descriptor(FC_CALL_FSYNC, fd))
CALL(int, fdatasync, (int fd), (fd), fc_judge_descriptor(FC_CALL_FDATASYNC, fd))
CALL(int, sync_file_range, (int fd, off64_t at, off64_t count, unsigned flags), (fd, at, count, flags), fc_judge_descriptor(FC_CALL_FDATASYNC, fd))

CALL(int, rename, (const char *old, const char *new), (old, new), fc_judge_path(FC_CALL_RENAME, AT_FDCWD, new))
CALL(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new), fc_judge_path(FC_CALL_RENAME, to, new))
CALL(int, renameat2, (int from, const char *old, int to, const char *new, unsigned flags), (from, old, to, new, flags), fc_judge_path(FC_CALL_RENAME, to, new))

CALL(int, ftruncate, (int fd, off_t size), (fd, size), fc_judge_descriptor(FC_CALL_TRUNCATE, fd))
CALL(int, ftruncate64, (int fd, off64_t size), (fd, size), fc_judge_descriptor(FC_CALL_TRUNCATE, fd))
CALL(int, truncate, (const char *path, off_t size), (path, size), fc_judge_path(FC_CALL_TRUNCATE, AT_FDCWD, path))
CALL(int, truncate64, (const char *path, off64_t size), (path, size), fc_judge_path(FC_CALL_TRUNCATE, AT_FDCWD, path))
CALL(int, fallocate, (int fd, int mode, off_t at, off_t count), (fd, mode, at, count), fc_judge_descriptor(FC_CALL_TRUNCATE, fd))
CALL(int, fallocate64, (int fd, int mode, off64_t at, off64_t count), (fd, mode, at, count), fc_judge_descriptor(FC_CALL_TRUNCATE, fd))

CALL(int, unlink, (const char *path), (path), fc_judge_path(FC_CALL_UNLINK, AT_FDCWD, path))
CALL(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags), fc_judge_path(FC_CALL_UNLINK, directory, path))
CALL(int, remove, (const char *path), (path), fc_judge_path(FC_CALL_UNLINK, AT_FDCWD, path))
CALL(int, rmdir, (const char *path), (path), fc_judge_path(FC_CALL_UNLINK, AT_FDCWD, path))

CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), fc_judge_path(FC_CALL_MKDIR, AT_FDCWD, path))
CALL(int, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode), fc_judge_path(FC_CALL_MKDIR, directory, path))

CALL(int, chmod, (const char *path, mode_t mode), (path, mode), fc_judge_path(FC_CALL_CHMOD, AT_FDCWD, path))
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), fc_judge_descriptor(FC_CALL_CHMOD, fd))
CALL(int, fchmodat, (int directory, const char *path, mode_t mode, int flags), (directory, path, mode, flags), fc_judge_path(FC_CALL_CHMOD, directory, path))

CALL(int, link, (const char *old, const char *new), (old, new), fc_judge_path(FC_CALL_OTHER, AT_FDCWD, new))
CALL(int, linkat, (int from, const char *old, int to, const char *new, int flags), (from, old, to, new, flags), fc_judge_path(FC_CALL_OTHER, to, new))
CALL(int, symlink, (const char *target, const char *path), (target, path), fc_judge_path(FC_CALL_OTHER, AT_FDCWD, path))
