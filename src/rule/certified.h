/* rule/certified.h - the certificate of a host line: [cert=.99/.95 n=767 pool=5994].
 *
 * It speaks of the rules that were active when it was given, on all host lines of one site, which carry the same one
 * (docs/trust.md). Whoever turns a rule on or off, or brings others in, takes it off.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_CERTIFIED_H
#define DP_RULE_CERTIFIED_H

#include "rule/rule.h"

typedef struct dp_certified {
    double precision, confidence;
    double n, neg, pool; /* votes for and against; pages that they were tried against */
} dp_certified;

/* What the host line of `b` says; false when it has no certificate. */
bool dp_certified_read(dp_certified *out, const dp_block *b);

/* Whether the attribute number `i` of a host line is part of a certificate. */
bool dp_certified_is_part(const dp_block *b, size_t i);

/* Take the certificate of `b`, if it has one, off all host lines of `r` that carry it. Memory from `a`. DP_ENOMEM. */
dp_err dp_certified_end(dp_rules *r, const dp_block *b, dp_arena *a);

#endif
