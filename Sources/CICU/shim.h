/* ICU's spoof checker (Unicode UTS 39). ICU's names are macros that add the version (uspoof_open_72), and Swift sees no macros. */
#ifndef FC_CICU_SHIM_H
#define FC_CICU_SHIM_H
#include <unicode/uspoof.h>

/* A checker that looks at the mixture of scripts and nothing else; NULL when ICU's data are not there. */
static inline USpoofChecker *_Nullable fc_spoof_open(URestrictionLevel level) {
    UErrorCode error = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&error);
    uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL, &error);
    uspoof_setRestrictionLevel(checker, level);
    if (U_SUCCESS(error)) return checker;
    uspoof_close(checker);
    return NULL;
}

/* The bytes that the skeleton has, of which at most `capacity` are written; -1 when there is none. */
static inline int32_t fc_spoof_skeleton(
    const USpoofChecker *_Nonnull checker, const char *_Nullable text, int32_t length, char *_Nullable out, int32_t capacity
) {
    UErrorCode error = U_ZERO_ERROR;
    int32_t count = uspoof_getSkeletonUTF8(checker, 0, text, length, out, capacity, &error);
    return U_SUCCESS(error) || error == U_BUFFER_OVERFLOW_ERROR ? count : -1;
}

/* Whether the scripts of the text are within the checker's level; 0 too when that cannot be told. */
static inline int fc_spoof_fits(const USpoofChecker *_Nonnull checker, const char *_Nullable text, int32_t length) {
    UErrorCode error = U_ZERO_ERROR;
    return uspoof_check2UTF8(checker, text, length, NULL, &error) == 0 && U_SUCCESS(error);
}
#endif
