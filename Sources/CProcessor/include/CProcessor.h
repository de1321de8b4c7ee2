#ifndef FC_CPROCESSOR_H
#define FC_CPROCESSOR_H

#include <stddef.h>
#include <stdint.h>

/// Whether the processor computes CRC-32C by itself (SSE4.2, or ARM's CRC extension).
int fc_has_crc32c(void);

/// The register of CRC-32C (neither start nor end inverted) after `count` bytes; only where `fc_has_crc32c`. O(count).
uint32_t fc_crc32c(uint32_t crc, const void *bytes, size_t count);

#endif
