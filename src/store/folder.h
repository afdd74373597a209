/* store/folder.h - a folder of work files, numbered, that does not outlive its run.
 *
 *     TMP/dustpan-0f3a...:   0000 0001 ... 1279   manifest   lock
 *
 * Nothing is made before the first file is wanted. The names are fixed, so that a signal handler can remove them
 * (src/cli/target.h). A folder whose name is a hash of what is to be done can be found by a later run that is to do the
 * same, when the one before was killed: learn/run/resume.h.
 *
 * Invariants:
 *   - One process at a time owns a folder (flock on `lock`); who comes second has one of his own.
 *   - dp_folder_remove leaves nothing of it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_FOLDER_H
#define DP_STORE_FOLDER_H

#include "base/err.h"
#include "base/str.h"

enum { DP_FOLDER_FILES = DP_WORK_FILES, DP_FOLDER_NAME = 24 /* bytes of "dustpan-" and 16 hex digits */ };

typedef struct dp_folder dp_folder;

/* Under `parent`, by that name; owned when it is there already. DP_EIO when it is another's or `parent` is none,
 * DP_ENOMEM. */
dp_err dp_folder_new(dp_folder **out, const char *parent, uint64_t name, dp_error *err);

/* Whether it is there, left by an earlier run. */
bool dp_folder_is_there(const dp_folder *f);

/* Make it, unless it is there. DP_EIO. */
dp_err dp_folder_make(dp_folder *f, dp_error *err);

const char *dp_folder_path(const dp_folder *f);

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
