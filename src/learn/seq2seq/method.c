/* From a site to a network, and from the network to proposals and to the model file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/method.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fold.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/plural.h"
#include "learn/seq2seq/blas.h"
#include "learn/seq2seq/canonical.h"
#include "learn/seq2seq/distil.h"
#include "learn/seq2seq/held.h"

enum { SAVE_EVERY = 10000 /* milliseconds */, FEWEST_CLUSTERS = 20 };

/* What is kept over all sites: the networks for the file, and what rules could not say. */
typedef struct run {
    pthread_rwlock_t lock; /* sites are trained under the one, the model is changed and saved under the other */
    dp_seq_model     model;
    char            *path; /* NULL: no file is wanted */
    uint64_t         saved; /* when, by base/machine.h */
    dp_distilled     sum;
    dp_error         err;
} run;

/* ---- training ---------------------------------------------------------------------------------------- */

/* One site at work. */
typedef struct class {
    const dp_site            *site;
    const dp_seq2seq_options *o;
    const dp_learn_context   *ctx;
    dp_seq_pairs              pairs;
    dp_seq_site              *s;
} class;

/* Everything that decides what training does, so that only the same is gone on with. */
static uint64_t made_of(const class *c)
{
    const dp_train_options *o = &c->o->train;
    const double            number[] = {o->hidden, o->embed, o->batch, o->loss, o->step, o->rate, o->clip, c->o->share,
                                        (double)c->ctx->seed, c->o->answers, dp_vocab_size(&c->s->vocab)};
    uint64_t                h = dp_hash_bytes(number, sizeof number);
    for (size_t i = 0; i < c->pairs.n; i++) {
        const dp_seq_pair *p = &c->pairs.v[i];
        const uint32_t     n[] = {p->nsource, p->ntarget, p->weight, p->held};
        h = dp_hash_seeded(n, sizeof n, h);
        h = dp_hash_seeded(p->source, (p->nsource + p->ntarget) * sizeof *p->source, h);
    }
    return h;
}

/* Words, domains and pairs of a site into an empty `s`. */
static dp_err prepare(class *c, uint32_t folds, dp_arena *a)
{
    const dp_site *site = c->site;
    uint32_t      *canonical = DP_NEWS(a, (size_t)site->nclusters + 1, uint32_t);
    if (!canonical)
        return DP_ENOMEM;
    const dp_words_options words = {c->o->share, folds, c->ctx->lead};
    DP_TRY(dp_seq_words_learn(&c->s->vocab, canonical, site, words));
    DP_TRY(dp_seq_site_domains(c->s, site));
    c->s->sure = c->o->sure;
    const dp_pairs_options o = {folds, !c->o->singles_off};
    DP_TRY(dp_seq_pairs_make(&c->pairs, site, &c->s->vocab, o, canonical, a));
    if (c->o->answers != DP_ANSWERS_NETWORK)
        DP_TRY(dp_majority_make(&c->s->majority, &c->pairs, &c->s->arena));
    c->s->made_of = made_of(c);
    return DP_OK;
}

/* Whether there is something to learn: clusters enough, and a pair that is not of equal templates. A network of a
 * handful of pairs has learned them by heart, and gives one of them as the answer to everything. */
static bool is_worth_it(const dp_seq_pairs *p)
{
    if (p->clusters < FEWEST_CLUSTERS)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        const dp_seq_pair *one = &p->v[i];
        if (one->weight && (one->nsource != one->ntarget ||
                            memcmp(one->source, one->target, one->nsource * sizeof *one->source) != 0))
            return true;
    }
    return false;
}

static int tell(const class *c, double f1)
{
    const dp_training *t = &c->s->training;
    char               unit[256];
    if (!c->ctx->tell)
        return 0;
    int name = (int)(c->site->name.n < 100 ? c->site->name.n : 100);
    int n = snprintf(unit, sizeof unit, "training epochs of %.*s, loss %.4f", name, c->site->name.p, t->loss);
    if (f1 > 0)
        snprintf(unit + n, sizeof unit - (size_t)n, ", held-out F1 %.3f", f1);
    return c->ctx->tell(c->ctx->tell_ctx, t->epoch, c->o->train.epochs, unit);
}

/* Keep the file up to date, so that a run that is cut short leaves a model to use and to go on with. */
static dp_err save_now_and_then(run *r)
{
    dp_err code = DP_OK;
    pthread_rwlock_wrlock(&r->lock);
    if (dp_clock_is_due(&r->saved, SAVE_EVERY))
        code = dp_seq_model_save(&r->model, r->path, &r->err);
    pthread_rwlock_unlock(&r->lock);
    return code;
}

/* An epoch, and what it made of the network. */
static dp_err train_epoch(class *c, uint32_t folds, double *f1)
{
    dp_training  *t = &c->s->training;
    dp_held_score score;
    DP_TRY(dp_training_epoch(t, &c->pairs, &c->o->train, c->ctx->pool));
    DP_TRY(dp_held_judge(&score, c->site, folds, c->s));
    dp_training_note(t, score.f1, &c->o->train);
    *f1 = score.f1;
    return DP_OK;
}

