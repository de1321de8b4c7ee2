#define _GNU_SOURCE
#include "CLinuxTerminal.h"
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static volatile sig_atomic_t guarded = 0;
static int terminal = -1;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };
/* What was set up for them before, which is called after the terminal is whole (a backtrace, or the end). */
static struct sigaction others[CRASHES];

void fc_terminal_restore(void) {
    if (!guarded) return;
    guarded = 0;
    /* Bracketed paste off, and what was being typed is cleared away. */
    static const char ends[] = "\x1b[?2004l\r\x1b[J";
    ssize_t ignored = write(terminal, ends, sizeof ends - 1);
    (void)ignored;
    tcsetattr(terminal, TCSANOW, &before);
}

static void crashed(int signal) {
    fc_terminal_restore();
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i] == signal) sigaction(signal, &others[i], NULL);
    raise(signal);
}

int fc_terminal_guard(int fd) {
    struct termios now;
    if (tcgetattr(fd, &now) != 0) return -1;
    int first = terminal == -1;
    before = now;
    terminal = fd;
    guarded = 1;
    if (!first) return 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = crashed;
    sigemptyset(&action.sa_mask);
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < CRASHES; i++) {
        sigaction(crashes[i], &action, &others[i]);
        sigaddset(&set, crashes[i]);
    }
    /* Whoever started us may have blocked them. */
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return 0;
}

int fc_terminal_size(int fd, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}
