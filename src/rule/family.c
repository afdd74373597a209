/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/family.h"

void dp_family_add(dp_family *f, const dp_rule *r)
{
    double n = dp_rule_number(r, "n", 0), p = dp_rule_number(r, "p", -1);
    if (f->rules++ == 0)
        f->first = r;
    f->hosts += r->block->nscope;
    f->in_state[dp_rule_state(r)]++;
    f->n += n;
    f->neg += dp_rule_number(r, "neg", 0);
    if (p < 0)
        return;
    f->p_min = f->p_count == 0 || p < f->p_min ? p : f->p_min;
    f->p_sum += p;
    f->p_count++;
    if (dp_rule_state(r) != DP_OFF)
        f->risk += dp_rule_number(r, "save", n) * (1 - p);
}
