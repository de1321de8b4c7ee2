/* A terminal that is put back whatever ends the process. */
#ifndef FC_CLINUX_TERMINAL_H
#define FC_CLINUX_TERMINAL_H

/* Remembers how the terminal `fd` is now, and puts it back when a signal of a crash (SIGSEGV, SIGABRT, SIGILL …) or
 * SIGQUIT ends the process. 0, or -1 when `fd` is no terminal. One terminal a process. */
int fc_terminal_guard(int fd);
/* Puts the terminal back as it was; async-signal-safe, and harmless when nothing is guarded. Never waits. */
void fc_terminal_restore(void);
/* Columns and rows of the terminal `fd`; 0, or -1 when it has none. */
int fc_terminal_size(int fd, int *columns, int *rows);
#endif
