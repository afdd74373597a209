/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/strata.h"

#include <stdlib.h>

#include "base/room.h"
#include "eval/meetings.h"
#include "rule/rule.h"

enum { LONG_HEX = 8 /* digits from which on a hexadecimal number is an id, and no word */ };

void dp_strata_done(dp_strata *s)
{
    free(s->v);
    dp_intern_done(&s->number);
    dp_frame_done(&s->frame);
    dp_buf_done(&s->key);
    *s = (dp_strata){0};
}

/* ---- which stratum -------------------------------------------------------------------------------------------- */

/* A folder by its name, or by its class where every page may have its own. */
static dp_str section_of(dp_str folder)
{
    if (dp_class_fits(DP_CLASS_INT, folder))
        return DP_STR("{int}");
    if (dp_class_fits(DP_CLASS_UUID, folder))
        return DP_STR("{uuid}");
    if (dp_class_fits(DP_CLASS_DATE, folder))
        return DP_STR("{date}");
    return folder.n >= LONG_HEX && dp_class_fits(DP_CLASS_HEX, folder) ? DP_STR("{hex}") : folder;
}

static dp_stratum read_url(dp_frame *f, dp_resource kind)
{
    dp_stratum s = {.kind = kind, .has_query = f->npair > 0};
    for (uint32_t i = 0; i < f->nseg; i++)
        s.depth += dp_frame_seg(f, i).n > 0;
    if (f->nseg > 1)
        s.section = section_of(dp_frame_seg(f, 0));
    return s;
}

/* The stratum of a URL in stage-0 form, made when it is not there; NULL when memory is out. Valid until the next. */
static dp_stratum *find(dp_strata *s, dp_resource kind, dp_str url)
{
    uint32_t number;
    if (dp_frame_read(&s->frame, url) != DP_FRAME_OK)
        return NULL;
    dp_stratum new = read_url(&s->frame, kind);
    dp_buf_reset(&s->key);
    dp_buf_printf(&s->key, "%d %u %d %.*s", (int)kind, new.depth, new.has_query, DP_FMT(new.section));
    if (s->key.failed)
        return NULL;
    if (dp_intern_find(&s->number, dp_buf_view(&s->key), &number))
        return &s->v[number];
    number = (uint32_t)s->n;
    if (!DP_ROOM(s->v, s->n, s->cap) || !dp_intern_add(&s->number, dp_buf_view(&s->key), number))
        return NULL;
    dp_str kept = s->number.v[number].key; /* the section is its end */
    new.section = dp_str_cut(kept, kept.n - new.section.n, kept.n);
    s->v[s->n++] = new;
    return &s->v[number];
}

/* ---- votes ---------------------------------------------------------------------------------------------------- */

typedef struct counter {
    dp_strata          *out;
    const dp_strata_of *of;
    dp_engine          *plain; /* of no rules: stage 0 */
    dp_scratch         *scratch;
    dp_stamps           stamps; /* marked: clusters that share a group with another */
    bool               *own;    /* [URLs] the rule changes it; others are in a group where it meets another rule */
    uint32_t           *first;  /* [clusters] the first URL of it that the rule changes and that meets another */
} counter;

static dp_stratum *stratum_of(counter *c, uint32_t item)
{
    dp_str url = dp_truth_text(c->of->truth, item), form;
    form.p = dp_apply_view(c->plain, c->scratch, DP_STAGE0, url.p, url.n, &form.n);
    return form.p ? find(c->out, (dp_resource)c->of->kind[item], form) : NULL;
}

/* What a URL shows that no record need have. */
static dp_resource kind_of(const dp_strata_of *of, dp_str url)
{
    uint32_t item;
    size_t   end = 0;
    if (dp_truth_find(of->truth, url, &item))
        return (dp_resource)of->kind[item];
    while (end < url.n && url.p[end] != '?')
        end++;
    size_t from = end;
    while (from > 0 && url.p[from - 1] != '/')
        from--;
    return dp_resource_of((dp_str){NULL, 0}, dp_str_cut(url, from, end));
}

static dp_err mark_asked(counter *c)
{
    for (size_t i = 0; i < c->of->nasked; i++) {
        dp_str url = c->of->asked[i], form;
        form.p = dp_apply_view(c->plain, c->scratch, DP_STAGE0, url.p, url.n, &form.n);
        dp_stratum *s = form.p ? find(c->out, kind_of(c->of, url), form) : NULL;
        if (!s)
            return DP_ENOMEM;
        s->is_asked = true;
    }
    return DP_OK;
}

/* The clusters of some members: how many are new in this group, and a URL that is not of the cluster of `item`. */
static uint32_t look(counter *c, const dp_member *v, size_t n, uint32_t item, uint32_t *other)
{
    const uint32_t *cluster = c->of->truth->cluster;
    uint32_t        fresh = 0;
    for (size_t i = 0; i < n; i++) {
        fresh += dp_stamps_add(&c->stamps, cluster[v[i].item]);
        if (*other == DP_NO_ITEM && cluster[v[i].item] != cluster[item])
            *other = v[i].item;
    }
    return fresh;
}

static void keep_pair(dp_wrong *list, uint32_t *n, dp_wrong new)
{
    if (*n < DP_SAMPLES)
        list[(*n)++] = new;
}