/* Train until it is finished. `r`: as a part of its model; NULL: for this run alone. */
static dp_err train(class *c, uint32_t folds, run *r)
{
    dp_training *t = &c->s->training;
    if (c->o->answers == DP_ANSWERS_TABLE)
        return DP_OK;
    if (!t->n)
        DP_TRY(dp_training_init(t, dp_vocab_size(&c->s->vocab), &c->o->train, c->ctx->seed + 1));
    while (!dp_training_finished(t, &c->o->train)) {
        if (r)
            pthread_rwlock_rdlock(&r->lock);
        double f1 = 0;
        dp_err code = train_epoch(c, folds, &f1);
        if (r)
            pthread_rwlock_unlock(&r->lock);
        DP_TRY(code);
        if (r)
            DP_TRY(save_now_and_then(r));
        if (tell(c, f1))
            break;
    }
    return DP_OK;
}

/* ---- proposals --------------------------------------------------------------------------------------- */

static dp_err distil(dp_proposals *out, dp_distilled *count, const class *c, dp_arena *a)
{
    dp_seq_site   *s = c->s;
    dp_seq_model   alone = {.v = &s, .n = 1};
    dp_translator *t;
    DP_TRY(dp_translator_new(&t, &alone, true));
    dp_err code = dp_seq_distil(out, count, c->site, s, t, a);
    dp_translator_free(t);
    return code;
}

/* ---- the model file ---------------------------------------------------------------------------------- */

static dp_err begin(void **out, const void *options, dp_error *err)
{
    DP_TRY(dp_blas_load(err));
    const dp_seq2seq_options *o = options;
    run                      *r = calloc(1, sizeof *r);
    if (!r)
        return DP_ENOMEM;
    pthread_rwlock_init(&r->lock, NULL);
    r->saved = dp_clock_ms();
    *out = r;
    if (!o->model.n)
        return DP_OK;
    r->path = strndup(o->model.p, o->model.n);
    if (!r->path)
        return DP_ENOMEM;
    if (access(r->path, F_OK) != 0 && errno == ENOENT)
        return DP_OK;
    return dp_seq_model_load(&r->model, r->path, err);
}

/* The place of a site in the model; what is there already is gone on with when it is of the same making. */
static dp_err enter(run *r, class *c, dp_seq_site *fresh, bool *same)
{
    dp_seq_site *old = dp_seq_model_find(&r->model, c->site->name);
    *same = old && old->made_of == fresh->made_of;
    if (*same) {
        old->sure = fresh->sure;
        c->s = old;
        return DP_OK;
    }
    if (old)
        dp_seq_model_remove(&r->model, old);
    DP_TRY(dp_seq_model_put(&r->model, fresh));
    c->s = fresh;
    return DP_OK;
}

/* Train the network of the file: the one that is there, if it is of the same making, or this fresh one, alone in
 * `first` so far. */
static dp_err train_kept(class *c, run *r, dp_seq_model *first)
{
    dp_seq_site *fresh = c->s;
    bool         same = false;
    first->n = 0; /* it is the model's from here on, or ours to free */
    pthread_rwlock_wrlock(&r->lock);
    dp_err code = enter(r, c, fresh, &same);
    pthread_rwlock_unlock(&r->lock);
    if (same || code)
        dp_seq_site_free(fresh);
    if (code == DP_OK && !c->s->finished)
        code = train(c, DP_ALL_FOLDS, r);
    if (code == DP_OK && (c->o->answers == DP_ANSWERS_TABLE || dp_training_finished(&c->s->training, &c->o->train)))
        c->s->finished = true;
    return code;
}

static dp_err keep(const dp_site *site, const void *options, const dp_learn_context *ctx)
{
    run         *r = ctx->run;
    dp_arena     a = {0};
    dp_seq_model first = {0};
    dp_proposals rules = {0};
    dp_distilled count = {0};
    class        c = {.site = site, .o = options, .ctx = ctx};
    if (!r->path)
        return DP_OK;
    dp_err code = dp_seq_model_add(&first, site->name, &c.s);
    if (code == DP_OK)
        code = prepare(&c, DP_ALL_FOLDS, &a);
    if (code == DP_OK && is_worth_it(&c.pairs)) {
        code = train_kept(&c, r, &first);
        if (code == DP_OK)
            code = distil(&rules, &count, &c, &a);
        pthread_rwlock_wrlock(&r->lock);
        r->sum.moved_urls += count.moved_urls;
        r->sum.unsayable_urls += count.unsayable_urls;
        pthread_rwlock_unlock(&r->lock);
    }
    dp_proposals_done(&rules);
    dp_seq_model_done(&first);
    dp_arena_done(&a);
    return code;
}

