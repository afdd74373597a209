/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/tokens.h"

#include "url/chars.h"

/* The token that begins at `at`. */
static dp_duster_token token_at(const dp_frame *f, uint32_t at)
{
    uint32_t end = at + 1;
    uint16_t type = (unsigned char)f->s[at];
    int      kind = dp_is(f->s[at], DP_CH_ALPHA) ? DP_CH_ALPHA : dp_is(f->s[at], DP_CH_DIGIT) ? DP_CH_DIGIT : 0;
    if (kind) {
        type = kind == DP_CH_ALPHA ? DP_DUSTER_LETTERS : DP_DUSTER_DIGITS;
        while (end < f->n && dp_is(f->s[end], kind))
            end++;
    } else if (dp_is_escape(f->s + at, f->n - at)) {
        type = DP_DUSTER_ESCAPE;
        end = at + 3;
    }
    return (dp_duster_token){dp_frame_cut(f, at, end), at, type};
}

bool dp_duster_cut(dp_duster_tokens *out, const dp_frame *f)
{
    out->n = 0;
    if (f->user_end || f->n > DP_DUSTER_BYTES || memchr(f->s, '*', f->n))
        return false;
    out->v[out->n++] = (dp_duster_token){dp_frame_scheme(f), 0, DP_DUSTER_SCHEME};
    out->v[out->n++] = (dp_duster_token){dp_frame_cut(f, f->host, f->path), f->host, DP_DUSTER_HOST};
    for (uint32_t at = f->path; at < f->n; at += (uint32_t)out->v[out->n - 1].text.n) {
        if (out->n == DP_DUSTER_TOKENS)
            return false;
        out->v[out->n++] = token_at(f, at);
    }
    return true;
}
