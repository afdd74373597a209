/* SPDX-License-Identifier: Apache-2.0 */
#include "output/report/ways.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "url/split.h"

enum { MOST_WAYS = 64 /* of a URL */ };

void dp_ways_done(dp_ways *w)
{
    free(w->item);
    free(w->root);
    free(w->way);
    free(w->step);
    dp_ordinals_done(&w->keys);
    dp_intern_done(&w->sections);
    *w = (dp_ways){0};
}

/* "/shop/" of http://a.com/shop/x?y, "/" of http://a.com/x */
static dp_str section_of(dp_str url)
{
    dp_split parts;
    if (!dp_split_url(&parts, url) || parts.path.n == 0)
        return DP_STR("/");
    const char *slash = memchr(parts.path.p + 1, '/', parts.path.n - 1);
    return dp_str_cut(parts.path, 0, slash ? (size_t)(slash + 1 - parts.path.p) : 1);
}

/* The number of the folder in which a URL lies. */
static dp_err find_section(dp_ways *w, dp_str url, uint32_t *number)
{
    dp_str name = section_of(url);
    if (dp_intern_find(&w->sections, name, number))
        return DP_OK;
    *number = (uint32_t)w->sections.n;
    return dp_intern_add(&w->sections, name, *number) ? DP_OK : DP_ENOMEM;
}

dp_err dp_firings_begin(dp_firings *f, dp_ways *w, dp_str stage0)
{
    f->w = w;
    f->n = 0;
    return f->code = stage0.p ? find_section(w, stage0, &f->section) : DP_ENOMEM;
}

bool dp_firings_note(void *ctx, uint32_t rule, dp_str text)
{
    dp_firings *f = ctx;
    uint32_t    i = 0;
    while (i < f->n && f->v[i].rule != rule)
        i++;
    if (i == f->n && i < DP_MAX_FIRINGS) {
        f->v[i].rule = rule;
        f->v[i].section = f->section;
        f->n++;
    }
    f->code = find_section(f->w, text, &f->section);
    return f->code == DP_OK;
}

/* ---- the ways of one URL ------------------------------------------------------------------------------ */

typedef struct walk {
    dp_ways         *w;
    const dp_engine *engine;
    dp_scratch      *scratch;
    dp_str           url;
    uint32_t         stage0;               /* the section of the URL before any rule */
    uint32_t         off[DP_MAX_FIRINGS];  /* rules left out */
    uint32_t         noff;
    uint32_t         stay[DP_MAX_FIRINGS]; /* rules that the reader has left on, on this branch */
    uint32_t         nstay;
    uint32_t         first; /* way of this URL */
    dp_firings       fired;
} walk;

/* Whether the branch has answered for the rule: the reader has left it on. */
static bool stays(const walk *k, uint32_t rule)
{
    for (uint32_t i = 0; i < k->nstay; i++) {
        if (k->stay[i] == rule)
            return true;
    }
    return false;
}

/* Append the way without the rules in k->off, and all that branch off from it; its number into *out. */
static dp_err add_way(walk *k, uint32_t *out)
{
    dp_ways *w = k->w;
    bool     fresh;
    *out = w->nway;
    k->fired.n = 0;
    k->fired.section = k->stage0;
    dp_str key = dp_engine_without(k->engine, k->scratch, k->url, k->off, k->noff, dp_firings_note, &k->fired);
    DP_TRY(k->fired.code);
    if (!key.p || !DP_ROOM(w->way, w->nway, w->way_cap))
        return DP_ENOMEM;
    dp_way way = {.first = w->nstep};
    DP_TRY(dp_ordinals_add(&w->keys, dp_hash_str(key), &way.key, &fresh));
    for (uint32_t i = 0; i < k->fired.n; i++) {
        if (stays(k, k->fired.v[i].rule))
            continue;
        if (!DP_ROOM(w->step, w->nstep, w->step_cap))
            return DP_ENOMEM;
        w->step[w->nstep++] = (dp_way_step){k->fired.v[i].rule, k->fired.v[i].section, DP_NO_WAY};
        way.n++;
    }
    w->way[w->nway++] = way;
    uint32_t nstay = k->nstay;
    for (uint32_t i = way.first; i < way.first + way.n; i++) {
        if (w->nway - k->first >= MOST_WAYS || k->noff == DP_MAX_FIRINGS || k->nstay == DP_MAX_FIRINGS) {
            w->unknown++;
            continue;
        }
        uint32_t next;
        k->off[k->noff++] = w->step[i].rule;
        DP_TRY(add_way(k, &next));
        k->noff--;
        w->step[i].without = next;
        k->stay[k->nstay++] = w->step[i].rule;
    }
    k->nstay = nstay;
    return DP_OK;
}

dp_err dp_ways_add(dp_ways *w, const dp_engine *e, dp_scratch *s, dp_str url, uint32_t *root)
{
    walk k = {.w = w, .engine = e, .scratch = s, .url = url, .first = w->nway};
    DP_TRY(dp_firings_begin(&k.fired, w, dp_engine_run(e, s, DP_STAGE0, url, NULL, NULL)));
    k.stage0 = k.fired.section;
    return add_way(&k, root);
}

