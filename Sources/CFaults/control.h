/* What the parts of this library share. */
#ifndef FC_FAULTS_CONTROL_H
#define FC_FAULTS_CONTROL_H
#include <stddef.h>

#include "CFaults.h"

/* Reads a word of the control file; 0 where there is none. */
long long fc_fault_word(int word);

/* What becomes of one call. */
typedef struct fc_verdict {
    int action;
    int error;
} fc_verdict;

/* Counts a call about a path, or about an open descriptor, and says what to do with it. Ends the process when it is to
 * end before the call. errno is kept. */
fc_verdict fc_judge_path(int kind, int directory, const char *path);
fc_verdict fc_judge_descriptor(int kind, int descriptor);
/* Ends the process when it is to end after the call. */
void fc_after(fc_verdict verdict);

#endif