static dp_err end(void *run_, dp_buf *note, dp_error *err)
{
    run   *r = run_;
    dp_err code = DP_OK;
    if (r->err.message[0] && err)
        *err = r->err;
    if (r->path && note) {
        code = dp_seq_model_save(&r->model, r->path, err);
        dp_buf_printf(note, "model of %zu site%s: changes the keys of %" PRIu64 " URL%s", r->model.n,
                      dp_s(r->model.n), r->sum.moved_urls, dp_s(r->sum.moved_urls));
        if (r->sum.unsayable_urls)
            dp_buf_printf(note, ", %" PRIu64 " of them in ways that rules cannot express", r->sum.unsayable_urls);
    }
    dp_seq_model_done(&r->model);
    pthread_rwlock_destroy(&r->lock);
    free(r->path);
    free(r);
    return code;
}

/* ---- rules ------------------------------------------------------------------------------------------- */

static dp_err learn_seq2seq(dp_proposals *out, const dp_site *site, const void *options, const dp_learn_context *ctx,
                    dp_arena *a)
{
    dp_seq_model model = {0};
    dp_distilled count;
    class        c = {.site = site, .o = options, .ctx = ctx};
    dp_err       code = dp_seq_model_add(&model, site->name, &c.s);
    if (code == DP_OK)
        code = prepare(&c, ctx->folds, a);
    if (code == DP_OK && is_worth_it(&c.pairs)) {
        /* A network of all clusters is the file's, too. */
        run *r = ctx->folds == DP_ALL_FOLDS ? ctx->run : NULL;
        code = r && r->path ? train_kept(&c, r, &model) : train(&c, ctx->folds, NULL);
        if (code == DP_OK)
            code = distil(out, &count, &c, a);
    }
    /* Proposals name hosts by words of the model. */
    for (size_t i = 0; i < out->n && code == DP_OK; i++) {
        out->v[i].hosts = dp_arena_str(a, out->v[i].hosts);
        code = out->v[i].hosts.p ? DP_OK : DP_ENOMEM;
    }
    dp_seq_model_done(&model);
    return code;
}

/* ---- the row ------------------------------------------------------------------------------------------ */

static const dp_seq2seq_options defaults = {.train = DP_TRAIN_OPTIONS_INIT, .share = 0.01, .sure = 0.9};

static const char *const losses[] = {"softmax", "ace", NULL};
static const char *const steps[] = {"adam", "sgd", NULL};
static const char *const answers[] = {"both", "table", "network", NULL};

#define AT(field) offsetof(dp_seq2seq_options, field)

static const dp_option_row rows[] = {
    {"model", "FILE", "keep the networks in FILE; training continues from it", DP_OPTION_TEXT, AT(model), 0, 0, NULL,
     false},
    {"hidden", "N", "units of the network; default 64, published 512", DP_OPTION_UINT32, AT(train.hidden), 1, 4096,
     NULL, false},
    {"embed", "N", "size of the embedding; default as --hidden", DP_OPTION_UINT32, AT(train.embed), 0, 4096, NULL,
     false},
    {"epochs", "N", "at most N passes over the pairs; default 400", DP_OPTION_UINT32, AT(train.epochs), 1, 1e6, NULL,
     false},
    {"patience", "N", "stop after N epochs without a better network; default 30", DP_OPTION_UINT32,
     AT(train.patience), 1, 1e6, NULL, false},
    {"sure", "P", "probability that an answer needs; default .9, 0: any, as published", DP_OPTION_DOUBLE, AT(sure), 0,
     1, NULL, false},
    {"answers", "both|table|network", "who answers: a table for templates of the training, else the network",
     DP_OPTION_CHOICE, AT(answers), 0, 0, answers, true},
    {"loss", "softmax|ace", "loss function; default softmax; ace: as printed in the paper", DP_OPTION_CHOICE,
     AT(train.loss), 0, 0, losses, true},
    {"optimizer", "adam|sgd", "default adam; sgd: as published", DP_OPTION_CHOICE, AT(train.step), 0, 0, steps, true},
    {"learning-rate", "X", "default .002 for adam, .5 for sgd", DP_OPTION_DOUBLE, AT(train.rate), 0, 100, NULL, true},
    {"batch", "N", "pairs per batch; default 20", DP_OPTION_UINT32, AT(train.batch), 1, 4096, NULL, true},
    {"clip", "X", "largest norm of the gradient; default 5", DP_OPTION_DOUBLE, AT(train.clip), 0, 1e9, NULL, true},
    {"function-share", "P", "share of URLs from which on a word is a function word; default .01", DP_OPTION_DOUBLE,
     AT(share), 0, 1, NULL, true},
    {"without-singles", NULL, "do not learn from pages that have only one URL", DP_OPTION_BOOL, AT(singles_off), 0, 0,
     NULL, true},
};

const dp_method dp_method_seq2seq = {
    .name = "seq2seq",
    .summary = "a neural network that translates URLs, turned into rules (Xu 2017)",
    .needs_clusters = true,
    .is_dear = true,
    .options_size = sizeof defaults,
    .options_init = &defaults,
    .option = rows,
    .noption = DP_COUNT(rows),
    .learn = learn_seq2seq,
    .begin = begin,
    .keep = keep,
    .end = end,
};
