#define _GNU_SOURCE
#include "CICU.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/uspoof.h>
#include <unistd.h>

/* ICU's names are macros that add the version (uspoof_open_72); the file has it at its end. */
#define FC_QUOTED(name) #name
#define FC_NAME(name) FC_QUOTED(name)
#define FC_LIBRARY "libicui18n.so." U_ICU_VERSION_SHORT

struct fc_spoof {
    USpoofChecker *checker;
    __typeof__(uspoof_getSkeletonUTF8) *skeleton;
    __typeof__(uspoof_check2UTF8) *check;
};

const char *fc_icu_name(void) { return FC_LIBRARY; }

/* Whether one of the loader's directories has the file (dlinfo(3)). */
static int is_in_usual_place(const char *name) {
    int found = 0;
    void *program = dlopen(NULL, RTLD_LAZY);
    Dl_serinfo size, *info = NULL;
    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) info = malloc(size.dls_size);
    if (info) {
        info->dls_size = size.dls_size;
        info->dls_cnt = size.dls_cnt;
        if (dlinfo(program, RTLD_DI_SERINFO, info) == 0) {
            for (unsigned i = 0; i < info->dls_cnt && !found; i++) {
                char path[4096];
                int length = snprintf(path, sizeof path, "%s/%s", info->dls_serpath[i].dls_name, name);
                found = length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
            }
        }
    }
    free(info);
    if (program) dlclose(program);
    return found;
}

int fc_library_exists(const char *name) {
    if (is_in_usual_place(name)) return 1;
    /* The loader's cache may know more places. */
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library) dlclose(library);
    return library != NULL;
}

fc_spoof *fc_spoof_open(void) {
    void *library = dlopen(FC_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (!library) return NULL;
    __typeof__(uspoof_open) *open = dlsym(library, FC_NAME(uspoof_open));
    __typeof__(uspoof_setChecks) *set_checks = dlsym(library, FC_NAME(uspoof_setChecks));
    __typeof__(uspoof_setRestrictionLevel) *set_level = dlsym(library, FC_NAME(uspoof_setRestrictionLevel));
    struct fc_spoof spoof = {
        .skeleton = dlsym(library, FC_NAME(uspoof_getSkeletonUTF8)),
        .check = dlsym(library, FC_NAME(uspoof_check2UTF8)),
    };
    if (!open || !set_checks || !set_level || !spoof.skeleton || !spoof.check) return NULL;
    UErrorCode error = U_ZERO_ERROR;
    spoof.checker = open(&error);
    set_checks(spoof.checker, USPOOF_RESTRICTION_LEVEL, &error);
    set_level(spoof.checker, USPOOF_MODERATELY_RESTRICTIVE);
    if (U_FAILURE(error)) return NULL;
    struct fc_spoof *result = malloc(sizeof *result);
    if (result) *result = spoof;
    return result;
}

int32_t fc_spoof_skeleton(const fc_spoof *spoof, const char *text, int32_t length, char *out, int32_t capacity) {
    UErrorCode error = U_ZERO_ERROR;
    int32_t count = spoof->skeleton(spoof->checker, 0, text, length, out, capacity, &error);
    return U_SUCCESS(error) || error == U_BUFFER_OVERFLOW_ERROR ? count : -1;
}

int fc_spoof_fits(const fc_spoof *spoof, const char *text, int32_t length) {
    UErrorCode error = U_ZERO_ERROR;
    return spoof->check(spoof->checker, text, length, NULL, &error) == 0 && U_SUCCESS(error);
}
