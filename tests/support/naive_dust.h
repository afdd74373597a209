/* support/naive_dust.h - DustBuster's phases 1 and 2 as Figures 2 and 3 of [BKS06] say them, line by line; phase 3.
 *
 *     "http://a.b"   is spelled   "^^\nhttp\n:\n/\n/\na\n.\nb\n$$\n"       tokens, each with a newline
 *
 * so that putting spellings together puts tokens together. URLs must not hold newlines. Memory that is out aborts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_NAIVE_DUST_H
#define DP_SUPPORT_NAIVE_DUST_H

#include "learn/dust/dust.h"

/* What dp_dust_detect gives; `spelled[2 * i]` and the next are the sides of rule i. */
typedef struct naive_dust {
    dp_dust_rule *v; /* [n] */
    dp_str       *spelled;
    size_t        n;
} naive_dust;

dp_str     naive_dust_spell(dp_str url, dp_arena *a);
naive_dust naive_dust_detect(const dp_dust_url *url, size_t n, const dp_dust_options *o, dp_arena *a);

/* Figure 3, then by sup_low. */
naive_dust naive_dust_eliminate(naive_dust r, const dp_dust_options *o, dp_arena *a);

/* How many unordered pairs of URLs are instances of (alpha, beta), both spelled: support by its definition. */
size_t naive_dust_pairs(const dp_dust_url *url, size_t n, dp_str alpha, dp_str beta, dp_arena *a);

/* Whether some first tokens of a spelling are its last tokens, too. */
bool naive_dust_is_bordered(dp_str spelled);

/* Figure 6: up to MA rounds; in each, every rule in order, at its first place, up to MA times; until a round changes
 * nothing. Rules are oriented as dp_dust_orient says. */
dp_str naive_dust_canonize(dp_str url, const dp_dust_rule *rule, size_t n, int MA, dp_arena *a);

bool naive_dust_similar(const dp_dust_url *x, const dp_dust_url *y, const dp_dust_options *o);

/* Phase 3, in the order of dp_dust_params; of distinct URLs, with 4096 uses of parameters at most. */
typedef struct naive_dust_param_list {
    dp_dust_param v[64];
    size_t        n;
} naive_dust_param_list;

naive_dust_param_list naive_dust_params(const dp_dust_url *url, size_t n, const dp_dust_options *o);

#endif
