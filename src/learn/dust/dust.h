/* learn/dust/dust.h - DustBuster without fetching: URLs of one site -> substitutions that may hold.
 *
 *     http://a.com/x/            ^ http : / / a . com / x /            $      p = ^...x/   s = $
 *     http://a.com/x/index.html  ^ http : / / a . com / x / index.html $      "" <-> "index.html"
 *
 * Two URLs p·α·s and p·β·s share the envelope (p, s), and are an instance of the pair (α, β). A pair
 * with many instances that look alike is a candidate. Bar-Yossef, Keidar, Schonfeld 2006, Figures 2 and 3
 * and section 5.3; docs/algorithms/dust.md says how, and where we differ. What is
 * found must be judged by content before it becomes a rule.
 *
 * Invariants:
 *   - The result depends on the set of URLs and the options alone, not on the order of the list.
 *   - Hashes only save work: substrings are compared before anything is counted.
 *   - Texts of the result are views into the texts given.
 *
 * Memory: 36 bytes a URL, 32 more where something is known of pages, 4 a token and about 40 a different token; some 60
 * a URL for the tree; 5 a URL for cells and 43 to 85 a candidate, these two divided by the number of passes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_DUST_H
#define DP_LEARN_DUST_DUST_H

#include "base/arena.h"
#include "base/err.h"

/* A page that was answered 200. One that is given twice has all its sizes; its sketch, when the two differ, is
 * not known. */
typedef struct dp_dust_url {
    dp_str   url;
    bool     has_size, has_sketch;
    int64_t  size_min, size_max; /* bytes, over all times it was seen */
    uint64_t sketch[4];          /* min-hashes */
} dp_dust_url;

/* What is counted: envelopes (Figure 2), or pairs of URLs (the definition of support). They differ where a substring is
 * empty or repeats itself (Theorem 2). */
typedef enum dp_dust_support { DP_DUST_ENVELOPES, DP_DUST_PAIRS } dp_dust_support;

/* Names and values of the paper, section 6.2. */
typedef struct dp_dust_options {
    uint32_t S;             /* tokens of a substring at most; up to 255 */
    uint32_t T_low, T_high; /* above that many URLs an envelope does not count for sup_low, sup_high */
    uint32_t MS;            /* sup_low that a candidate needs; 1 or more */
    double   MRD;           /* how much less support, as a share, the rule that refines may have ... */
    uint32_t MAD;           /* ... or as a number */
    size_t   MW;            /* how far down the list rules are compared */
    unsigned shingles;      /* of 4 that must agree: 4, or 2 when relaxed; 0: sketches are not looked at */
    bool     ignore_sizes;
    dp_dust_support support;
    double   epsilon;       /* share of pairs that may differ under a parameter rule */
    bool     judged;        /* labels try the rules afterwards, so a page of which no more is known may speak, too */
    size_t   memory;        /* bytes for counting at a time, by more passes; 0: one pass */
    uint64_t hash_mask;     /* bits of hashes used; fewer give the same slowly, for tests */
} dp_dust_options;

#define DP_DUST_OPTIONS_INIT                                                                          \
    {.S = 35, .T_low = 6, .T_high = 11, .MS = 3, .MRD = 0.05, .MAD = 1, .MW = 1100, .shingles = 4,    \
     .epsilon = 0.05, .hash_mask = UINT64_MAX}

/* An unordered pair, the greater side as α: more tokens, then more bytes, then by bytes. */
typedef struct dp_dust_rule {
    dp_str   alpha, beta;               /* without the anchors */
    bool     at_start, at_end;          /* both sides begin with ^, end with $ */
    uint32_t alpha_tokens, beta_tokens; /* anchors count */
    uint32_t sup_low, sup_high;         /* envelopes with at most T_low, T_high URLs */
    uint32_t x, y, i, k; /* an instance: pages with α and β, units before and behind them (site.h) */
} dp_dust_rule;

