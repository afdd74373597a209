/* learn/rewrite/rule.h - a rewrite rule over keys: context and transformation side by side.
 *
 *     http://a.com/show?id=7&sid=x  ->  http://a.com/show?id=7&sid=y
 *
 *     key        scheme   host    k3     ?id    ?sid
 *     c (from)   http     a.com   show   7      x          a value, or * after generalizing
 *     a (to)     =scheme  =host   =k3    =?id   y          =key: what that key has in the URL; else as c
 *
 * KDD 2008, Definition 2 and GenerateRule. A rule is the list of the keys that are on either side. Its hash is a sum,
 * so that of the rule without one key (which is what Delta(r, k) is about) is a subtraction away.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_RULE_H
#define DP_LEARN_REWRITE_RULE_H

#include "base/hash.h"
#include "base/index.h"
#include "learn/rewrite/book.h"

#define DP_V_REF (1u << 31) /* with a key: that key's value */

typedef struct dp_rw_part {
    uint32_t key, c, a;
} dp_rw_part;

enum { DP_RW_PARTS = 2 * DP_BOOK_KEYS };

/* A rule at work, with room for the longest. */
typedef struct dp_rw_draft {
    uint64_t   hash;
    uint32_t   n, stars;
    dp_rw_part part[DP_RW_PARTS]; /* by key */
} dp_rw_draft;

static inline uint64_t dp_rw_part_hash(dp_rw_part p)
{
    return dp_hash_mix(dp_hash_mix(((uint64_t)p.key << 32 | p.c) + 0x9E3779B97F4A7C15u) + p.a);
}

/* What the hash of an entry (a rule without key k) adds for k. */
static inline uint64_t dp_rw_gap_hash(uint32_t key)
{
    return dp_hash_mix(key + 0xD1B54A32D192ED03u);
}

/* Whether a transformation's value may become *: a text or a reference. */
static inline bool dp_rw_is_open(uint32_t a)
{
    return a >= DP_V_FIRST;
}

/* What a(k) is when the target has the text `val` at `key`: a reference when the source has it somewhere, at the same
 * key, at a key of the same name, at the first place. */
uint32_t dp_rw_target(const dp_book *b, const dp_cell *u, uint32_t nu, uint32_t key, uint32_t val);

/* GenerateRule(u, v). */
void dp_rw_generate(dp_rw_draft *out, const dp_book *b, uint32_t u, uint32_t v);

/* Change one part; hash and stars follow. */
void dp_rw_put(dp_rw_draft *r, uint32_t i, uint32_t c, uint32_t a);

/* The number of the part with `key`; UINT32_MAX: none. */
uint32_t dp_rw_find(const dp_rw_draft *r, uint32_t key);

/* ---- sets of rules --------------------------------------------------------------------------- */

typedef struct dp_rw_rule {
    uint64_t hash;
    uint32_t at; /* of its parts */
    uint16_t n, stars;
} dp_rw_rule;

typedef struct dp_rw_rules {
    dp_rw_rule *v; /* [n] */
    uint32_t    n;
    size_t      cap;
    dp_rw_part *part;
    size_t      npart, part_cap;
    dp_index    index;
    uint32_t    most; /* rules it may hold */
    bool        full; /* one was refused */
} dp_rw_rules;

/* Add a rule that is not there. DP_ENOMEM. */
dp_err dp_rw_rules_add(dp_rw_rules *s, const dp_rw_draft *r);
void   dp_rw_rules_done(dp_rw_rules *s);

/* The number of the rule with that hash; UINT32_MAX: none. */
uint32_t dp_rw_rules_find(const dp_rw_rules *s, uint64_t hash);

/* Rule number i, to be changed. */
void dp_rw_draft_of(dp_rw_draft *out, const dp_rw_rules *s, uint32_t i);

#endif
