/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/sink.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/keyed.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/auto/propose/sinkline.h"
#include "learn/auto/thresholds.h"

enum {
    MOST_PARTS = 40,    /* of a form that are looked at */
    MOST_SUSPECTS = 200 /* pages and kinds of URLs */
};

/* ---- parts of a form ---------------------------------------------------------------------- */

/* Hashes of what a form has; the first is its kind: host and depth. All others hold it. */
typedef struct parts {
    uint64_t v[MOST_PARTS];
    size_t   n;
} parts;

static void add_part(parts *p, uint64_t what, dp_str text)
{
    if (p->n < MOST_PARTS)
        p->v[p->n++] = dp_hash_fold(dp_hash_fold(p->v[0], what), dp_hash_str(text));
}

static uint64_t kind_of(const dp_frame *f)
{
    return dp_hash_fold(dp_hash_str(dp_frame_cut(f, 0, f->path)), f->nseg);
}

static void find_parts(parts *p, const dp_frame *f)
{
    p->v[0] = kind_of(f);
    p->n = 1;
    for (uint32_t i = 0; i < f->nseg; i++)
        add_part(p, i, dp_frame_seg(f, i));
    for (uint32_t i = 0; i < f->npair; i++) {
        add_part(p, UINT64_MAX, dp_pair_name(f, &f->pair[i]));
        add_part(p, UINT64_MAX - 1, dp_frame_cut(f, f->pair[i].at, f->pair[i].end));
    }
}

/* ---- the hunt ----------------------------------------------------------------------------- */

/* URLs of one kind that show one page. */
typedef struct suspect {
    uint32_t cluster, kind; /* kind: number of the part */
    uint32_t urls;
} suspect;

typedef struct hunt {
    const dp_forms *forms;
    uint32_t        least;
    dp_ideas       *out;
    dp_frame        frame;
    dp_ordinals     part;    /* that `least` URLs of some page have */
    suspect        *v;       /* [n] */
    size_t          n, cap;
    uint32_t       *has;     /* parts of form i: has[at[i]] to has[at[i + 1] - 1] */
    size_t          nhas, has_cap, *at; /* [forms->n + 1] */
    uint32_t       *who;     /* forms with part k: who[from[k]] to who[from[k + 1] - 1] */
    size_t         *from;    /* [part.n + 1] */
    uint32_t       *in, *out_of; /* [part.n] forms of the page at hand that have it, of others; 0 in between */
    bool           *taken;   /* [forms->n] some sink has it */
    uint32_t       *left;    /* [nleft] forms that have all parts so far */
    size_t          nleft;
} hunt;

/* Read a form; *ok is false when it has no say here. */
static dp_err read_form(hunt *h, uint32_t form, bool *ok)
{
    dp_str text = h->forms->text[form];
    *ok = false;
    if (!dp_form_is_bounded(text))
        return DP_OK;
    dp_frame_result got = dp_frame_read(&h->frame, text);
    *ok = got == DP_FRAME_OK;
    return got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
}

static bool is_large(const hunt *h, uint32_t cluster)
{
    const dp_forms *f = h->forms;
    return f->first[cluster + 1] - f->first[cluster] >= h->least && !f->site->is_soft[cluster];
}

/* The parts that many forms of a large page have. */
static dp_err ask_cluster(hunt *h, uint32_t cluster)
{
    const dp_forms *f = h->forms;
    size_t          m = f->first[cluster + 1] - f->first[cluster], n = 0;
    dp_keyed       *v = malloc(2 * m * MOST_PARTS * sizeof *v);
    dp_err          code = v ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < m && code == DP_OK; i++) {
        bool  ok;
        parts p;
        code = read_form(h, f->member[f->first[cluster] + i], &ok);
        if (code != DP_OK || !ok)
            continue;
        find_parts(&p, &h->frame);
        for (size_t k = 0; k < p.n; k++)
            v[n++] = (dp_keyed){p.v[k], k == 0};
    }
    if (code == DP_OK && n)
        dp_keyed_group(v, v + m * MOST_PARTS, n);
    for (size_t i = 0, end; i < n && code == DP_OK; i = end) {
        uint32_t number;
        bool     fresh;
        end = dp_keyed_end(v, n, i);
        if (end - i < h->least)
            continue;
        code = dp_ordinals_add(&h->part, v[i].key, &number, &fresh);
        if (code == DP_OK && v[i].item)
            code = DP_ROOM(h->v, h->n, h->cap) ? DP_OK : DP_ENOMEM;
        if (code == DP_OK && v[i].item)
            h->v[h->n++] = (suspect){cluster, number, (uint32_t)(end - i)};
    }
    free(v);
    return code;
}