/* ---- the sample ---------------------------------------------------------------------------------------- */

static uint32_t group_of(uint32_t *up, uint32_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static void join(uint32_t *up, uint32_t a, uint32_t b)
{
    a = group_of(up, a);
    b = group_of(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

typedef struct group {
    uint64_t hash;  /* of its first URL: groups are taken in this order */
    uint32_t first, n;
    bool     wrong; /* different pages share a key; these come first */
} group;

static int by_hash(const void *a, const void *b)
{
    const group *x = a, *y = b;
    if (x->wrong != y->wrong)
        return x->wrong ? -1 : 1;
    if (x->hash != y->hash)
        return (x->hash > y->hash) - (x->hash < y->hash);
    return (x->first > y->first) - (x->first < y->first);
}

/* Join URLs of one page, and those of one key: up[] over the items. wrong[i]: it has the key of another page. */
static dp_err join_all(const dp_report *r, uint32_t *up, bool *wrong)
{
    dp_ordinals keys = {0}, pages = {0};
    uint32_t   *first = malloc((2 * (size_t)r->nitem + 1) * sizeof *first), number;
    dp_err      code = first ? DP_OK : DP_ENOMEM;
    bool        fresh;
    for (uint32_t i = 0; i < r->nitem && code == DP_OK; i++) {
        code = dp_ordinals_add(&keys, r->key[r->item[i]], &number, &fresh);
        if (code == DP_OK && fresh)
            first[number] = i;
        else if (code == DP_OK) {
            join(up, first[number], i);
            wrong[i] = r->labelled && r->truth.cluster[r->item[i]] != r->truth.cluster[r->item[first[number]]];
        }
        if (code == DP_OK && r->labelled) {
            code = dp_ordinals_add(&pages, dp_hash_mix(r->truth.cluster[r->item[i]] + 1ull), &number, &fresh);
            if (code == DP_OK && fresh)
                first[r->nitem + number] = i;
            else if (code == DP_OK)
                join(up, first[r->nitem + number], i);
        }
    }
    dp_ordinals_done(&keys);
    dp_ordinals_done(&pages);
    free(first);
    return code;
}

/* Mark the items of whole groups, at most `most` of them: chosen[], which says at first which have the key of another
 * page. */
static dp_err choose(dp_ways *w, const dp_report *r, uint32_t *up, uint32_t most, bool *chosen, uint32_t *n)
{
    group   *g = calloc((size_t)r->nitem + 1, sizeof *g);
    uint32_t ngroup = 0, taken = 0;
    if (!g)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < r->nitem; i++) {
        uint32_t of = group_of(up, i);
        if (of == i)
            g[i] = (group){dp_hash_str(dp_truth_text(&r->truth, r->item[i])), i, 0, false};
        g[of].n++;
        g[of].wrong |= chosen[i];
        chosen[i] = false;
    }
    for (uint32_t i = 0; i < r->nitem; i++) {
        if (g[i].n)
            g[ngroup++] = g[i];
    }
    qsort(g, ngroup, sizeof *g, by_hash);
    for (uint32_t i = 0; i < ngroup; i++) {
        uint32_t room = most - taken;
        if (g[i].wrong && r->nitem > most)
            room = room > most / 2 ? room - most / 2 : 0;
        if (g[i].n <= room) {
            chosen[g[i].first] = true;
            taken += g[i].n;
        } else if (g[i].wrong) {
            w->left_out += g[i].n;
        }
    }
    for (uint32_t i = 0; i < r->nitem; i++)
        chosen[i] = chosen[group_of(up, i)];
    *n = taken;
    free(g);
    return DP_OK;
}

dp_err dp_ways_find(dp_ways *w, const dp_report *r, uint32_t most)
{
    dp_scratch *s = NULL;
    uint32_t   *up = malloc(((size_t)r->nitem + 1) * sizeof *up), n = 0;
    bool       *chosen = calloc((size_t)r->nitem + 1, sizeof *chosen);
    dp_err      code = up && chosen ? dp_scratch_new(&s) : DP_ENOMEM;
    for (uint32_t i = 0; i < r->nitem && code == DP_OK; i++)
        up[i] = i;
    if (code == DP_OK)
        code = join_all(r, up, chosen);
    if (code == DP_OK)
        code = choose(w, r, up, most, chosen, &n);
    w->item = calloc((size_t)n + 1, sizeof *w->item);
    w->root = calloc((size_t)n + 1, sizeof *w->root);
    if (code == DP_OK && !(w->item && w->root))
        code = DP_ENOMEM;
    for (uint32_t i = 0; i < r->nitem && code == DP_OK; i++) {
        if (!chosen[i])
            continue;
        w->item[w->nitem] = r->item[i];
        code = dp_ways_add(w, r->engine, s, dp_truth_text(&r->truth, r->item[i]), &w->root[w->nitem++]);
    }
    dp_scratch_free(s);
    free(up);
    free(chosen);
    return code;
}
