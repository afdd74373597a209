/* Batches, shards, steps.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/train.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

enum { SHARDS = 4, EPOCH_BATCHES = 50 /* at least: equal pairs are merged, and few may be left */ };

static const float  initial_range = 0.08f;
static const double sgd_rate = 0.5, adam_rate = 0.002, plateau_decay = 0.99;

dp_err dp_training_init(dp_training *t, uint32_t vocab, const dp_train_options *o, uint64_t seed)
{
    *t = (dp_training){.size = {vocab, o->embed ? o->embed : o->hidden, o->hidden}, .seed = seed};
    t->n = dp_gru_count(t->size);
    if (!t->n || !o->batch)
        return DP_EINVALID;
    t->now = malloc(t->n * sizeof(float));
    t->best = malloc(t->n * sizeof(float));
    t->mean = calloc(t->n, sizeof(float));
    t->square = calloc(t->n, sizeof(float));
    if (!t->now || !t->best || !t->mean || !t->square) {
        dp_training_done(t);
        return DP_ENOMEM;
    }
    dp_gru g = dp_gru_view(t->size, t->now);
    dp_gru_draw(&g, initial_range, seed);
    memcpy(t->best, t->now, t->n * sizeof *t->best);
    t->rate = o->rate > 0 ? o->rate : o->step == DP_STEP_SGD ? sgd_rate : adam_rate;
    t->loss = t->best_loss = INFINITY;
    return DP_OK;
}

void dp_training_done(dp_training *t)
{
    free(t->now);
    free(t->best);
    free(t->mean);
    free(t->square);
    *t = (dp_training){0};
}

bool dp_training_finished(const dp_training *t, const dp_train_options *o)
{
    return t->epoch >= o->epochs || t->since_best >= o->patience;
}

/* ---- batches ---------------------------------------------------------------------------------- */

/* A pair in its place in this epoch. */
typedef struct turn {
    const dp_seq_pair *pair;
    float              weight;
    uint64_t           draw;
} turn;

static int by_length(const void *pa, const void *pb)
{
    const turn *a = pa, *b = pb;
    if (a->pair->nsource != b->pair->nsource)
        return a->pair->nsource < b->pair->nsource ? -1 : 1;
    if (a->pair->ntarget != b->pair->ntarget)
        return a->pair->ntarget < b->pair->ntarget ? -1 : 1;
    return (a->draw > b->draw) - (a->draw < b->draw);
}

/* Pairs in like-length order, weights of mean 1; held: those that are held out, by their own weights. */
static size_t take_turns(turn *v, const dp_seq_pairs *pairs, bool held, uint64_t seed)
{
    dp_rng r = dp_rng_seed(seed);
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        uint32_t w = held ? pairs->v[i].held : pairs->v[i].weight;
        if (!w)
            continue;
        v[n++] = (turn){&pairs->v[i], (float)w, dp_rng_next(&r)};
        sum += w;
    }
    for (size_t i = 0; i < n; i++)
        v[i].weight = (float)((double)v[i].weight * (double)n / sum);
    if (n)
        qsort(v, n, sizeof *v, by_length);
    return n;
}

/* The columns of some pairs. */
typedef struct columns {
    uint32_t    *id; /* all arrays below */
    float       *weight;
    dp_gru_batch batch;
} columns;

static void fill_columns(columns *c, const turn *v, size_t rows)
{
    size_t ns = 0, nt = 0;
    for (size_t i = 0; i < rows; i++) {
        ns = v[i].pair->nsource > ns ? v[i].pair->nsource : ns;
        nt = v[i].pair->ntarget + 1 > nt ? v[i].pair->ntarget + 1 : nt;
    }
    uint32_t *source = c->id, *target = source + ns * rows, *nsource = target + nt * rows, *ntarget = nsource + rows;
    for (size_t i = 0; i < rows; i++) {
        const dp_seq_pair *p = v[i].pair;
        for (size_t t = 0; t < ns; t++)
            source[t * rows + i] = t < p->nsource ? p->source[t] : DP_SEQ_EOS;
        for (size_t t = 0; t < nt; t++)
            target[t * rows + i] = t < p->ntarget ? p->target[t] : DP_SEQ_EOS;
        nsource[i] = p->nsource;
        ntarget[i] = p->ntarget + 1;
        c->weight[i] = v[i].weight;
    }
    c->batch = (dp_gru_batch){rows, source, target, nsource, ntarget, c->weight};
}

