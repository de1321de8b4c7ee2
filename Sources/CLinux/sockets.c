#define _GNU_SOURCE
#include "CLinux.h"
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <linux/sockios.h>

int fc_queued_output(int fd) {
    int count = 0;
    return ioctl(fd, SIOCOUTQ, &count) < 0 ? -1 : count;
}

long fc_descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? -1 : (long)limit.rlim_cur;
}

int fc_set_descriptor_limit(long count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    limit.rlim_cur = (rlim_t)count;
    return setrlimit(RLIMIT_NOFILE, &limit);
}
