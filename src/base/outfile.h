/* base/outfile.h - a file that is seen whole or not at all.
 *
 *     dp_outfile o;
 *     DP_TRY(dp_outfile_open(&o, "site.rules", err));
 *     ... dp_outfile_write(&o, p, n, err), or write to o.fd ...
 *     dp_outfile_commit(&o, err)  or  dp_outfile_abort(&o)
 *
 *     open:   .site.rules.1234.0.tmp beside it    commit:  fsync, rename, fsync of the folder
 *
 * Invariants:
 *   - Until commit the old file, or its absence, is what everyone sees; a kill leaves
 *     at most the file aside.
 *   - Links are followed; a file that is replaced keeps its permission bits.
 *   - What is no regular file (a device, a pipe) is written directly.
 *   - After commit, whether it failed or not, and after abort nothing is open and the
 *     file aside is gone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_OUTFILE_H
#define DP_BASE_OUTFILE_H

#include "base/err.h"

typedef struct dp_outfile {
    int   fd;   /* -1: closed */
    char *path; /* as it will be seen, links resolved */
    char *temp; /* the file aside; NULL when written directly */
} dp_outfile;

#define DP_OUTFILE_CLOSED ((dp_outfile){.fd = -1})

/* DP_EIO when it cannot be made, DP_ENOMEM; `*o` is then closed. */
dp_err dp_outfile_open(dp_outfile *o, const char *path, dp_error *err);
dp_err dp_outfile_write(dp_outfile *o, const void *p, size_t n, dp_error *err);
dp_err dp_outfile_commit(dp_outfile *o, dp_error *err);
void   dp_outfile_abort(dp_outfile *o);

/* Open, write, and commit or abort. */
dp_err dp_outfile_put(const char *path, const void *p, size_t n, dp_error *err);

/* Write all `n` bytes to `fd`, whatever it is; `name` stands for it in messages. */
dp_err dp_write_all(int fd, const void *p, size_t n, const char *name, dp_error *err);

/* A file for reading and writing that nobody else sees, in `folder`; it is gone when it is closed. DP_EIO. */
dp_err dp_workfile_open(int *fd, const char *folder, dp_error *err);

#endif
