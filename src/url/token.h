/* url/token.h - the flat token sequences of the papers: DUST's and SIGIR'17's.
 *
 *     http://a.com/x_1/?id=12
 *
 *     dust   ^ http : / / a . com / x _ 1 / ? id = 12 $
 *     seq    http: a.com x_1 ? id = 12
 *
 * DUST (Bar-Yossef et al. 2006) takes any bytes: a token is a maximal run of [A-Za-z0-9] and
 * bytes >= 0x80, or one other byte; ^ before and $ behind are tokens too. '%' is such a
 * byte, so %2F is two tokens; where a cut would fall inside an escape dp_percent_inside
 * says. SIGIR'17 (section 2.2) reads a frame (url/frame.h): the scheme with its ':' is one token, the
 * authority (userinfo and port with it) one, the '/' of the path are dropped, and the
 * delimiters of path and query are tokens; '.', '-' and '_' never split, and neither does
 * a '/' in the query, which is data there.
 *
 * Keys and values, the third view of a URL, are url/keys.h's; learners read all of them.
 *
 * Invariants:
 *   - Tokens are views into the text given; nothing is copied or decoded. (One is not: the
 *     "http:" of a URL that has no scheme.)
 *   - DUST tokens follow each other without gaps, and only ^ and $ are empty: tokens
 *     [i, j) are the bytes [at[i], at[j]), all of them the text.
 *   - seq tokens are not empty. Joined, they give the URL back but for slashes: one stands
 *     after the host and between two neighbours that are no delimiters. Tokenizing what
 *     was joined gives the same tokens.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_TOKEN_H
#define DP_URL_TOKEN_H

#include "base/arena.h"
#include "base/err.h"
#include "url/frame.h"

/* 32-bit positions: DUST learners hold those of all URLs of a site. */
typedef struct dp_dust_tokens {
    const char *s;
    uint32_t   *at; /* [n + 1] where each token begins; at[n] is the length of the text */
    uint32_t    n;  /* 2 or more: the first is ^, the last is $ */
} dp_dust_tokens;

/* Cut `text`. DP_ELIMIT when it is longer than INT32_MAX bytes, DP_ENOMEM; `*out` is
 * untouched on failure. The array is in `a`. */
dp_err dp_dust_tokenize(dp_dust_tokens *out, dp_str text, dp_arena *a);

/* Tokens [i, j) as text. */
static inline dp_str dp_dust_text(const dp_dust_tokens *t, uint32_t i, uint32_t j)
{
    return (dp_str){t->s + t->at[i], t->at[j] - t->at[i]};
}

/* The delimiters that SIGIR'17 tokens may keep. A learner leaves those out that are rare
 * on its site; they are bytes like others then. (Stage 0 has cut what '#' begins.) */
#define DP_SEQ_DELIMITERS "?=&;#:,+~@"

typedef struct dp_seq_tokens {
    dp_str *v; /* [n]: scheme with ':', authority, then the rest */
    size_t  n;
} dp_seq_tokens;

/* Cut the URL of `f`, splitting at `delimiters`. DP_ENOMEM; `*out` is untouched then. The
 * array is in `a`, the tokens are views into the frame's text. */
dp_err dp_seq_tokenize(dp_seq_tokens *out, const dp_frame *f, const char *delimiters, dp_arena *a);

/* Append the URL that the tokens spell. There must be a scheme and an authority. */
void dp_seq_join(dp_buf *out, const dp_seq_tokens *t, const char *delimiters);

#endif
