/* The wall clock, as the test wants it. What measures durations is left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "control.h"

static void set(struct timespec *time) {
    const int64_t second = 1000000000;
    int64_t mode = fc_fault_word(FC_FAULT_CLOCK), word = fc_fault_word(FC_FAULT_TIME);
    if (mode == 0) return;
    int64_t all = mode == 1 ? (int64_t)time->tv_sec * second + time->tv_nsec + word : word;
    time->tv_sec = all / second;
    time->tv_nsec = all % second;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) set(time);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
