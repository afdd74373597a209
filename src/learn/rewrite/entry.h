/* learn/rewrite/entry.h - Delta(r, k): rules that differ in one key alone, and what is generalized there.
 *
 *     entry = all rules that are equal but for key k             members as (c(k), a(k)):
 *
 *     show?id=7&sid=_  ->  show?id=7&sid=_                       (x1, x2) (x2, x1) (x1, x3) ...
 *         texts of c:             x1 x2 x3 ...   ten or more:  (*, a) for every a that stands with a text
 *         a where c is no text:   x1 x2 x3 ...   ten or more:  (c, *) for every such c: absent, empty, or * already
 *
 * An entry keeps each value of either side once, with a rule that has it; of those that only count no more than the
 * filter asks for. Which members there are beyond that does not matter to what is made of it. What cannot have enough
 * members is kept out by the caller's sieve (below). KDD 2008, Algorithm 3 and section 4.1; docs/algorithms/rewrite.md.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_ENTRY_H
#define DP_LEARN_REWRITE_ENTRY_H

#include "base/index.h"
#include "learn/rewrite/rewrite.h"
#include "learn/rewrite/rule.h"

/* ---- sieve: whether something was seen often enough, in a byte ------------------------------- */

/* Counts by hash, up to 127. Two things that share a cell are counted together: it errs on the side of keeping. */
typedef struct dp_rw_sieve {
    uint8_t *cell; /* [mask + 1]; the highest bit is for the caller */
    uint64_t mask;
} dp_rw_sieve;

enum { DP_RW_MARK = 128, DP_RW_MOST = 127 };

dp_err dp_rw_sieve_init(dp_rw_sieve *s, uint64_t things);
void   dp_rw_sieve_done(dp_rw_sieve *s);

static inline uint8_t *dp_rw_sieve_cell(const dp_rw_sieve *s, uint64_t hash)
{
    return &s->cell[(hash ^ hash >> 32) & s->mask];
}

static inline void dp_rw_sieve_add(dp_rw_sieve *s, uint64_t hash, uint64_t times)
{
    uint8_t *c = dp_rw_sieve_cell(s, hash);
    uint64_t sum = (*c & DP_RW_MOST) + times;
    *c = (uint8_t)((*c & DP_RW_MARK) | (sum < DP_RW_MOST ? sum : DP_RW_MOST));
}

static inline uint32_t dp_rw_sieve_count(const dp_rw_sieve *s, uint64_t hash)
{
    return *dp_rw_sieve_cell(s, hash) & DP_RW_MOST;
}

static inline bool dp_rw_sieve_has(const dp_rw_sieve *s, uint64_t hash, uint32_t times)
{
    return dp_rw_sieve_count(s, hash) >= times;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* A rule that has a value: two maps it is generated from, or its number and DP_RW_IS_RULE. */
typedef struct dp_rw_origin {
    uint32_t u, v;
} dp_rw_origin;

#define DP_RW_IS_RULE UINT32_MAX

typedef struct dp_rw_record {
    uint32_t     entry, value;
    uint32_t     count;   /* members that have it; of a, where c is no text */
    uint32_t     next;    /* of the entry, + 1; 0: last */
    dp_rw_origin origin;
    bool         is_a;    /* a value of a(k); else of c(k) */
    bool         is_mate; /* of a: some member has it where c is a text */
    bool         is_made; /* of a: the rule (*, a) was */
} dp_rw_record;

typedef struct dp_rw_entry {
    uint64_t hash;
    uint32_t key;
    uint32_t ntext, nopen; /* different texts of c; open values of a where c is no text */
    uint32_t first;        /* record + 1 */
} dp_rw_entry;

typedef struct dp_rw_entries {
    dp_rw_entry  *v; /* [n] */
    dp_rw_record *record; /* [nrecord] */
    uint32_t      n, nrecord;
    size_t        cap, record_cap;
    dp_index      index, record_index;
    uint32_t      enough; /* values that only count are worth keeping up to that many */
} dp_rw_entries;

/* A member, `times` of them alike. */
typedef struct dp_rw_member {
    uint64_t     hash; /* of the entry */
    uint32_t     key, c, a, times;
    dp_rw_origin origin;
} dp_rw_member;

dp_err dp_rw_entries_add(dp_rw_entries *e, const dp_rw_member *m);

/* Only its c or its a, for a caller that has many members at once. */
dp_err dp_rw_entries_value(dp_rw_entries *e, const dp_rw_member *m, bool is_a);

void   dp_rw_entries_reset(dp_rw_entries *e);
void   dp_rw_entries_done(dp_rw_entries *e);

/* ---- generalizing ---------------------------------------------------------------------------- */

/* Whether a rule about to be added is right, as the filters from DP_REWRITE_EFPR on have it. */
typedef bool dp_rw_estimate(void *self, const dp_rw_draft *r);

typedef struct dp_rw_maker {
    const dp_book            *book;
    const dp_rewrite_options *options;
    dp_rw_rules              *rules; /* what is made goes here; rules of DP_RW_IS_RULE are numbers of it */
    dp_rw_rules              *later; /* what the next round makes of entries that are seen once */
    dp_rw_estimate           *estimate;
    void                     *self;
    bool                      first; /* members are specific rules: an entry is seen once, for both its steps */
} dp_rw_maker;

/* Members that an entry needs at least to be of use. */
uint32_t dp_rw_least(const dp_rewrite_options *o);

/* Add what the filter lets through. DP_ENOMEM. */
dp_err dp_rw_generalize(const dp_rw_maker *m, dp_rw_entries *e);

#endif