/* A URL of a group that the rule changes. */
static uint32_t own_item(const counter *c, const dp_rule_group *g)
{
    size_t i = 0;
    while (i + 1 < g->nchanged && !c->own[g->changed[i].item])
        i++;
    return g->changed[i].item;
}

/* What another rule has brought votes where this one acts. */
static dp_err add_group(counter *c, const dp_rule_group *g)
{
    const uint32_t *cluster = c->of->truth->cluster;
    uint32_t        item = own_item(c, g), other = DP_NO_ITEM;
    if (g->nchanged + g->nstill < 2)
        return DP_OK;
    dp_stamps_next(&c->stamps);
    uint32_t clusters = look(c, g->still, g->nstill, item, &other);
    clusters += look(c, g->changed, g->nchanged, item, &other);
    for (size_t i = 0; i < g->nchanged; i++) {
        uint32_t  here = c->own[g->changed[i].item] ? g->changed[i].item : item;
        uint32_t *first = &c->first[cluster[g->changed[i].item]];
        *first = here < *first ? here : *first;
    }
    for (size_t i = 0; clusters > 1 && i < g->nchanged + g->nstill; i++)
        c->stamps.marked[cluster[(i < g->nchanged ? &g->changed[i] : &g->still[i - g->nchanged])->item]] = 1;
    dp_stratum *s = stratum_of(c, item);
    if (!s)
        return DP_ENOMEM;
    if (clusters > 1)
        keep_pair(s->wrong, &s->nwrong, (dp_wrong){item, other});
    else if (g->nstill)
        keep_pair(s->good, &s->ngood, (dp_wrong){item, g->still->item});
    else
        keep_pair(s->good, &s->ngood, (dp_wrong){item, g->changed[g->changed->item == item].item});
    return DP_OK;
}

static dp_err count_reach(counter *c, uint32_t rule)
{
    const dp_trail *trail = c->of->trail;
    for (size_t i = 0; i < trail->nstep; i++) {
        if (trail->step[i].rule != rule)
            continue;
        dp_stratum *s = stratum_of(c, trail->step[i].item);
        if (!s)
            return DP_ENOMEM;
        s->urls++;
        c->own[trail->step[i].item] = true;
    }
    return DP_OK;
}

static dp_err count_votes(counter *c, uint32_t rule)
{
    dp_meetings   met = {0};
    dp_rule_group g;
    uint32_t      n = c->of->truth->clusters.n, which;
    dp_err        code = dp_meetings_along(&met, c->of->trail, rule);
    for (size_t at = 0; code == DP_OK && dp_meetings_next(&met, &at, &g, &which);)
        code = add_group(c, &g);
    for (uint32_t k = 0; code == DP_OK && k < n; k++) {
        if (c->first[k] == DP_NO_ITEM)
            continue;
        dp_stratum *s = stratum_of(c, c->first[k]);
        if (!s)
            code = DP_ENOMEM;
        else
            *(c->stamps.marked[k] ? &s->neg : &s->pos) += 1;
    }
    dp_meetings_done(&met);
    return code;
}

static int most_first(const void *a, const void *b)
{
    const dp_stratum *x = a, *y = b;
    uint64_t          xv = x->pos + x->neg, yv = y->pos + y->neg;
    if (xv != yv)
        return (xv < yv) - (xv > yv);
    if (x->urls != y->urls)
        return (x->urls < y->urls) - (x->urls > y->urls);
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    int order = dp_str_cmp(x->section, y->section);
    return order ? order : (int)x->has_query - (int)y->has_query;
}

dp_err dp_strata_count(dp_strata *out, const dp_strata_of *of, uint32_t rule)
{
    counter   c = {.out = out, .of = of};
    dp_rules *none = NULL;
    uint32_t  n = of->truth->clusters.n;
    dp_err    code = dp_rules_new(&none);
    if (code == DP_OK)
        code = dp_engine_new(&c.plain, none, 0, 0, NULL);
    if (code == DP_OK)
        code = dp_scratch_new(&c.scratch);
    if (code == DP_OK)
        code = dp_stamps_init(&c.stamps, n);
    c.own = calloc(of->truth->n + 1u, sizeof *c.own);
    c.first = malloc((n + 1u) * sizeof *c.first);
    if (code == DP_OK && (!c.first || !c.own))
        code = DP_ENOMEM;
    if (code == DP_OK) {
        memset(c.first, 0xFF, n * sizeof *c.first); /* DP_NO_ITEM */
        code = count_reach(&c, rule);
    }
    if (code == DP_OK)
        code = count_votes(&c, rule);
    if (code == DP_OK)
        code = mark_asked(&c);
    if (code == DP_OK && out->n)
        qsort(out->v, out->n, sizeof *out->v, most_first);
    free(c.first);
    free(c.own);
    dp_stamps_done(&c.stamps);
    dp_scratch_free(c.scratch);
    dp_engine_free(c.plain);
    dp_rules_free(none);
    return code;
}

void dp_stratum_say(dp_buf *out, const dp_stratum *s)
{
    dp_buf_c(out, dp_resource_names(s->kind));
    if (s->section.n)
        dp_buf_printf(out, " under /%.*s/", DP_FMT(s->section));
    dp_buf_printf(out, ", depth %u%s", s->depth, s->has_query ? ", with parameters" : "");
}