/* ---- work that is shared ------------------------------------------------------------------------ */

typedef struct shard {
    const turn    *v; /* [rows] */
    size_t         rows;
    columns        columns;
    dp_gru_scratch scratch;
    dp_gru_slopes  slopes;
    double         loss;
} shard;

typedef struct trainer {
    dp_training            *t;
    const dp_train_options *o;
    dp_pool                *pool;
    dp_gru                  g;
    dp_gru_tables           tables;
    float                  *slopes, *gradient; /* [SHARDS * slopes.n], [n] */
    shard                   shard[SHARDS];
    bool                    learning;
} trainer;

static dp_err trainer_init(trainer *w, dp_training *t, const dp_train_options *o, dp_pool *pool)
{
    *w = (trainer){.t = t, .o = o, .pool = pool, .g = dp_gru_view(t->size, t->now)};
    size_t each = dp_gru_slopes_count(t->size);
    DP_TRY(dp_gru_tables_init(&w->tables, t->size));
    w->slopes = malloc(SHARDS * each * sizeof *w->slopes);
    w->gradient = malloc(t->n * sizeof *w->gradient);
    bool ok = w->slopes && w->gradient;
    for (size_t i = 0; i < SHARDS; i++) {
        shard *s = &w->shard[i];
        s->columns.id = malloc(o->batch * (2 * DP_SEQ_LONGEST + 3) * sizeof(uint32_t));
        s->columns.weight = malloc(o->batch * sizeof(float));
        ok = ok && s->columns.id && s->columns.weight;
        if (w->slopes)
            s->slopes = dp_gru_slopes_view(t->size, w->slopes + i * each);
    }
    return ok ? DP_OK : DP_ENOMEM;
}

static void trainer_done(trainer *w)
{
    dp_gru_tables_done(&w->tables);
    for (size_t i = 0; i < SHARDS; i++) {
        free(w->shard[i].columns.id);
        free(w->shard[i].columns.weight);
        dp_gru_scratch_done(&w->shard[i].scratch);
    }
    free(w->slopes);
    free(w->gradient);
}

static dp_err run_shard(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    trainer *w = ctx;
    shard   *s = &w->shard[i];
    s->loss = 0;
    if (w->learning)
        memset(s->slopes.all, 0, s->slopes.n * sizeof *s->slopes.all);
    if (!s->rows)
        return DP_OK;
    fill_columns(&s->columns, s->v, s->rows);
    return dp_gru_learn(&w->g, &w->tables, &s->columns.batch, w->o->loss, &s->scratch, w->learning ? &s->slopes : NULL,
                        &s->loss);
}

/* The loss of `rows` pairs; when learning, their slopes are in the first shard. */
static dp_err run_batch(trainer *w, const turn *v, size_t rows, double *loss)
{
    for (size_t i = 0; i < SHARDS; i++) {
        size_t from = rows * i / SHARDS, to = rows * (i + 1) / SHARDS;
        w->shard[i].v = v + from;
        w->shard[i].rows = to - from;
    }
    DP_TRY(dp_pool_run(w->pool, SHARDS, run_shard, w));
    *loss = 0;
    for (size_t i = 0; i < SHARDS; i++)
        *loss += w->shard[i].loss;
    float *sum = w->shard[0].slopes.all;
    for (size_t i = 1; w->learning && i < SHARDS; i++)
        for (size_t k = 0; k < w->shard[0].slopes.n; k++)
            sum[k] += w->shard[i].slopes.all[k];
    return DP_OK;
}

/* ---- steps -------------------------------------------------------------------------------------- */

static void step_sgd(dp_training *t, const float *gradient, float scale)
{
    float rate = (float)t->rate * scale;
    for (size_t i = 0; i < t->n; i++)
        t->now[i] -= rate * gradient[i];
}