/* Note which of the parts all forms have that say what they show. */
static dp_err ask_forms(hunt *h)
{
    const dp_forms *f = h->forms;
    for (uint32_t i = 0; i < f->n; i++) {
        bool     ok = false;
        parts    p;
        uint32_t number;
        h->at[i] = h->nhas;
        if (f->label[i] != DP_NO_CLUSTER)
            DP_TRY(read_form(h, i, &ok));
        if (!ok || !dp_ordinals_find(&h->part, kind_of(&h->frame), &number))
            continue;
        find_parts(&p, &h->frame);
        if (!DP_ROOM_FOR(h->has, h->nhas + p.n, h->has_cap))
            return DP_ENOMEM;
        for (size_t k = 0; k < p.n; k++)
            if (dp_ordinals_find(&h->part, p.v[k], &number))
                h->has[h->nhas++] = number;
    }
    h->at[f->n] = h->nhas;
    return DP_OK;
}

/* The same by part. */
static void turn_round(hunt *h)
{
    for (size_t k = 0; k < h->nhas; k++)
        h->from[h->has[k] + 1]++;
    for (size_t k = 0; k < h->part.n; k++)
        h->from[k + 1] += h->from[k];
    for (uint32_t i = 0; i < h->forms->n; i++)
        for (size_t k = h->at[i]; k < h->at[i + 1]; k++)
            h->who[h->from[h->has[k]]++] = i;
    for (size_t k = h->part.n; k > 0; k--)
        h->from[k] = h->from[k - 1];
    h->from[0] = 0;
}

static dp_err make_index(hunt *h)
{
    h->at = malloc((h->forms->n + 1) * sizeof *h->at);
    if (!h->at)
        return DP_ENOMEM;
    DP_TRY(ask_forms(h));
    h->who = malloc((h->nhas + 1) * sizeof *h->who);
    h->from = calloc(h->part.n + 2u, sizeof *h->from);
    h->in = calloc(h->part.n + 1u, sizeof *h->in);
    h->out_of = calloc(h->part.n + 1u, sizeof *h->out_of);
    h->taken = calloc(h->forms->n + 1, sizeof *h->taken);
    h->left = malloc((h->forms->n + 1) * sizeof *h->left);
    if (!h->who || !h->from || !h->in || !h->out_of || !h->taken || !h->left)
        return DP_ENOMEM;
    turn_round(h);
    return DP_OK;
}

/* ---- one form ----------------------------------------------------------------------------- */

/* Whether a form is of the page, and of no sink yet. */
static bool is_open(const hunt *h, const suspect *s, uint32_t form)
{
    return h->forms->label[form] == s->cluster && !h->taken[form];
}

/* Count the parts of what is left, for the page and for others. */
static void count_parts(hunt *h, const suspect *s, int add)
{
    for (size_t i = 0; i < h->nleft; i++) {
        uint32_t  form = h->left[i];
        uint32_t *count = is_open(h, s, form) ? h->in : h->out_of;
        if (h->forms->label[form] == s->cluster && h->taken[form])
            continue;
        for (size_t k = h->at[form]; k < h->at[form + 1]; k++)
            count[h->has[k]] += (uint32_t)add;
    }
}

