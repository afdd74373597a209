/* learn/duster/tokens.h - a URL as the tokens that are aligned.
 *
 *     http://a.com/p12/x%20y      http | a.com | / | p | 12 | / | x | %20 | y
 *
 * Runs of letters, runs of digits, and every other character alone, as the papers have it. Ours: an escape is one
 * token, and so are the scheme, and the host with its port, for rules can replace these only as a whole.
 *
 * Invariants:
 *   - The first token is the scheme and the second the host; the others, joined, are the path and the query.
 *   - Tokens are views into the text of the frame.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_TOKENS_H
#define DP_LEARN_DUSTER_TOKENS_H

#include "url/frame.h"

enum {
    DP_DUSTER_TOKENS = 128, /* a URL of more is left out */
    DP_DUSTER_BYTES = 2048  /* the same */
};

/* Tokens of one type may stand at one position. Every character that is neither letter nor digit is its own type. */
typedef enum dp_duster_type {
    DP_DUSTER_LETTERS = 256, /* below: the character */
    DP_DUSTER_DIGITS,
    DP_DUSTER_ESCAPE,
    DP_DUSTER_SCHEME,
    DP_DUSTER_HOST
} dp_duster_type;

typedef struct dp_duster_token {
    dp_str   text;
    uint32_t at; /* in the text of the frame */
    uint16_t type;
} dp_duster_token;

typedef struct dp_duster_tokens {
    dp_duster_token v[DP_DUSTER_TOKENS];
    uint32_t        n;
} dp_duster_tokens;

/* Letters, digits and escapes: what words and numbers are made of. */
static inline bool dp_duster_is_word(const dp_duster_token *t)
{
    return t->type == DP_DUSTER_LETTERS || t->type == DP_DUSTER_DIGITS || t->type == DP_DUSTER_ESCAPE;
}

/* Whether the URL can be aligned: it has neither too many tokens or bytes, nor a user name or an erased value (a raw
 * star), of which no rule can speak. */
bool dp_duster_cut(dp_duster_tokens *out, const dp_frame *f);

#endif
