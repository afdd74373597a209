/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/parts.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/auto/propose/path.h"
#include "learn/auto/thresholds.h"
#include "rule/ruleline.h"
#include "url/frame.h"

enum { MOST_NAMES = 16, MOST_HEARD = 32 /* forms of a group: each is compared with all */ };

/* The first values of a name that were forgotten. */
typedef struct values {
    uint64_t v[DP_PART_VALUES];
    size_t   n;
} values;

typedef struct asking {
    const dp_forms *forms;
    dp_rule         rule;
    dp_frame        frame;
    dp_str          name[MOST_NAMES]; /* [n] */
    values          of[MOST_NAMES];
    size_t          n;
    bool            failed;
} asking;

static void note(values *s, dp_str value)
{
    uint64_t hash = dp_hash_str(value);
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i] == hash)
            return;
    if (s->n < DP_PART_VALUES)
        s->v[s->n++] = hash;
}

/* Whether the rule's condition says which value a name has: nothing is claimed of others. */
static bool is_fixed(const dp_template *on, dp_str name)
{
    for (size_t i = 0; on && i < on->nquery; i++)
        if (dp_str_eq(on->query[i].name, name) && on->query[i].kind == DP_QUERY_VALUE)
            return true;
    return false;
}

static bool is_done(const asking *a)
{
    bool all = true;
    for (size_t i = 0; i < a->n; i++)
        all &= a->of[i].n == DP_PART_VALUES || is_fixed(a->rule.on, a->name[i]);
    return all;
}

/* The values that the forms of a group had which the idea changes. */
static void look(void *ctx, const dp_group_seen *g)
{
    asking *a = ctx;
    if (g->agree < 2 || is_done(a))
        return;
    for (size_t i = 0; i < g->changed; i++) {
        if (a->forms->label[g->form[i]] != g->label)
            continue;
        dp_frame_result got = dp_frame_read(&a->frame, a->forms->text[g->form[i]]);
        a->failed |= got == DP_FRAME_NOMEM;
        for (uint32_t k = 0; got == DP_FRAME_OK && k < a->frame.npair; k++)
            for (size_t m = 0; m < a->n; m++)
                if (dp_str_eq(a->name[m], dp_pair_name(&a->frame, &a->frame.pair[k])))
                    note(&a->of[m], dp_pair_value(&a->frame, &a->frame.pair[k]));
    }
}

/* The names of a rule that drops several, but for those that begin alike. */
static void take_names(asking *a)
{
    const dp_rule *r = &a->rule;
    bool several = r->kind == DP_RULE_DROP && !r->has_if && r->names.kind == '?' && r->names.n > 1 &&
                   r->names.n <= MOST_NAMES;
    for (size_t i = 0; several && i < r->names.n; i++)
        several = !r->names.v[i].prefix;
    for (size_t i = 0; several && i < r->names.n; i++)
        a->name[a->n++] = r->names.v[i].text;
}

/* The first of the names whose values are equal: they may be 1 by accident, all of them. */
static void take_equal(asking *a)
{
    if (a->rule.left && a->rule.left->nquery)
        a->name[a->n++] = a->rule.left->query[0].name;
}

/* ---- values of a component that is forgotten ---------------------------------------------- */

/* Groups in which a value was forgotten of a page, and those in which it stands for another page alone. */
typedef struct verdict {
    uint32_t good, bad;
} verdict;

typedef struct hearing {
    const dp_forms *forms;
    dp_frame        one, other;
    dp_ordinals     values;
    verdict        *v; /* [values.n] */
    uint32_t        cap;
    bool            failed;
} hearing;

/* The verdict on what `one` has where the two differ; NULL: memory is out. */
static verdict *verdict_on_difference(hearing *h)
{
    const dp_frame *f = &h->one;
    dp_path_cut     c = dp_path_cut_of(f, &h->other);
    uint32_t        end = f->nseg - c.end, number;
    dp_str          value = c.start < end ? dp_frame_cut(f, f->seg[c.start], f->seg[end] - 1) : (dp_str){0};
    bool            fresh;
    if (!DP_ROOM(h->v, h->values.n, h->cap) ||
        dp_ordinals_add(&h->values, dp_hash_str(value), &number, &fresh) != DP_OK)
        return NULL;
    if (fresh)
        h->v[number] = (verdict){0};
    return &h->v[number];
}

/* What each form of a group says of its value: it is one of several of its page, or alone among those of another. */
static void hear(void *ctx, const dp_group_seen *g)
{
    hearing *h = ctx;
    if (g->n > MOST_HEARD)
        return;
    for (size_t i = 0; i < g->n && !h->failed; i++) {
        size_t partner = g->n, stranger = g->n;
        for (size_t k = 0; k < g->n; k++) {
            if (k == i)
                continue;
            if (h->forms->label[g->form[k]] == h->forms->label[g->form[i]])
                partner = k;
            else
                stranger = k;
        }
        size_t with = partner < g->n ? partner : stranger;
        if (dp_frame_read(&h->one, h->forms->text[g->form[i]]) != DP_FRAME_OK ||
            dp_frame_read(&h->other, h->forms->text[g->form[with]]) != DP_FRAME_OK)
            continue;
        verdict *v = verdict_on_difference(h);
        h->failed = !v;
        if (v && partner < g->n)
            v->good++;
        else if (v)
            v->bad++;
    }
}

/* Whether no value that idea `i` forgets stands for pages of its own wherever it is seen. */
static int values_speak(dp_ballot *b, size_t i)
{
    hearing h = {.forms = b->forms};
    bool    all = true;
    dp_ballot_walk(b, i, hear, &h);
    for (uint32_t k = 0; k < h.values.n; k++)
        all &= h.v[k].good || h.v[k].bad < DP_VALUE_AGAINST;
    dp_frame_done(&h.one);
    dp_frame_done(&h.other);
    dp_ordinals_done(&h.values);
    free(h.v);
    return h.failed ? -1 : all;
}

int dp_parts_speak(dp_ballot *b, size_t i)
{
    asking   a = {.forms = b->forms};
    dp_arena room = {0};
    bool     all = true;
    if (b->idea[i].family == DP_FAMILY_FORGET)
        return values_speak(b, i);
    if (b->idea[i].family != DP_FAMILY_PARAMS && b->idea[i].family != DP_FAMILY_AGAIN)
        return true;
    dp_err code = dp_ruleline_parse(&a.rule, b->idea[i].text[0], &room);
    if (code == DP_OK && b->idea[i].family == DP_FAMILY_PARAMS)
        take_names(&a);
    else if (code == DP_OK)
        take_equal(&a);
    if (a.n) {
        dp_ballot_walk(b, i, look, &a);
        all = is_done(&a);
    }
    dp_frame_done(&a.frame);
    dp_arena_done(&room);
    return code == DP_ENOMEM || a.failed ? -1 : all;
}