/* Kingma, Ba 2015, algorithm 1. */
static void step_adam(dp_training *t, const float *gradient, float scale)
{
    const float b1 = 0.9f, b2 = 0.999f, tiny = 1e-8f;
    double      k = (double)t->steps;
    float       rate = (float)(t->rate * sqrt(1 - pow((double)b2, k)) / (1 - pow((double)b1, k)));
    for (size_t i = 0; i < t->n; i++) {
        float g = gradient[i] * scale;
        t->mean[i] = b1 * t->mean[i] + (1 - b1) * g;
        t->square[i] = b2 * t->square[i] + (1 - b2) * g * g;
        t->now[i] -= rate * t->mean[i] / (sqrtf(t->square[i]) + tiny);
    }
}

/* One step along the mean gradient of `rows` pairs, clipped. */
static void step(trainer *w, size_t rows)
{
    dp_gru_gradient(w->gradient, &w->g, &w->shard[0].slopes);
    double norm = 0;
    for (size_t i = 0; i < w->t->n; i++)
        norm += (double)w->gradient[i] * (double)w->gradient[i];
    norm = sqrt(norm) / (double)rows;
    double scale = (norm > w->o->clip ? w->o->clip / norm : 1) / (double)rows;
    w->t->steps++;
    if (w->o->step == DP_STEP_SGD)
        step_sgd(w->t, w->gradient, (float)scale);
    else
        step_adam(w->t, w->gradient, (float)scale);
}

static void shuffle(size_t *v, size_t n, uint64_t seed)
{
    dp_rng r = dp_rng_seed(seed);
    for (size_t i = 0; i < n; i++)
        v[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)dp_rng_below(&r, i), x = v[k];
        v[k] = v[i - 1];
        v[i - 1] = x;
    }
}

/* All pairs once, in batches; learning or only looking. */
static dp_err pass(trainer *w, const turn *v, size_t n, uint64_t seed, double *loss)
{
    size_t  batches = (n + w->o->batch - 1) / w->o->batch;
    size_t *order = malloc((batches + 1) * sizeof *order);
    dp_err  code = order ? DP_OK : DP_ENOMEM;
    double  sum = 0;
    if (order)
        shuffle(order, batches, seed);
    for (size_t i = 0; i < batches && code == DP_OK; i++) {
        size_t from = order[i] * w->o->batch, rows = n - from < w->o->batch ? n - from : w->o->batch;
        double one = 0;
        if (w->learning || i == 0)
            dp_gru_tables_fill(&w->tables, &w->g);
        code = run_batch(w, v + from, rows, &one);
        sum += one;
        if (code == DP_OK && w->learning)
            step(w, rows);
    }
    *loss = n ? sum / (double)n : INFINITY;
    free(order);
    return code;
}

/* Keep the best parameters; lower the rate where nothing gets better. */
void dp_training_note(dp_training *t, double f1, const dp_train_options *o)
{
    if (f1 > t->best_f1 || (f1 >= t->best_f1 && t->loss < t->best_loss)) {
        t->best_f1 = f1;
        t->best_loss = t->loss;
        t->since_best = 0;
        memcpy(t->best, t->now, t->n * sizeof *t->best);
    } else {
        t->since_best++;
        if (o->step == DP_STEP_SGD)
            t->rate *= plateau_decay;
    }
}

dp_err dp_training_epoch(dp_training *t, const dp_seq_pairs *pairs, const dp_train_options *o, dp_pool *pool)
{
    trainer w;
    turn   *v = malloc((pairs->n + 1) * sizeof *v);
    dp_err  code = v ? trainer_init(&w, t, o, pool) : DP_ENOMEM;
    if (!v)
        return code;
    uint64_t seed = t->seed + (uint64_t)(t->epoch + 1) * 0x9E3779B97F4A7C15u;
    double   learned = INFINITY, held = INFINITY;
    w.learning = true;
    for (size_t left = EPOCH_BATCHES, n = 1; left && n && code == DP_OK; seed++) {
        n = take_turns(v, pairs, false, seed);
        code = pass(&w, v, n, seed, &learned);
        size_t batches = (n + o->batch - 1) / o->batch;
        left -= batches < left ? batches : left;
    }
    if (code == DP_OK) {
        w.learning = false;
        code = pass(&w, v, take_turns(v, pairs, true, seed), seed, &held);
    }
    if (code == DP_OK) {
        t->epoch++;
        t->loss = isfinite(held) ? held : learned;
    }
    trainer_done(&w);
    free(v);
    return code;
}
