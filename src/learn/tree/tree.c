/* The learner of CIKM 2009 and WSDM 2010: its options, and the way from a site to proposals.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/tree/tree.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "learn/tree/rounds.h"

enum { MANY_PAIRS = 1 << 16 /* of a host: choices of folds one after the other, as their classes take memory */ };

static const char *const as_names[] = {"wsdm10", "cikm09", NULL};

#define DP_TREE_ROW(field) offsetof(dp_tree_options, field)

static const dp_option_row rows[] = {
    {"targets", "N", "target URLs per page (k in the papers); default 1", DP_OPTION_UINT32, DP_TREE_ROW(targets), 1,
     1000, NULL, false},
    {"wild", "N", "a part of a URL with more than N values matches any value; default 10", DP_OPTION_UINT32,
     DP_TREE_ROW(wild), 1, 1000, NULL, false},
    {"coverage", "N", "URLs that a rule must match; default 10", DP_OPTION_UINT32, DP_TREE_ROW(coverage), 1, 1e9, NULL,
     false},
    {"majority", "P", "match any value unless one has this share; default 0: use --wild", DP_OPTION_DOUBLE,
     DP_TREE_ROW(majority), 0, 1, NULL, true},
    {"unlike", "P", "share of alike changes that may have values of other patterns; default .05", DP_OPTION_DOUBLE,
     DP_TREE_ROW(unlike), 0, .5, NULL, true},
    {"as", "PAPER", "wsdm10, the default, or cikm09: no conversions, count from the start only", DP_OPTION_CHOICE,
     DP_TREE_ROW(as), 0, 1, as_names, true},
    {"no-deep", NULL, "do not split values into deep tokens", DP_OPTION_BOOL, DP_TREE_ROW(no_deep), 0, 1, NULL, true},
    {"no-conversions", NULL, "compare values without conversions", DP_OPTION_BOOL, DP_TREE_ROW(no_conversions), 0, 1,
     NULL, true},
    {"forward-only", NULL, "count keys from the start of the URL only", DP_OPTION_BOOL, DP_TREE_ROW(forward_only), 0,
     1, NULL, true},
    {"all-sources", NULL, "use every URL of pages with many URLs as a source", DP_OPTION_BOOL,
     DP_TREE_ROW(all_sources), 0, 1, NULL, true},
    {"unpruned", NULL, "keep also rules that others make superfluous, as the papers do", DP_OPTION_BOOL,
     DP_TREE_ROW(unpruned), 0, 1, NULL, true},
};

static const dp_tree_options defaults = DP_TREE_OPTIONS_INIT;

/* ---- one host -------------------------------------------------------------------------------------------- */

/* A site is learned from several choices of folds at once: hosts, pairs, keys and what rules do are the same. */
typedef struct job {
    const dp_site          *s;
    dp_tree_options         o;
    const dp_learn_context *ctx;
    const uint32_t         *folds; /* [runs] */
    size_t                  runs;
    dp_tree_picks           picks; /* of all these folds */
    dp_tree_court           court;
    uint32_t               *local; /* [urls] number in its host, + 1; 0: none */
    dp_tree_trial          *trial; /* [hosts][runs] */
    dp_arena               *arena; /* [hosts] texts of candidates */
    dp_pool                *inner; /* for the work of one host */
    pthread_mutex_t         lock;  /* of ctx->effects */
} job;

/* Pairs of a host as numbers of its URLs. */
typedef struct pairs {
    dp_tree_change *v; /* [n] */
    size_t          n;
} pairs;

/* Put the URLs of the host's pairs into `h`, and the pairs as numbers of them. */
static dp_err read_pairs(const job *j, dp_tree_host *h, uint32_t host, pairs *out)
{
    const dp_tree_picks *p = &j->picks;
    const dp_site       *s = j->s;
    for (size_t i = p->pair_at[host]; i < p->pair_at[host + 1]; i++) {
        uint32_t side[2] = {p->pair[i].u, p->pair[i].v}, number[2];
        for (int k = 0; k < 2; k++) {
            bool foreign = p->host_of[side[k]] != host;
            if (!foreign && j->local[side[k]]) {
                number[k] = j->local[side[k]] - 1;
                continue;
            }
            DP_TRY(dp_tree_host_add(h, side[k], foreign, &number[k]));
            if (!foreign)
                j->local[side[k]] = number[k] + 1; /* UINT32_MAX, too long, becomes 0: tried again, in vain */
        }
        if (number[0] == UINT32_MAX || number[1] == UINT32_MAX)
            continue;
        out->v[out->n++] = (dp_tree_change){.u = number[0], .v = number[1],
                                            .fold = s->fold ? s->fold[s->cluster[side[0]]] : 0};
    }
    return DP_OK;
}

