/* base/err.h - how functions say that they failed.
 *
 * Functions that can fail return dp_err: DP_OK or one of the negative kinds of
 * dustpan.h. Functions that read outside data also fill a dp_error with file,
 * line, column and message; it may be NULL.
 *
 *     DP_TRY(step_one());
 *     return dp_fail(err, DP_ESYNTAX, "expected '%c'", c);
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_ERR_H
#define DP_BASE_ERR_H

#include "dustpan.h"

#define DP_TRY(call)                  \
    do {                              \
        dp_err dp_try_err_ = (call);  \
        if (dp_try_err_ != DP_OK)     \
            return dp_try_err_;       \
    } while (0)

/* Fill `*err` (file and place kept as they are) and return `code`. */
dp_err dp_fail(dp_error *err, dp_err code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with the place: `file` may be NULL, line and column 0 for "none". */
dp_err dp_fail_at(dp_error *err, dp_err code, const char *file, size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* How messages call a file: "standard input" for "-". */
const char *dp_path_name(const char *path);

/* The memory is out; no place is named. Returns DP_ENOMEM. */
dp_err dp_no_memory(dp_error *err);

/* As dp_fail, with the name of `code` as the message, for what has no better one; nothing when it is DP_OK. */
dp_err dp_fail_as(dp_error *err, dp_err code);

#endif
