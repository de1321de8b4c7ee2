#define _GNU_SOURCE
#include "CCounts.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The C library's own functions under the names that stay when ours stand in front. Its free takes what they give. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic int64_t *words;

/* Where libcrypto and libssl are mapped; written before `words`. */
enum { RANGES = 8 };
static struct { uintptr_t start, end; } openssl[RANGES];
static int range_count;

static int note_range(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    if (strncmp(name, "libcrypto.", 10) != 0 && strncmp(name, "libssl.", 7) != 0) return 0;
    for (int index = 0; index < object->dlpi_phnum && range_count < RANGES; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        openssl[range_count].start = object->dlpi_addr + part->p_vaddr;
        openssl[range_count].end = openssl[range_count].start + part->p_memsz;
        range_count++;
    }
    return 0;
}

__attribute__((constructor)) static void load(void) {
    const char *path = getenv("FC_COUNTS");
    if (!path) return;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *map = mmap(NULL, FC_COUNT_WORDS * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED) return;
    dl_iterate_phdr(note_range, NULL);
    words = map;
}

static void count(void *caller) {
    if (!words) return;
    uintptr_t at = (uintptr_t)caller;
    int word = FC_COUNT_OWN;
    for (int index = 0; index < range_count; index++) {
        if (at >= openssl[index].start && at < openssl[index].end) word = FC_COUNT_OPENSSL;
    }
    atomic_fetch_add_explicit(&words[word], 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(__builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(__builtin_return_address(0));
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *block = __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *out = block;
    return 0;
}
