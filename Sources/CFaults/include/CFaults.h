/* Faults for tests: a library that is loaded into a running fcd by LD_PRELOAD and stands between it and the C library.
 *
 * It numbers every call that changes files below one directory, over all threads, can write each down, and can let one
 * of them, or all from one on, end or fail. It can also set the wall clock of the process. Sockets, and files elsewhere,
 * are left alone. The C library's own inner calls (those of fopen, say) do not pass by here.
 *
 * Environment, read when the library is loaded; without the first two it does nothing:
 *   FC_FAULTS_ROOT      the directory, as an absolute path without links
 *   FC_FAULTS_CONTROL   a file of FC_FAULT_WORDS 64-bit words in the machine's order, mapped for as long as the process
 *                       lives: the test writes into it, and reads from it, while the process runs
 *   FC_FAULTS_LOG       a file to which one line a call is appended: number, name of its kind, path below the directory */
#ifndef FC_FAULTS_H
#define FC_FAULTS_H

/* The words of the control file. */
enum {
    FC_FAULT_CALLS,   /* calls so far; written here */
    FC_FAULT_MATCHED, /* of these, calls of the wanted kinds and places; written here, may be set back by the test */
    FC_FAULT_HITS,    /* calls that were disturbed; written here */
    FC_FAULT_ACTION,  /* what to do; 0: nothing, set last when the others change */
    FC_FAULT_AT,      /* the number, among the matched calls, of the call that it is done to; the first is 1 */
    FC_FAULT_LASTING, /* not 0: to every matched call from that one on */
    FC_FAULT_KINDS,   /* bits of kinds, 1 << FC_CALL_…; 0: every kind */
    FC_FAULT_PLACES,  /* bits of places, 1 << FC_PLACE_…; 0: everywhere */
    FC_FAULT_ERROR,   /* errno of FC_ACTION_FAIL */
    FC_FAULT_CLOCK,   /* 0: the true time, 1: shifted by FC_FAULT_TIME, 2: standing still at FC_FAULT_TIME */
    FC_FAULT_TIME,    /* nanoseconds, signed */
    FC_FAULT_WORDS
};

enum { FC_ACTION_NONE, FC_ACTION_KILL_BEFORE, FC_ACTION_KILL_AFTER, FC_ACTION_FAIL, FC_ACTION_SHORT, FC_ACTION_INTERRUPT };

enum {
    FC_CALL_OPEN, /* with write access */
    FC_CALL_WRITE,
    FC_CALL_FSYNC,
    FC_CALL_FDATASYNC,
    FC_CALL_RENAME,
    FC_CALL_TRUNCATE,
    FC_CALL_UNLINK,
    FC_CALL_MKDIR,
    FC_CALL_CHMOD,
    FC_CALL_OTHER
};

/* The parts of a data directory, told by the first part of the path. */
enum { FC_PLACE_JOURNAL, FC_PLACE_SNAPSHOT, FC_PLACE_BLOBS, FC_PLACE_TLS, FC_PLACE_OTHER };

#endif
