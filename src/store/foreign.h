/* store/foreign.h - what a URL is remembered by whose key lies on somebody else's domain.
 *
 *     a.net/x ── learned rule ──► key victim.com/x     remembered: LF LF a.net LF victim.com/x
 *
 * The rule was learned from what a.net has said, and a.net may show something else by now. If its URL marked the key as
 * seen, it would hide the page of victim.com. So it is left out where the key was seen, and else passed on and
 * remembered by the key with its own domain in front; so other URLs of a.net with this key are left out, and that of
 * victim.com is not.
 * No URL and no line begins with LF. Used by output/sieve.h and store/rekey.c; who is foreign says dp_scratch_foreign.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_FOREIGN_H
#define DP_STORE_FOREIGN_H

#include "base/buf.h"

static inline void dp_foreign_key(dp_buf *out, dp_str own, dp_str key)
{
    dp_buf_c(out, "\n\n");
    dp_buf_str(out, own);
    dp_buf_byte(out, '\n');
    dp_buf_str(out, key);
}

/* The key in what dp_foreign_key has made; any other key as it is. */
static inline dp_str dp_foreign_inner(dp_str key)
{
    const char *end = key.n > 3 && key.p[0] == '\n' && key.p[1] == '\n' && key.p[2] != '\n'
                          ? memchr(key.p + 2, '\n', key.n - 2)
                          : NULL;
    return end ? dp_str_cut(key, (size_t)(end + 1 - key.p), key.n) : key;
}

#endif
