/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/company.h"

#include <stdlib.h>

#include "base/hash.h"
#include "learn/auto/thresholds.h"

enum {
    MOST_NAMES = DP_COMPANY_NAMES,
    MOST_DROPPED = 16, /* by one idea */
    MOST_GROUPS = 32,  /* names of files */
    MOST_PAIRS = 18,   /* of a query; others say nothing */
    MOST_FORMS = 4000  /* of a group that are looked at, evenly drawn */
};

/* A name in which forms of one path and one page differ. */
typedef struct fellow {
    dp_str   name;
    uint32_t pages, last; /* that differ in it; the last of them + 1 */
    uint32_t folds;
    uint64_t first;       /* hash of the first value that was forgotten */
    dp_str   value;       /* the same, "=1" */
    bool     several;     /* there are others */
    bool     bare;        /* it was there without a value */
} fellow;

/* Forms whose path ends alike. */
typedef struct group {
    dp_str   file;    /* the last component; n == 0: all forms of the site */
    fellow   v[MOST_NAMES];
    size_t   n;
} group;

/* A form as numbers: what it is without all names, and what each of them adds. */
typedef struct row {
    uint64_t base, part[MOST_NAMES];
    uint64_t place; /* the name of its file, and its depth */
    uint32_t label;
} row;

typedef struct keyed {
    uint64_t key;
    uint32_t label;
} keyed;

typedef struct company {
    dp_pairing     *p;
    const dp_forms *forms;
    group          *v; /* [n], the first is the whole site */
    size_t          n;
    dp_frame        one, other;
    row            *rows;
    keyed          *keys;
    size_t          nrows;
} company;

/* ---- which names differ --------------------------------------------------------------------- */

static dp_str file_of(const company *c, const dp_frame *f)
{
    dp_str last = dp_frame_seg(f, f->nseg - 1);
    return last.n && dp_lexicon_has(c->p->lexicon, last) ? last : (dp_str){last.p, 0};
}

static dp_str path_of(const dp_frame *f)
{
    return dp_frame_cut(f, 0, f->path_end);
}

static const dp_pair *find_pair(const dp_frame *f, dp_str name)
{
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(name, dp_pair_name(f, &f->pair[i])))
            return &f->pair[i];
    return NULL;
}

static group *group_of(company *c, dp_str file)
{
    for (size_t i = 1; i < c->n; i++)
        if (dp_str_eq(c->v[i].file, file))
            return &c->v[i];
    if (!file.n || c->n == MOST_GROUPS)
        return NULL;
    c->v[c->n] = (group){.file = file};
    return &c->v[c->n++];
}

static fellow *fellow_of(group *g, dp_str name)
{
    for (size_t i = 0; i < g->n; i++)
        if (dp_str_eq(g->v[i].name, name))
            return &g->v[i];
    if (g->n == MOST_DROPPED)
        return NULL;
    g->v[g->n] = (fellow){.name = name};
    return &g->v[g->n++];
}

/* A value that one form has and another of its page has not. */
static void note(group *g, dp_str name, dp_str tail, uint32_t cluster, uint32_t fold)
{
    fellow *f = g ? fellow_of(g, name) : NULL;
    if (!f)
        return;
    f->pages += f->last != cluster + 1;
    f->last = cluster + 1;
    f->folds |= 1u << fold;
    f->bare |= !tail.n;
    uint64_t hash = dp_hash_str(tail);
    if (!f->first) {
        f->first = hash;
        f->value = tail;
    }
    f->several |= hash != f->first;
}

/* What `f` has that `g` has not. */
static void note_side(company *c, const dp_frame *f, const dp_frame *g, uint32_t cluster)
{
    uint32_t fold = c->forms->site->fold[cluster];
    group   *of = group_of(c, file_of(c, f));
    for (uint32_t i = 0; i < f->npair; i++) {
        dp_str         name = dp_pair_name(f, &f->pair[i]), tail = dp_frame_cut(f, f->pair[i].eq, f->pair[i].end);
        const dp_pair *there = find_pair(g, name);
        if (there && dp_str_eq(tail, dp_frame_cut(g, there->eq, there->end)))
            continue;
        note(&c->v[0], name, tail, cluster, fold);
        note(of, name, tail, cluster, fold);
    }
}

