/* utf8proc: NFKC, case folding, character properties and widths. */
#ifndef FC_CUNICODE_SHIM_H
#define FC_CUNICODE_SHIM_H
#include <utf8proc.h>
#endif
