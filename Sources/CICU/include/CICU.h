/* ICU's spoof checker (Unicode UTS 39), loaded when it is first needed: 3 MB of memory and some milliseconds that a server
 * whose names are all in ASCII does without. */
#ifndef FC_CICU_H
#define FC_CICU_H
#include <stdint.h>

typedef struct fc_spoof fc_spoof;

/* The library, by the name that the linker would look for. */
const char *_Nonnull fc_icu_name(void);

/* Whether a library of this name is where the loader finds it. It is not loaded if it is in a usual place. */
int fc_library_exists(const char *_Nonnull name);

/* A checker that looks at the mixture of scripts and nothing else, and keeps to the level "moderately restrictive"; it is
 * never closed. NULL when the library or its data are not there. */
fc_spoof *_Nullable fc_spoof_open(void);

/* The bytes that the skeleton has, of which at most `capacity` are written; -1 when there is none. */
int32_t fc_spoof_skeleton(
    const fc_spoof *_Nonnull spoof, const char *_Nullable text, int32_t length, char *_Nullable out, int32_t capacity
);

/* Whether the scripts of the text are within the checker's level; 0 too when that cannot be told. */
int fc_spoof_fits(const fc_spoof *_Nonnull spoof, const char *_Nullable text, int32_t length);
#endif