/* Neighbours of a page in the order of their texts have one path, where several have. */
static dp_err note_page(company *c, uint32_t cluster)
{
    const dp_forms *f = c->forms;
    for (uint32_t k = f->first[cluster] + 1; k < f->first[cluster + 1]; k++) {
        dp_str a = f->text[f->member[k - 1]], b = f->text[f->member[k]];
        if (!dp_form_is_bounded(a) || !dp_form_is_bounded(b))
            continue;
        dp_frame_result got = dp_frame_read(&c->one, a), too = dp_frame_read(&c->other, b);
        if (got == DP_FRAME_NOMEM || too == DP_FRAME_NOMEM)
            return DP_ENOMEM;
        if (got != DP_FRAME_OK || too != DP_FRAME_OK || c->one.npair > MOST_PAIRS || c->other.npair > MOST_PAIRS ||
            !dp_str_eq(path_of(&c->one), path_of(&c->other)))
            continue;
        note_side(c, &c->one, &c->other, cluster);
        note_side(c, &c->other, &c->one, cluster);
    }
    return DP_OK;
}

/* ---- which of them are needless together ------------------------------------------------------ */

static void read_row(row *out, const group *g, const dp_frame *f, uint32_t label)
{
    *out = (row){.base = dp_hash_str(path_of(f)), .label = label};
    for (uint32_t i = 0; i < f->npair; i++) {
        uint64_t hash = dp_hash_mix(dp_hash_str(dp_frame_cut(f, f->pair[i].at, f->pair[i].end)));
        size_t   k = 0;
        while (k < g->n && !dp_str_eq(g->v[k].name, dp_pair_name(f, &f->pair[i])))
            k++;
        if (k < g->n)
            out->part[k] += hash;
        else
            out->base += hash;
    }
}

static dp_err read_rows(company *c, const group *g)
{
    const dp_forms *f = c->forms;
    size_t          step = f->n / MOST_FORMS + 1;
    c->nrows = 0;
    for (size_t i = 0; i < f->n; i += step) {
        if (f->label[i] == DP_NO_CLUSTER || !dp_form_is_bounded(f->text[i]))
            continue;
        dp_frame_result got = dp_frame_read(&c->one, f->text[i]);
        if (got == DP_FRAME_NOMEM)
            return DP_ENOMEM;
        if (got != DP_FRAME_OK || (g->file.n && !dp_str_eq(g->file, file_of(c, &c->one))))
            continue;
        read_row(&c->rows[c->nrows], g, &c->one, f->label[i]);
        c->rows[c->nrows++].place = dp_hash_fold(dp_hash_str(file_of(c, &c->one)), c->one.nseg);
    }
    return DP_OK;
}

static int by_key(const void *x, const void *y)
{
    const keyed *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->label < b->label ? -1 : a->label > b->label;
}

/* Forms of one page that become one without these names, and pages that do. */
typedef struct effect {
    uint32_t good, bad;
} effect;

static effect effect_of(company *c, uint32_t names)
{
    effect e = {0, 0};
    for (size_t i = 0; i < c->nrows; i++) {
        uint64_t key = c->rows[i].base;
        for (size_t k = 0; k < MOST_NAMES; k++)
            key += names >> k & 1 ? 0 : c->rows[i].part[k];
        c->keys[i] = (keyed){key, c->rows[i].label};
    }
    if (c->nrows)
        qsort(c->keys, c->nrows, sizeof *c->keys, by_key);
    for (size_t i = 1; i < c->nrows; i++)
        if (c->keys[i].key == c->keys[i - 1].key)
            *(c->keys[i].label == c->keys[i - 1].label ? &e.good : &e.bad) += 1;
    return e;
}

static int64_t worth(effect e)
{
    return (int64_t)e.good - DP_VOTE_AGAINST * (int64_t)e.bad;
}

static int by_place(const void *x, const void *y)
{
    const row *a = x, *b = y;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Names that every URL of a place has where one has it, with one value. */
static uint32_t find_constants(company *c, size_t n)
{
    uint32_t constant = UINT32_MAX;
    if (c->nrows)
        qsort(c->rows, c->nrows, sizeof *c->rows, by_place);
    for (size_t i = 1; i < c->nrows; i++)
        for (size_t k = 0; k < n && c->rows[i].place == c->rows[i - 1].place; k++)
            if (c->rows[i].part[k] != c->rows[i - 1].part[k])
                constant &= ~(1u << k);
    return constant;
}

/* Leave out, one after another, the name without which the others are worth most, as long as that is more; `all`
 * false: also what adds nothing. */
static uint32_t choose(company *c, const group *g, bool all)
{
    uint32_t names = (1u << g->n) - 1;
    names &= all ? ~find_constants(c, g->n) : UINT32_MAX;
    int64_t  now = worth(effect_of(c, names));
    for (bool more = true; more && names;) {
        uint32_t best = names;
        int64_t  most = now;
        for (size_t k = 0; k < g->n; k++) {
            if (!(names >> k & 1))
                continue;
            int64_t other = worth(effect_of(c, names & ~(1u << k)));
            if (other > most || (!all && other == most && best == names)) {
                most = other;
                best = names & ~(1u << k);
            }
        }
        more = best != names;
        names = best;
        now = most;
    }
    return all || now > 0 ? names : 0;
}

/* ---- the rules -------------------------------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
    return dp_str_cmp((*(const fellow *const *)x)->name, (*(const fellow *const *)y)->name);
}

/* "drop ?a,b" of those that have one value, or several; how many there are. */
static size_t put_names(dp_buf *out, const fellow *const *v, size_t n, bool several, dp_str value)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i]->several != several || (!several && !dp_str_eq(v[i]->value, value)))
            continue;
        dp_buf_c(out, k++ ? "," : "drop ?");
        dp_buf_str(out, v[i]->name);
    }
    return k;
}

