/* base/text.h - text that leaves the library: the dp_text of dustpan.h.
 *
 *     dp_buf b = {0};
 *     dp_buf_c(&b, "...");
 *     return dp_text_take(out, &b);          the buffer is empty then, whatever happened
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_TEXT_H
#define DP_BASE_TEXT_H

#include "base/buf.h"
#include "base/err.h"

/* Make `*out` of what is in `b`, without a copy. DP_ENOMEM when `b` failed or memory is
 * out; `*out` is untouched then. */
dp_err dp_text_take(dp_text **out, dp_buf *b);

#endif
