#include "CProcessor.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>

int fc_has_crc32c(void) { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) uint32_t fc_crc32c(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    uint64_t wide = crc;
    for (; count >= 8; count -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; count > 0; count--, at++) crc = _mm_crc32_u8(crc, *at);
    return crc;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

int fc_has_crc32c(void) { return 1; }

uint32_t fc_crc32c(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    for (; count >= 8; count -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        crc = __crc32cd(crc, word);
    }
    for (; count > 0; count--, at++) crc = __crc32cb(crc, *at);
    return crc;
}

#else

int fc_has_crc32c(void) { return 0; }

uint32_t fc_crc32c(uint32_t crc, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return crc;
}

#endif
