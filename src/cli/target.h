/* cli/target.h - where results go: standard output, or -o FILE.
 *
 *     dp_target t;  open ──► write to t.fd ──► commit, or abort
 *
 * A file is written aside and renamed when it is whole (base/outfile.h). A signal that
 * ends the program removes the files aside.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_TARGET_H
#define DP_CLI_TARGET_H

#include <stdbool.h>

#include "base/outfile.h"

enum { DP_TARGETS = 2 /* files open at a time that signals care for */ };

typedef struct dp_target {
    dp_outfile  file;
    bool        is_file;
    int         fd;
    const char *name; /* for messages */
    size_t      slot; /* in the list for signals; DP_TARGETS: none */
} dp_target;

/* NULL and "-" are standard output. */
dp_err dp_target_open(dp_target *t, const char *path, dp_error *err);
dp_err dp_target_commit(dp_target *t, dp_error *err);
void   dp_target_abort(dp_target *t);

/* A folder of work files, as dp_learner_folder names it, that signals remove, too; NULL: there is none any more. */
void dp_target_folder(void *ctx, const char *path);

/* Open, write, commit; the text is freed, whatever happens. `put` is for data, byte for byte; `show` for what people
 * read (base/words/visible.h), and for JSON, which it does not change. */
dp_err dp_target_put(const char *path, dp_text *text, dp_error *err);
dp_err dp_target_show(const char *path, dp_text *text, dp_error *err);

#endif