/* What was only ever there with one value loses that one. */
static dp_str one_value(const fellow *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!v[i]->several && !v[i]->bare)
            return v[i]->value;
    return (dp_str){0};
}

static void put_place(dp_buf *out, dp_str file)
{
    if (!file.n)
        return;
    dp_buf_c(out, " on /{**}/");
    dp_buf_str(out, file);
}

static void propose(company *c, const group *g, uint32_t names)
{
    const fellow *v[MOST_NAMES];
    dp_pairing   *p = c->p;
    dp_idea       one = {.tier = DP_TIER_FORGET, .family = DP_FAMILY_PARAMS};
    size_t        n = 0;
    for (size_t k = 0; k < g->n; k++)
        if (names >> k & 1)
            v[n++] = &g->v[k];
    if (n < 2)
        return;
    qsort(v, n, sizeof *v, by_name);
    dp_str  value = one_value(v, n);
    dp_buf *out = &p->text;
    for (size_t i = 0; i < n; i++) {
        one.folds |= v[i]->folds;
        one.clusters = one.clusters > v[i]->pages ? one.clusters : v[i]->pages;
    }
    if (put_names(out, v, n, true, value))
        put_place(out, g->file);
    if (value.n) {
        out = out->n ? &p->other : out;
        put_names(out, v, n, false, value);
        dp_buf_c(out, " if ");
        dp_buf_str(out, value);
        put_place(out, g->file);
    }
    one.text[0] = dp_buf_view(&p->text);
    one.text[1] = dp_buf_view(&p->other);
    dp_idea *there = !one.text[0].n || p->text.failed || p->other.failed ? NULL : dp_ideas_add(p->out, &one, p->by);
    if (there) {
        there->folds |= one.folds;
        there->clusters = there->clusters > one.clusters ? there->clusters : one.clusters;
    }
    p->out->failed |= p->text.failed || p->other.failed;
    dp_buf_reset(&p->text);
    dp_buf_reset(&p->other);
}

static dp_err make_room(company *c)
{
    size_t most = c->forms->n < MOST_FORMS ? c->forms->n : MOST_FORMS;
    c->rows = malloc((most + 1) * sizeof *c->rows);
    c->keys = malloc((most + 1) * sizeof *c->keys);
    return c->rows && c->keys ? DP_OK : DP_ENOMEM;
}

static dp_err propose_all(company *c)
{
    DP_TRY(make_room(c));
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i].n < 2)
            continue;
        DP_TRY(read_rows(c, &c->v[i]));
        propose(c, &c->v[i], choose(c, &c->v[i], false));
    }
    return c->p->out->failed ? DP_ENOMEM : DP_OK;
}

static void done(company *c)
{
    dp_frame_done(&c->one);
    dp_frame_done(&c->other);
    free(c->v);
    free(c->rows);
    free(c->keys);
}

dp_err dp_company_propose(dp_pairing *p, const dp_forms *f, uint32_t folds)
{
    company c = {.p = p, .forms = f, .v = calloc(MOST_GROUPS, sizeof *c.v), .n = 1};
    dp_err  code = c.v ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; i < f->site->nclusters && code == DP_OK; i++)
        if (f->first[i + 1] - f->first[i] > 1 && folds >> f->site->fold[i] & 1 && !f->site->is_soft[i])
            code = note_page(&c, i);
    if (code == DP_OK)
        code = propose_all(&c);
    done(&c);
    return code;
}

dp_err dp_company_harmless(uint32_t *out, const dp_forms *f, const dp_lexicon *w, const dp_str *name, size_t n)
{
    dp_pairing p = {.lexicon = w};
    company c = {.p = &p, .forms = f, .v = calloc(1, sizeof *c.v), .n = 1};
    dp_err  code = c.v ? make_room(&c) : DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++)
        c.v->v[c.v->n++] = (fellow){.name = name[i]};
    if (code == DP_OK)
        code = read_rows(&c, c.v);
    *out = code == DP_OK ? choose(&c, c.v, true) : 0;
    done(&c);
    return code;
}