/* Learn the host from the pairs of each of `n` choices of folds. */
static dp_err learn_folds(const job *j, dp_tree_host *h, const pairs *all, dp_tree_trial *t, size_t n)
{
    dp_tree_classes  *c = calloc(n, sizeof *c);
    dp_tree_contexts *x = calloc(n, sizeof *x);
    dp_err            code = c && x ? DP_OK : DP_ENOMEM;
    for (size_t k = 0; k < n && code == DP_OK; k++) {
        c[k] = (dp_tree_classes){.h = h, .o = &j->o, .editor = {.h = h, .conversions = !j->o.no_conversions}};
        code = dp_tree_classes_make(&c[k], all->v, all->n, t[k].of.folds);
        if (code == DP_OK)
            code = dp_tree_contexts_find(&x[k], &c[k], dp_tree_least(&j->o));
    }
    if (code == DP_OK)
        code = dp_tree_rounds(t, c, x, n, &j->arena[t->of.host]);
    for (size_t k = 0; c && x && k < n; k++) {
        free(x[k].v);
        dp_tree_classes_done(&c[k]);
    }
    free(c);
    free(x);
    return code;
}

/* Whether a block of one of the site's hosts is for that host's URLs alone, as it was tried: a port or a user in some
 * URL, and it may be for others, too. */
static bool are_hosts_plain(const dp_tree_picks *p, const dp_site *s)
{
    for (uint32_t i = 0; i < p->nhost; i++) {
        if (memchr(p->host[i].p, ':', p->host[i].n))
            return false;
    }
    return p->item_at[p->nhost] == s->n;
}

/* Of a large host all that its rules do is too much to keep. */
static bool is_some_large(const dp_tree_picks *p)
{
    for (uint32_t i = 0; i < p->nhost; i++) {
        if (p->pair_at[i + 1] - p->pair_at[i] >= MANY_PAIRS)
            return true;
    }
    return false;
}

/* Leave what the proposals of a host do, which is most of its record, for who asks. */
static dp_err leave_deeds(job *j, uint32_t host, dp_tree_record *r)
{
    dp_err code = DP_OK;
    if (!j->ctx->effects)
        return DP_OK;
    pthread_mutex_lock(&j->lock);
    for (; r->npage && code == DP_OK; r->npage -= code == DP_OK)
        code = dp_effects_keep(j->ctx->effects, r->page[r->npage - 1]);
    for (size_t run = 0; run < j->runs; run++) {
        const dp_tree_candidates *v = &j->trial[host * j->runs + run].v;
        for (uint32_t i = 0; i < v->n && code == DP_OK; i++) {
            if (v->v[i].kept)
                code = dp_effects_add(j->ctx->effects, j->picks.host[host], v->v[i].text, v->v[i].did.v,
                                    v->v[i].did.n);
        }
    }
    pthread_mutex_unlock(&j->lock);
    return code;
}

/* Learn one host. */
static dp_err learn_host(void *ctx, size_t i, unsigned worker)
{
    job                 *j = ctx;
    uint32_t             host = (uint32_t)i;
    const dp_tree_picks *p = &j->picks;
    dp_tree_host         h = {.site = j->s, .name = p->host[host]};
    dp_tree_record       record = {0};
    size_t               most = p->pair_at[host + 1] - p->pair_at[host];
    if (!most)
        return DP_OK;
    dp_tree_editor editor = {.h = &h, .conversions = !j->o.no_conversions};
    pairs          all = {.v = malloc(most * sizeof *all.v)};
    dp_err         code = all.v ? read_pairs(j, &h, host, &all) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_tree_host_deepen(&h, !j->o.no_deep);
    if (code == DP_OK)
        code = dp_tree_changes_find(all.v, all.n, &editor, &j->o);
    dp_tree_editor_done(&editor);
    dp_tree_trial *t = &j->trial[i * j->runs];
    for (size_t run = 0; run < j->runs; run++)
        t[run] = (dp_tree_trial){.court = &j->court, .record = &record, .of = {host, j->folds[run], worker},
                                 .pool = j->inner};
    size_t step = most < MANY_PAIRS ? j->runs : 1;
    for (size_t run = 0; run < j->runs && code == DP_OK; run += step)
        code = learn_folds(j, &h, &all, t + run, step);
    if (code == DP_OK)
        code = leave_deeds(j, host, &record);
    free(all.v);
    dp_tree_record_done(&record);
    dp_tree_host_done(&h);
    return code;
}

/* ---- the site -------------------------------------------------------------------------------------------- */

