/* url/keys.h - a URL as (key, value) pairs: what KDD'08, CIKM'09 and WSDM'10 learn on.
 *
 *     https://me@a.com:81/p/q;s=1/?x=1&y;x=
 *
 *     k(1,5) https   user me   k(2,4) a.com   port 81   k(3,3) p   k(4,2) q   k(4,2);s 1
 *     k(5,1) (empty)   ?x 1   ?y (no value)   ?x#2 (empty)
 *
 * Scheme, host and segments are the static components: component x from the start is
 * component y from the end, the scheme being x = 1 (WSDM'10 writes k(x,y)). A learner names
 * a component by x, by y or by both. Path parameters belong to their component; query pairs
 * have their name; userinfo and port are keys without a number. A key that a URL lacks is
 * not in its list (the papers' "bottom").
 *
 * Reads a frame (url/frame.h); url/deep.h cuts values further.
 *
 * Invariants:
 *   - Keys stand in the order of the text, and are different from each other.
 *   - Values are views into the frame's text; nothing is copied or decoded. (One is not: the
 *     "http" of a URL that has no scheme.)
 *   - `a` and `a=` are both there and differ in has_eq; a trailing slash is a last component
 *     whose value is empty. The value of a component ends at its first ';', and each ';' of
 *     the path begins a parameter, that of an empty piece (";;") has no name and no '='.
 *   - Joined, they give the text back byte for byte.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_KEYS_H
#define DP_URL_KEYS_H

#include "base/arena.h"
#include "base/err.h"
#include "url/frame.h"

typedef enum dp_key_kind {
    DP_K_SCHEME,
    DP_K_USER,
    DP_K_HOST,
    DP_K_PORT,
    DP_K_SEGMENT,
    DP_K_PARAM, /* of the segment before it */
    DP_K_PAIR
} dp_key_kind;

/* 32-bit positions: learners hold the keys of all URLs of a site. */
typedef struct dp_key {
    uint32_t x, y;    /* scheme, host, segment and its parameters: place from both ends, from 1; else 0 */
    uint32_t nth;     /* parameter, pair: 1 for the first of its name in its segment or query, then 2, ...; else 0 */
    uint32_t at, eq;  /* its name; at == eq when it has none */
    uint32_t val, end;
    uint8_t  kind;    /* a dp_key_kind */
    bool     has_eq;  /* parameter, pair */
    char     sep;     /* pair: '&' or ';' as in dp_pair */
} dp_key;

typedef struct dp_keys {
    const char *s;
    dp_key     *v; /* [n] */
    uint32_t    n;
    uint32_t    ncomponent; /* x + y - 1 of every component */
} dp_keys;

/* The keys of the URL of `f`. DP_ENOMEM; `*out` is untouched then. The array is in `a`. */
dp_err dp_keys_read(dp_keys *out, const dp_frame *f, dp_arena *a);

/* Append the URL that the keys spell. */
void dp_keys_join(dp_buf *out, const dp_keys *k);

/* Append the name of a key as in the picture above. */
void dp_key_print(dp_buf *out, const dp_keys *k, const dp_key *key);

static inline dp_str dp_key_name(const dp_keys *k, const dp_key *key)
{
    return (dp_str){k->s + key->at, key->eq - key->at};
}

static inline dp_str dp_key_value(const dp_keys *k, const dp_key *key)
{
    if (key->kind == DP_K_SCHEME && key->end == 0)
        return DP_STR("http");
    return (dp_str){k->s + key->val, key->end - key->val};
}

#endif
