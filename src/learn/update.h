/* learn/update.h - a rule file that was learned again: what people have decided stays, what has changed is said.
 *
 *     old file ── pin, off ──►  merged into the new file (rule/merge.c)
 *              ── others  ──►  there again, with other counts; or retired
 *
 * Where the old file holds neither pin nor off, the new one stays as it is, byte for byte.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_UPDATE_H
#define DP_LEARN_UPDATE_H

#include "base/buf.h"
#include "base/err.h"
#include "rule/rule.h"

enum { DP_UPDATE_SHOWN = 5 /* retired rules that are named */ };

/* Change `file` so; append to `said` what has changed, a sentence a line. DP_ENOMEM, DP_ESYNTAX. */
dp_err dp_update_carry(dp_buf *file, dp_buf *said, const dp_rules *old, dp_error *err);

#endif