/* ?name=anything -> ?name=value, or -> nothing. */
typedef struct dp_dust_param {
    dp_str name, value; /* the most frequent value; also when it is omitted */
    bool   omit;
    size_t urls;           /* that have it */
    size_t uses, times;    /* how often it stands in them; how often with `value` */
    size_t buckets;        /* envelopes with two values or more of pages that something is known of */
    size_t pairs, similar; /* of values in one bucket; when omitted, of URLs with and without it */
} dp_dust_param;

typedef struct dp_dust_rules {
    dp_dust_rule *v; /* [n] */
    size_t        n;
    size_t        passes; /* ranges of cores that phase 1 took one after another, to stay within `memory` */
} dp_dust_rules;

typedef struct dp_dust_result {
    dp_dust_rules  rules;    /* phases 1 and 2: by sup_low, then more tokens, then bytes */
    dp_dust_param *param;    /* [nparam] phase 3: by similar, then name */
    size_t         nparam;
    size_t         urls;     /* distinct ones */
    size_t         detected; /* candidates before phase 2 */
} dp_dust_result;

/* All of it; what `*out` holds is in `a`. DP_EINVALID when the options make no sense, DP_ELIMIT for a URL of
 * 2^24 tokens or 2^31 bytes, or 2^32 - 1 URLs, DP_ENOMEM; `*out` is untouched on failure. */
dp_err dp_dust_learn(dp_dust_result *out, const dp_dust_url *url, size_t n, const dp_dust_options *o, dp_arena *a);

/* ---- the phases, for those who want one ------------------------------------------------- */

typedef struct dp_dust_site dp_dust_site;

/* The distinct URLs, cut into tokens. */
dp_err dp_dust_site_new(dp_dust_site **out, const dp_dust_url *url, size_t n, const dp_dust_options *o);
void   dp_dust_site_free(dp_dust_site *s);

/* Phase 1: candidates by sup_high, then more tokens, then bytes; in `a`. */
dp_err dp_dust_detect(dp_dust_rules *out, dp_dust_site *s, const dp_dust_options *o, dp_arena *a);

/* Phase 2: remove the redundant ones from a list in that order; it is ordered by sup_low then. */
dp_err dp_dust_eliminate(dp_dust_rules *r, const dp_dust_options *o);

/* An instance of rule number `rule`: two distinct URLs, numbered in the order they were given; x has α. `similar` says
 * whether it counts for the rule; the others are there, but differ. */
typedef dp_err dp_dust_on_instance(void *self, size_t rule, size_t x, size_t y, bool similar);

/* The instances of rules, in envelopes of at most `most` URLs: with T_low sup_low similar ones each, with T_high
 * sup_high. */
dp_err dp_dust_instances(const dp_dust_rules *r, const dp_dust_site *s, const dp_dust_options *o, uint32_t most,
                         dp_dust_on_instance *on_instance, void *self);

/* Instances that differ, in envelopes of any size. */
dp_err dp_dust_contraries(const dp_dust_rules *r, const dp_dust_site *s, const dp_dust_options *o,
                          dp_dust_on_instance *on_instance, void *self);

/* The order of candidates that phase 2 wants, for rules whose sup_high was changed. */
void dp_dust_sort(dp_dust_rules *r);

/* Phase 3: the parameters of `out`; when these are there, `on_instance`, unless it is NULL, is told the pairs of URLs
 * that each of them was judged by. */
dp_err dp_dust_params(dp_dust_result *out, const dp_dust_site *s, const dp_dust_options *o,
                      dp_dust_on_instance *on_instance, void *self, dp_arena *a);

/* Whether every instance of `fine` is one of `broad`: fine = (γαδ, γβδ), or the same with sides exchanged
 * (Lemma 6). */
bool dp_dust_refines(const dp_dust_rule *fine, const dp_dust_rule *broad);

/* The order of candidates with equal support. */
int dp_dust_rule_cmp(const dp_dust_rule *a, const dp_dust_rule *b);

#endif
