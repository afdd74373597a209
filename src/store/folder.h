/* store/folder.h - a folder of work files, numbered, that does not outlive its run.
 *
 *     TMP/dustpan-0f3a...:   0000 0001 ... 1279   manifest   lock
 *
 * Nothing is made before the first file is wanted. The names are fixed, so that a signal handler can remove them
 * (src/cli/target.h). A folder whose name is a hash of what is to be done can be found by a later run that is to do the
 * same, when the one before was killed: learn/run/resume.h. Anybody can work the name out, and others may write to TMP
 * (/tmp): so a folder that is there already is taken only if nobody else can have made it or written to it.
 *
 * Invariants:
 *   - A folder is a directory and no link, on the file system of TMP, of our effective user, and closed to everybody
 *     else (0700). Another user cannot make such a one, nor move one here.
 *   - Files are named relative to the open folder, not by its path, and links are never followed; a new file is one
 *     that was not there (O_EXCL).
 *   - One process at a time owns a folder (flock on `lock`). Who finds the name taken, by whomever, makes a folder with
 *     a random name (64 bits), which no later run finds.
 *   - dp_folder_remove leaves nothing of it, and touches only a folder that is owned.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_FOLDER_H
#define DP_STORE_FOLDER_H

#include "base/err.h"
#include "base/str.h"

enum { DP_FOLDER_FILES = DP_WORK_FILES, DP_FOLDER_NAME = 24 /* bytes of "dustpan-" and 16 hex digits */ };

typedef struct dp_folder dp_folder;

typedef struct dp_folder_how {
    const char *parent;
    uint64_t    name;  /* by which a later run finds it */
    bool        again; /* there may be such a one; if not, its name is random */
    void (*owned)(void *ctx, const char *path); /* called as soon as the folder is ours; may be NULL */
    void       *ctx;
} dp_folder_how;

/* One that an earlier run has left is owned at once. DP_EIO when `parent` is no folder, DP_EINVALID, DP_ENOMEM. */
dp_err dp_folder_new(dp_folder **out, const dp_folder_how *how, dp_error *err);

/* Whether it is there, left by an earlier run. */
bool dp_folder_is_there(const dp_folder *f);

/* Make it, unless it is there. DP_EIO. */
dp_err dp_folder_make(dp_folder *f, dp_error *err);

/* Open file `number`, new and empty, or as it is. DP_EIO. */
dp_err dp_folder_create(dp_folder *f, size_t number, int *fd, dp_error *err);
dp_err dp_folder_open(dp_folder *f, size_t number, int *fd, dp_error *err);
bool   dp_folder_has(const dp_folder *f, size_t number);
void   dp_folder_unlink(dp_folder *f, size_t number);

/* Name it in a message: "TMP/dustpan-.../0007". */
void dp_folder_name_file(const dp_folder *f, size_t number, char *out, size_t cap);

/* Remove it with all that is in it, and forget it; `f` may be NULL. */
void dp_folder_remove(dp_folder *f);

#endif
