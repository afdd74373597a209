/* url/token.h - a URL as the flat sequence of tokens that SIGIR'17 translates.
 *
 *     http://a.com/x_1/?id=12        http: a.com x_1 ? id = 12
 *
 * SIGIR'17 (section 2.2) reads a frame (url/frame.h): the scheme with its ':' is one token, the
 * authority (userinfo and port with it) one, the '/' of the path are dropped, and the
 * delimiters of path and query are tokens; '.', '-' and '_' never split, and neither does
 * a '/' in the query, which is data there.
 *
 * Keys and values are url/keys.h's; DUST's tokens are cut where they are numbered (learn/dust/units.c).
 *
 * Invariants:
 *   - Tokens are views into the text given; nothing is copied or decoded. (One is not: the
 *     "http:" of a URL that has no scheme.)
 *   - Tokens are not empty. Joined, they give the URL back but for slashes: one stands
 *     after the host and between two neighbours that are no delimiters. Tokenizing what
 *     was joined gives the same tokens.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_TOKEN_H
#define DP_URL_TOKEN_H

#include "base/arena.h"
#include "base/err.h"
#include "url/frame.h"

/* The delimiters that may be tokens. A learner leaves those out that are rare
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
