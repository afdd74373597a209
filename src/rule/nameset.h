/* rule/nameset.h - parameter names that something was said about, block by block.
 *
 *     keep ?lang        drop ?utm_*         is ?utm_source covered?  by the second
 *
 * Names and prefixes by their hashes; a look-up walks along the name once and asks at
 * each step whether that prefix is known, so it is linear in the name.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_NAMESET_H
#define DP_RULE_NAMESET_H

#include "base/index.h"
#include "rule/rule.h"

typedef struct dp_nameset_entry {
    dp_name        name;
    char           kind; /* '?' or ';' */
    const dp_rule *rule; /* who said it; NULL for keep lines */
} dp_nameset_entry;

typedef struct dp_nameset {
    dp_nameset_entry *v; /* [index.n]; there may be several of one name */
    size_t            cap;
    dp_index          index;
    bool              has_prefixes;
} dp_nameset;

/* Whether who said it earlier answers for `rule` too. */
typedef bool (*dp_nameset_test)(const dp_rule *earlier, const dp_rule *rule);

void dp_nameset_reset(dp_nameset *s);
void dp_nameset_done(dp_nameset *s);

/* Add all names; an entry of the same name that `answers` for this rule makes it needless,
 * one that this rule answers for is replaced. */
dp_err dp_nameset_add(dp_nameset *s, const dp_names *names, const dp_rule *rule, dp_nameset_test answers);

/* The entry that covers the name for `rule`; NULL when there is none. */
const dp_nameset_entry *dp_nameset_find(const dp_nameset *s, char kind, const dp_name *name, const dp_rule *rule,
                                        dp_nameset_test answers);

#endif
