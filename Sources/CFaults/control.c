#define _GNU_SOURCE
#include "control.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls of our own go to the kernel directly, so that they are not judged. */

static _Atomic int64_t *words;
static char root[PATH_MAX];
static size_t root_length;
static int log_descriptor = -1;
static atomic_bool is_dying;
/* Of the thread: the last call was interrupted, so that this one, made again, goes through. */
static __thread int was_interrupted;

static int raw_open(const char *path, int flags) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600); }

__attribute__((constructor)) static void load(void) {
    const char *directory = getenv("FC_FAULTS_ROOT"), *control = getenv("FC_FAULTS_CONTROL"), *log = getenv("FC_FAULTS_LOG");
    if (!directory || !control || strlen(directory) >= sizeof root) return;
    int file = raw_open(control, O_RDWR);
    if (file < 0) return;
    void *map = mmap(NULL, FC_FAULT_WORDS * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED) return;
    if (log) log_descriptor = raw_open(log, O_WRONLY | O_CREAT | O_APPEND);
    strcpy(root, directory);
    root_length = strlen(root);
    words = map;
}

long long fc_fault_word(int word) { return words ? atomic_load(&words[word]) : 0; }

static const char *kind_names[] = {"open", "write", "fsync", "fdatasync", "rename", "truncate", "unlink", "mkdir", "chmod", "other"};

static int place_of(const char *below) {
    static const char *names[] = {"journal", "snapshot", "blobs", "tls"};
    for (int place = 0; place < FC_PLACE_OTHER; place++) {
        size_t length = strlen(names[place]);
        if (strncmp(below, names[place], length) == 0 && (below[length] == '/' || below[length] == 0)) return place;
    }
    return FC_PLACE_OTHER;
}

static _Noreturn void die(void) {
    /* No other thread begins a call in the moment until the signal ends them all. */
    atomic_store(&is_dying, 1);
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

/* `path` is absolute. */
static fc_verdict judge(int kind, const char *path) {
    fc_verdict none = {FC_ACTION_NONE, 0};
    if (!words || strncmp(path, root, root_length) != 0 || (path[root_length] != '/' && path[root_length] != 0)) return none;
    while (atomic_load(&is_dying)) pause();
    if (was_interrupted) {
        was_interrupted = 0;
        return none;
    }
    const char *below = path[root_length] ? path + root_length + 1 : ".";
    int64_t number = atomic_fetch_add(&words[FC_FAULT_CALLS], 1) + 1;
    if (log_descriptor >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%lld %s %s\n", (long long)number, kind_names[kind], below);
        syscall(SYS_write, log_descriptor, line, length);
    }
    int action = (int)atomic_load(&words[FC_FAULT_ACTION]);
    if (!action) return none;
    int64_t kinds = atomic_load(&words[FC_FAULT_KINDS]), places = atomic_load(&words[FC_FAULT_PLACES]);
    if (kinds && !(kinds >> kind & 1)) return none;
    if (places && !(places >> place_of(below) & 1)) return none;
    int64_t matched = atomic_fetch_add(&words[FC_FAULT_MATCHED], 1) + 1, at = atomic_load(&words[FC_FAULT_AT]);
    if (atomic_load(&words[FC_FAULT_LASTING]) ? matched < at : matched != at) return none;
    atomic_fetch_add(&words[FC_FAULT_HITS], 1);
    if (action == FC_ACTION_KILL_BEFORE) die();
    if (action == FC_ACTION_INTERRUPT) {
        was_interrupted = 1;
        return (fc_verdict){FC_ACTION_FAIL, EINTR};
    }
    return (fc_verdict){action, (int)atomic_load(&words[FC_FAULT_ERROR])};
}

/* The path behind a descriptor; what is no file gives something like "socket:[4711]". */
static int path_of(int descriptor, char *path) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

fc_verdict fc_judge_descriptor(int kind, int descriptor) {
    fc_verdict verdict = {FC_ACTION_NONE, 0};
    if (!words) return verdict;
    int code = errno;
    char path[PATH_MAX];
    if (path_of(descriptor, path)) verdict = judge(kind, path);
    errno = code;
    return verdict;
}

fc_verdict fc_judge_path(int kind, int directory, const char *path) {
    fc_verdict verdict = {FC_ACTION_NONE, 0};
    if (!words || !path) return verdict;
    int code = errno;
    char whole[2 * PATH_MAX];
    if (path[0] == '/') {
        verdict = judge(kind, path);
    } else {
        char above[PATH_MAX];
        int is_known = directory == AT_FDCWD ? syscall(SYS_getcwd, above, sizeof above) > 0 : path_of(directory, above);
        if (is_known) {
            snprintf(whole, sizeof whole, "%s/%s", above, path);
            verdict = judge(kind, whole);
        }
    }
    errno = code;
    return verdict;
}

void fc_after(fc_verdict verdict) {
    if (verdict.action == FC_ACTION_KILL_AFTER) die();
}
