/* libedit: line editing and history. The inline functions are for what takes variable arguments in C.
 * Its own screen output goes to `nowhere`: the chat draws the line itself. */
#ifndef FC_CEDIT_SHIM_H
#define FC_CEDIT_SHIM_H
#include <histedit.h>
#include <stdio.h>
#include <wchar.h>

typedef int (*fc_edit_next)(EditLine *, wchar_t *);

/* Edits on the terminal `fd`; `next` hands over the next character, 1 for one and 0 for none. */
static inline EditLine *fc_edit_open(FILE *input, FILE *nowhere, int fd, fc_edit_next next) {
    EditLine *e = el_init_fd("fcc", input, nowhere, nowhere, fd, fd, fd);
    if (e == NULL) return NULL;
    el_wset(e, EL_GETCFN, next);
    el_wset(e, EL_EDITOR, L"emacs");
    el_wset(e, EL_SIGNAL, 0);
    return e;
}

/* 1: an empty line begins, and the terminal hands over each key. 0: the line ends, the terminal is as before. */
static inline void fc_edit_raw(EditLine *e, int yes) { el_wset(e, EL_UNBUFFERED, yes); }

static inline HistoryW *fc_edit_history(EditLine *e, int size) {
    HistoryW *h = history_winit();
    HistEventW event;
    if (h == NULL) return NULL;
    history_w(h, &event, H_SETSIZE, size);
    history_w(h, &event, H_SETUNIQUE, 1);
    el_wset(e, EL_HIST, history_w, h);
    return h;
}

static inline void fc_edit_remember(HistoryW *h, const wchar_t *line) {
    HistEventW event;
    history_w(h, &event, H_ENTER, line);
}
#endif
