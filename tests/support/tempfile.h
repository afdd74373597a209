/* support/tempfile.h - a folder for the files of one test.
 *
 *     const char *path = dp_temp_write("a.gz", bytes);      in a folder made on first use
 *     dp_temp_remove();                                     in the test's teardown
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_TEMPFILE_H
#define DP_SUPPORT_TEMPFILE_H

#include "base/buf.h"

/* The path of `name` in the folder; valid until dp_temp_remove. At most 16 a test. */
const char *dp_temp_path(const char *name);

/* Write a file and return its path. */
const char *dp_temp_write(const char *name, dp_str bytes);

/* Append what is in the file to `out`; false when it cannot be read. */
bool dp_temp_read(dp_buf *out, const char *path);

/* How many files the folder holds, hidden ones included. */
size_t dp_temp_count(void);

/* Remove the files and the folder. A cmocka teardown. */
int dp_temp_remove(void **state);

#endif