/* Evidence that the clusters of a host's pairs rest on. */
static unsigned evidence_of(const job *j, uint32_t host)
{
    unsigned by = 0;
    for (size_t i = j->picks.pair_at[host]; i < j->picks.pair_at[host + 1]; i++)
        by |= 1u << j->s->by[j->picks.pair[i].u];
    return by;
}

static dp_err write_host(dp_proposals *out, const job *j, const dp_tree_candidates *v, uint32_t host, dp_arena *a)
{
    dp_str   hosts = {0};
    unsigned by = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        const dp_tree_candidate *x = &v->v[i];
        if (!x->kept)
            continue;
        if (!hosts.p) {
            hosts = dp_arena_str(a, j->picks.host[host]);
            by = evidence_of(j, host);
        }
        dp_proposal p = {.hosts = hosts, .text = dp_arena_str(a, x->text), .n = x->n, .neg = x->neg, .save = x->save,
                         .p = dp_tree_precision(x), .by = by,
                         .state = DP_ACTIVE, .passes = x->passes};
        if (!p.hosts.p || !p.text.p)
            return DP_ENOMEM;
        DP_TRY(dp_proposals_add(out, &p));
    }
    return DP_OK;
}

/* One host after the other with all threads on each, where one host is most of the site; else a host a thread. */
static dp_err learn_hosts(job *j)
{
    const dp_tree_picks *p = &j->picks;
    uint32_t             largest = 0;
    dp_err               code = DP_OK;
    for (uint32_t i = 0; i < p->nhost; i++)
        largest = p->item_at[i + 1] - p->item_at[i] > largest ? p->item_at[i + 1] - p->item_at[i] : largest;
    if (2 * (size_t)largest < j->s->n)
        return dp_pool_run(j->ctx->pool, p->nhost, learn_host, j);
    j->inner = j->ctx->pool;
    for (uint32_t i = 0; i < p->nhost && code == DP_OK; i++)
        code = learn_host(j, i, 0);
    return code;
}

static dp_err learn_each(dp_proposals *out, const uint32_t *folds, size_t runs, const dp_site *s, const void *options,
                         const dp_learn_context *ctx, dp_arena *a)
{
    job              j = {.s = s, .o = *(const dp_tree_options *)options, .ctx = ctx, .folds = folds, .runs = runs};
    dp_learn_context all = *ctx, own = *ctx;
    j.ctx = &own;
    if (j.o.as == DP_TREE_CIKM09)
        j.o.no_conversions = j.o.forward_only = true;
    all.folds = 0;
    for (size_t i = 0; i < runs; i++)
        all.folds |= folds[i];
    DP_TRY(dp_tree_pick(&j.picks, s, &j.o, &all));
    if (!are_hosts_plain(&j.picks, s) || is_some_large(&j.picks))
        own.effects = NULL;
    pthread_mutex_init(&j.lock, NULL);
    size_t trials = (size_t)j.picks.nhost * runs;
    j.court = (dp_tree_court){.s = s, .p = &j.picks, .o = &j.o, .ctx = ctx};
    dp_err code = j.picks.npair ? dp_tree_court_init(&j.court, dp_pool_threads(ctx->pool)) : DP_OK;
    j.local = calloc(s->n + 1, sizeof *j.local);
    j.trial = calloc(trials + 1, sizeof *j.trial);
    j.arena = calloc((size_t)j.picks.nhost + 1, sizeof *j.arena);
    if (!j.local || !j.trial || !j.arena)
        code = DP_ENOMEM;
    if (code == DP_OK && j.picks.npair)
        code = learn_hosts(&j);
    for (size_t i = 0; i < trials && code == DP_OK; i++)
        code = write_host(&out[i % runs], &j, &j.trial[i].v, (uint32_t)(i / runs), a);
    for (size_t i = 0; j.trial && i < trials; i++)
        dp_tree_trial_done(&j.trial[i]);
    for (uint32_t i = 0; j.arena && i < j.picks.nhost; i++)
        dp_arena_done(&j.arena[i]);
    free(j.local);
    free(j.trial);
    free(j.arena);
    dp_tree_court_done(&j.court);
    dp_tree_picks_done(&j.picks);
    pthread_mutex_destroy(&j.lock);
    return code;
}

static dp_err learn_tree(dp_proposals *out, const dp_site *s, const void *options, const dp_learn_context *ctx,
                         dp_arena *a)
{
    return learn_each(out, &ctx->folds, 1, s, options, ctx, a);
}

const dp_method dp_method_tree = {
    .name = "tree",
    .summary = "decision trees over the parts of URLs (Agarwal 2009, Koppula 2010)",
    .needs_clusters = true,
    .options_size = sizeof defaults,
    .options_init = &defaults,
    .option = rows,
    .noption = DP_COUNT(rows),
    .learn = learn_tree,
    .learn_each = learn_each,
};
