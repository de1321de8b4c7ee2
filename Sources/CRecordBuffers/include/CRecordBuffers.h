#ifndef FC_RECORD_BUFFERS_H
#define FC_RECORD_BUFFERS_H
#include <stddef.h>

/*
 * OpenSSL allocates a buffer for each record that it writes or reads and frees it behind it (SSL_MODE_RELEASE_BUFFERS): quiet
 * connections hold none. These blocks are too large for what malloc keeps at hand for a thread, so a few of them are kept here.
 */

/* Makes OpenSSL allocate by the functions below (CRYPTO_set_mem_functions(3)). 0 when it has allocated already, and goes on
 * without. */
int fc_record_buffers_install(void);

/* As malloc(3), realloc(3) and free(3). Kept blocks belong to their thread and are never more than four. */
void *fc_record_buffers_take(size_t size, const char *file, int line);
void *fc_record_buffers_resize(void *block, size_t size, const char *file, int line);
void fc_record_buffers_give(void *block, const char *file, int line);

#endif
