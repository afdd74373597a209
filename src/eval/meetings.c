/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/meetings.h"

#include <stdlib.h>

#include "base/order.h"

void dp_meetings_done(dp_meetings *f)
{
    free(f->form.v);
    free(f->changed.v);
    *f = (dp_meetings){0};
}

void dp_meetings_sort(dp_meetings *f)
{
    dp_members_sort(f->form.v, f->form.n);
    dp_members_sort(f->changed.v, f->changed.n);
}

/* Each rule where it fired; forms that rules alone make are nobody's. */
dp_err dp_meetings_along(dp_meetings *out, const dp_trail *trail, uint32_t rule)
{
    for (uint32_t i = 0; i < trail->n; i++) {
        if (trail->item[i] != DP_NO_URL && !dp_members_push(&out->form, (dp_member){trail->hash[i], 0, trail->item[i]}))
            return DP_ENOMEM;
    }
    for (size_t i = 0; i < trail->nstep + trail->nmeet; i++) {
        const dp_trail_step *s = &trail->step[i];
        if (rule != DP_EVERY_RULE && rule != s->rule)
            continue;
        if (!dp_members_push(&out->changed, (dp_member){trail->hash[s->to], s->rule, s->item}))
            return DP_ENOMEM;
        if (i < trail->nstep &&
            !dp_members_push(&out->changed, (dp_member){trail->hash[s->from], s->rule, DP_MOVED}))
            return DP_ENOMEM;
    }
    dp_meetings_sort(out);
    return DP_OK;
}

/* The URL whose form has hash `key`; `*n` is 0 when there is none. */
static const dp_member *find_still(const dp_members *form, uint64_t key, size_t *n)
{
    size_t i;
    DP_BISECT(i, form->n, form->v[i].key < key);
    *n = i < form->n && form->v[i].key == key;
    return form->v + i;
}

bool dp_meetings_next(const dp_meetings *f, size_t *at, dp_rule_group *g, uint32_t *rule)
{
    const dp_member *v = f->changed.v;
    for (size_t end; *at < f->changed.n; *at = end) {
        size_t come = *at;
        end = dp_group_end(v, f->changed.n, *at);
        while (come < end && v[come].item != DP_MOVED)
            come++;
        if (come == *at)
            continue;
        *g = (dp_rule_group){.changed = v + *at, .nchanged = come - *at};
        g->still = find_still(&f->form, v[*at].key, &g->nstill);
        if (come < end)
            g->nstill = 0; /* the rule moves that form */
        *rule = v[*at].tag;
        *at = end;
        return true;
    }
    return false;
}
