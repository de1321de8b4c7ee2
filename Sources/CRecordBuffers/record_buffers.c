#include "CRecordBuffers.h"
#include <malloc.h>
#include <openssl/crypto.h>
#include <stdlib.h>

/* A record's buffer: 2^14 bytes and what surrounds them, at most 716 (ssl/record/ssl3_buffer.c of OpenSSL 3). All are allocated
 * with the same size, so that one may serve for another. */
enum { LEAST = 16384, SIZE = 17408, KEPT = 4 };

static _Thread_local void *kept[KEPT];
static _Thread_local unsigned count;

void *fc_record_buffers_take(size_t size, const char *file, int line) {
    (void)file, (void)line;
    if (size < LEAST || size > SIZE) return malloc(size);
    return count > 0 ? kept[--count] : malloc(SIZE);
}

void *fc_record_buffers_resize(void *block, size_t size, const char *file, int line) {
    (void)file, (void)line;
    return realloc(block, size);
}

void fc_record_buffers_give(void *block, const char *file, int line) {
    (void)file, (void)line;
    /* malloc may have given some bytes more than were asked for. */
    if (block && count < KEPT) {
        size_t size = malloc_usable_size(block);
        if (size >= SIZE && size < SIZE + 64) {
            kept[count++] = block;
            return;
        }
    }
    free(block);
}

int fc_record_buffers_install(void) {
    return CRYPTO_set_mem_functions(fc_record_buffers_take, fc_record_buffers_resize, fc_record_buffers_give);
}