/* The part that leaves most URLs of the page for each of others; UINT32_MAX: none does. */
static uint32_t best_part(hunt *h, const suspect *s)
{
    uint32_t best = UINT32_MAX;
    count_parts(h, s, 1);
    for (size_t i = 0; i < h->nleft; i++) {
        uint32_t form = h->left[i];
        for (size_t k = h->at[form]; is_open(h, s, form) && k < h->at[form + 1]; k++) {
            uint32_t x = h->has[k];
            if (h->in[x] < h->least || x == best)
                continue;
            uint64_t a = (uint64_t)h->in[x] * (best == UINT32_MAX ? 0 : h->out_of[best] + 1u);
            uint64_t b = best == UINT32_MAX ? 0 : (uint64_t)h->in[best] * (h->out_of[x] + 1u);
            if (best == UINT32_MAX || a > b || (a == b && x < best))
                best = x;
        }
    }
    count_parts(h, s, -1);
    return best;
}

/* Leave the forms that have a part, and say how many are of the page. */
static uint32_t keep_those_with(hunt *h, const suspect *s, uint32_t part, uint32_t *others)
{
    size_t   n = 0;
    uint32_t in = 0;
    *others = 0;
    for (size_t i = 0; i < h->nleft; i++) {
        uint32_t form = h->left[i];
        bool     has = false;
        for (size_t k = h->at[form]; k < h->at[form + 1] && !has; k++)
            has = h->has[k] == part;
        if (!has)
            continue;
        in += is_open(h, s, form);
        *others += h->forms->label[form] != s->cluster;
        h->left[n++] = form;
    }
    h->nleft = n;
    return in;
}

/* Find a form that shows this page alone; its URLs are what is left. */
static bool find_form(hunt *h, const suspect *s, uint32_t *steps)
{
    uint32_t others, in;
    h->nleft = h->from[s->kind + 1] - h->from[s->kind];
    memcpy(h->left, h->who + h->from[s->kind], h->nleft * sizeof *h->left);
    in = keep_those_with(h, s, s->kind, &others);
    for (*steps = 0; others && *steps < DP_SINK_STEPS && in >= h->least; ++*steps) {
        uint32_t part = best_part(h, s), before = others;
        if (part == UINT32_MAX)
            return false;
        in = keep_those_with(h, s, part, &others);
        if (others == before)
            return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < h->nleft; i++)
        if (is_open(h, s, h->left[i]))
            h->left[n++] = h->left[i];
    h->nleft = n;
    return !others && in >= h->least;
}

/* All sinks of a page among its URLs of one kind. */
static dp_err look_at(hunt *h, const suspect *s)
{
    uint32_t steps;
    while (find_form(h, s, &steps)) {
        dp_sink_form form = {.forms = h->forms, .form = h->left, .n = h->nleft, .least = h->least,
                             .depth = steps > 1 ? steps - 1 : 0, .cluster = s->cluster};
        DP_TRY(dp_sink_print(h->out, &form, &h->frame));
        for (size_t i = 0; i < h->nleft; i++)
            h->taken[h->left[i]] = true;
    }
    return DP_OK;
}

static int by_urls(const void *x, const void *y)
{
    const suspect *a = x, *b = y;
    if (a->urls != b->urls)
        return a->urls > b->urls ? -1 : 1;
    return a->cluster != b->cluster ? (a->cluster < b->cluster ? -1 : 1) : (a->kind > b->kind) - (a->kind < b->kind);
}

static void done(hunt *h)
{
    dp_frame_done(&h->frame);
    dp_ordinals_done(&h->part);
    free(h->v);
    free(h->has);
    free(h->at);
    free(h->who);
    free(h->from);
    free(h->in);
    free(h->out_of);
    free(h->taken);
    free(h->left);
}

dp_err dp_sinks_propose(dp_ideas *out, const dp_forms *f, uint32_t least)
{
    hunt   h = {.forms = f, .least = least, .out = out};
    dp_err code = DP_OK;
    for (uint32_t c = 0; c < f->site->nclusters && code == DP_OK; c++)
        if (is_large(&h, c))
            code = ask_cluster(&h, c);
    if (code == DP_OK && h.n) {
        qsort(h.v, h.n, sizeof *h.v, by_urls);
        code = make_index(&h);
    }
    for (size_t i = 0; i < h.n && i < MOST_SUSPECTS && code == DP_OK; i++)
        code = look_at(&h, &h.v[i]);
    done(&h);
    return code;
}
