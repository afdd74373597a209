/* dp_audit_recount of dustpan.h: the votes of new records are added to what rules say of themselves.
 *
 *     drop ?sid                     [p=.998 n=212 neg=0]   + 40 for, 1 against
 *     drop ?sid                     [p=.998 n=252 neg=1]
 *
 * p stays: it is what was promised, and what the rule is held to.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "eval/audit.h"
#include "rule/attr.h"

/* Add to attribute `key`, which is made when it is not there. */
static dp_err add_to(dp_rule *r, const char *key, uint64_t more, dp_arena *arena)
{
    char   text[32];
    double old = dp_rule_number(r, key, 0);
    snprintf(text, sizeof text, "%.0f", (old > 0 ? old : 0) + (double)more);
    dp_str value = dp_arena_str(arena, dp_str_c(text));
    return value.p ? dp_attr_set(r, dp_str_c(key), value, arena) : DP_ENOMEM;
}

dp_err dp_audit_recount(const dp_audit *a, dp_rules *rules, size_t *changed)
{
    size_t n = 0;
    if (!dp_audit_is_of(a, rules))
        return DP_EINVALID;
    for (size_t i = 0; i < rules->nrule; i++) {
        dp_rule *r = rules->rule[i];
        if (!a->rule[i].pos && !a->rule[i].neg)
            continue;
        DP_TRY(add_to(r, "n", a->rule[i].pos, &rules->arena));
        DP_TRY(add_to(r, "neg", a->rule[i].neg, &rules->arena));
        n++;
    }
    *changed = n;
    return DP_OK;
}
