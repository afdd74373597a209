/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/gru.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/room.h"
#include "learn/seq2seq/blas.h"

enum { SIZE_MAX_EACH = 1 << 14 };

/* ---- parameters ------------------------------------------------------------------------------- */

size_t dp_gru_count(dp_gru_size s)
{
    size_t V = s.vocab, e = s.embed, h = s.hidden;
    if (!V || !e || !h || V > SIZE_MAX_EACH || e > SIZE_MAX_EACH || h > SIZE_MAX_EACH)
        return 0;
    return V * e + 2 * (3 * e * h + 3 * h + 3 * h * h) + h * V + V;
}

/* Cut `n` floats off the front of `*rest`. */
static float *cut(float **rest, size_t n)
{
    float *p = *rest;
    *rest += n;
    return p;
}

dp_gru dp_gru_view(dp_gru_size s, float *all)
{
    size_t V = s.vocab, e = s.embed, h = s.hidden;
    dp_gru g = {.size = s, .n = dp_gru_count(s), .all = all};
    float *rest = all;
    g.embedding = cut(&rest, V * e);
    g.enc_w = cut(&rest, 3 * e * h);
    g.enc_b = cut(&rest, 3 * h);
    g.enc_u = cut(&rest, 3 * h * h);
    g.dec_w = cut(&rest, 3 * e * h);
    g.dec_b = cut(&rest, 3 * h);
    g.dec_u = cut(&rest, 3 * h * h);
    g.out_w = cut(&rest, h * V);
    g.out_b = cut(&rest, V);
    return g;
}

void dp_gru_draw(dp_gru *g, float range, uint64_t seed)
{
    dp_rng r = dp_rng_seed(seed);
    for (size_t i = 0; i < g->n; i++)
        g->all[i] = range * ((float)(dp_rng_next(&r) >> 40) * 0x1p-23f - 1);
}

size_t dp_gru_slopes_count(dp_gru_size s)
{
    size_t V = s.vocab, h = s.hidden;
    return 2 * (3 * V * h + 3 * h * h) + h * V + V;
}

dp_gru_slopes dp_gru_slopes_view(dp_gru_size s, float *all)
{
    size_t        V = s.vocab, h = s.hidden;
    dp_gru_slopes d = {.n = dp_gru_slopes_count(s), .all = all};
    float        *rest = all;
    d.enc_table = cut(&rest, 3 * V * h);
    d.dec_table = cut(&rest, 3 * V * h);
    d.enc_u = cut(&rest, 3 * h * h);
    d.dec_u = cut(&rest, 3 * h * h);
    d.out_w = cut(&rest, h * V);
    d.out_b = cut(&rest, V);
    return d;
}

/* ---- matrices --------------------------------------------------------------------------------- */

/* e^x to a few units in the last place, in a form that compilers turn into vector code; of what is no number, as large
 * weights of a forged model give it, e^-87. */
static inline float exponential(float x)
{
    x = x > -87 ? x : -87;
    x = x < 87 ? x : 87;
    float   t = x * 1.44269504f + 12582912.0f; /* 1.5 * 2^23: the whole part stands in the low bits */
    float   whole = t - 12582912.0f;
    float   r = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    float   y = 8.3333333e-3f + r * 1.3888889e-3f;
    y = 1 + r * (1 + r * (0.5f + r * (0.16666667f + r * (0.041666667f + r * y))));
    int32_t bits = ((int32_t)whole + 127) << 23;
    float   scale;
    memcpy(&scale, &bits, sizeof scale);
    return y * scale;
}

static inline float sigmoid(float x)
{
    return 1 / (1 + exponential(-x));
}

static inline float hyperbolic(float x)
{
    return 2 * sigmoid(2 * x) - 1;
}

/* ---- forward ---------------------------------------------------------------------------------- */

dp_err dp_gru_tables_init(dp_gru_tables *t, dp_gru_size s)
{
    DP_TRY(dp_blas_load(NULL));
    size_t n = (size_t)3 * s.vocab * s.hidden;
    t->enc = malloc(n * sizeof *t->enc);
    t->dec = malloc(n * sizeof *t->dec);
    if (t->enc && t->dec)
        return DP_OK;
    dp_gru_tables_done(t);
    return DP_ENOMEM;
}

void dp_gru_tables_done(dp_gru_tables *t)
{
    free(t->enc);
    free(t->dec);
    *t = (dp_gru_tables){0};
}

static void fill_table(float *table, const dp_gru *g, const float *w, const float *b)
{
    size_t V = g->size.vocab, e = g->size.embed, h3 = (size_t)3 * g->size.hidden;
    for (size_t i = 0; i < V; i++)
        memcpy(table + i * h3, b, h3 * sizeof *b);
    dp_blas_multiply(table, (dp_matrix){g->embedding, V, e, false}, (dp_matrix){w, e, h3, false}, true);
}

void dp_gru_tables_fill(dp_gru_tables *t, const dp_gru *g)
{
    fill_table(t->enc, g, g->enc_w, g->enc_b);
    fill_table(t->dec, g, g->dec_w, g->dec_b);
}

/* What one unit keeps for its gradient; arrays of h. */
typedef struct unit {
    float *z, *r, *n, *hidden; /* hidden: Un h, before r */
} unit;

/* New state of one row, which may replace the one before: x is its row of the table, gates Uz h | Ur h | Un h. */
static void unit_forward(const float *x, const float *gates, const float *before, float *after, const unit *keep,
                         size_t h)
{
    for (size_t k = 0; k < h; k++) {
        float z = sigmoid(x[k] + gates[k]);
        float r = sigmoid(x[h + k] + gates[h + k]);
        float n = hyperbolic(x[2 * h + k] + r * gates[2 * h + k]);
        after[k] = n + z * (before[k] - n);
        if (keep) {
            keep->z[k] = z;
            keep->r[k] = r;
            keep->n[k] = n;
            keep->hidden[k] = gates[2 * h + k];
        }
    }
}

void dp_gru_step(const dp_gru *g, const float *table, const float *u, const uint32_t *token, size_t rows, float *state,
                 float *gates)
{
    size_t h = g->size.hidden;
    dp_blas_multiply(gates, (dp_matrix){state, rows, h, false}, (dp_matrix){u, h, 3 * h, false}, false);
    for (size_t i = 0; i < rows; i++)
        unit_forward(table + token[i] * 3 * h, gates + i * 3 * h, state + i * h, state + i * h, NULL, h);
}

static void softmax(float *v, size_t n)
{
    float top = v[0], sum = 0;
    for (size_t k = 1; k < n; k++)
        top = v[k] > top ? v[k] : top;
    for (size_t k = 0; k < n; k++)
        v[k] = exponential(v[k] - top);
    for (size_t k = 0; k < n; k++)
        sum += v[k];
    float scale = 1 / sum;
    for (size_t k = 0; k < n; k++)
        v[k] *= scale;
}

void dp_gru_output(const dp_gru *g, const float *state, size_t rows, float *probability)
{
    size_t V = g->size.vocab, h = g->size.hidden;
    for (size_t i = 0; i < rows; i++)
        memcpy(probability + i * V, g->out_b, V * sizeof *probability);
    dp_blas_multiply(probability, (dp_matrix){state, rows, h, false}, (dp_matrix){g->out_w, h, V, false}, true);
    for (size_t i = 0; i < rows; i++)
        softmax(probability + i * V, V);
}

/* ---- learning --------------------------------------------------------------------------------- */

void dp_gru_scratch_done(dp_gru_scratch *s)
{
    free(s->v);
    *s = (dp_gru_scratch){0};
}

/* One of the two recurrences, over all steps of a batch. */
typedef struct recurrence {
    const dp_gru   *g;
    const float    *table, *u;
    const uint32_t *length; /* [rows] */
    size_t          rows, steps;
    float          *state;  /* [steps + 1][rows][h] */
    float          *kept;   /* [steps][rows][4h]: z, r, n, Un h */
    float          *gates;  /* [steps][rows][3h]: forward scratch, then slopes of the gates */
} recurrence;

static unit unit_of(const recurrence *c, size_t t, size_t i)
{
    size_t h = c->g->size.hidden;
    float *p = c->kept + (t * c->rows + i) * 4 * h;
    return (unit){p, p + h, p + 2 * h, p + 3 * h};
}

/* The token that row i reads at step t. */
typedef uint32_t reads(const dp_gru_batch *b, size_t t, size_t i);

static uint32_t reads_source(const dp_gru_batch *b, size_t t, size_t i)
{
    return b->source[t * b->rows + i];
}

static uint32_t reads_target(const dp_gru_batch *b, size_t t, size_t i)
{
    return t ? b->target[(t - 1) * b->rows + i] : DP_SEQ_EOS;
}

static void run_forward(recurrence *c, const dp_gru_batch *b, reads *token)
{
    size_t h = c->g->size.hidden, rows = c->rows;
    for (size_t t = 0; t < c->steps; t++) {
        const float *before = c->state + t * rows * h;
        float       *after = c->state + (t + 1) * rows * h, *gates = c->gates + t * rows * 3 * h;
        dp_blas_multiply(gates, (dp_matrix){before, rows, h, false}, (dp_matrix){c->u, h, 3 * h, false}, false);
        for (size_t i = 0; i < rows; i++) {
            if (t >= c->length[i]) {
                memcpy(after + i * h, before + i * h, h * sizeof *after);
                continue;
            }
            unit keep = unit_of(c, t, i);
            unit_forward(c->table + token(b, t, i) * 3 * h, gates + i * 3 * h, before + i * h, after + i * h, &keep, h);
        }
    }
}

/* Slopes of one unit: `slope` is that of its new state and becomes that of the old one, but for what goes through
 * the gates; input and gate slopes are written. */
static void unit_backward(const unit *k, const float *restrict before, float *restrict slope, float *restrict input,
                          float *restrict gates, size_t h)
{
    for (size_t i = 0; i < h; i++) {
        float z = k->z[i], r = k->r[i], n = k->n[i], s = slope[i];
        float dn = s * (1 - z) * (1 - n * n);
        float dz = s * (before[i] - n) * z * (1 - z);
        float dr = dn * k->hidden[i] * r * (1 - r);
        input[i] += dz;
        input[h + i] += dr;
        input[2 * h + i] += dn;
        gates[i] = dz;
        gates[h + i] = dr;
        gates[2 * h + i] = dn * r;
        slope[i] = s * z;
    }
}

/* Where the slopes of a recurrence go. */
typedef struct slope_out {
    float *table, *u;
    float *state; /* [rows][h]: slope of the last state in, of the first state out */
} slope_out;

/* `each`, NULL or [steps][rows][h], is added to the slope of the state behind each step. */
static void run_backward(recurrence *c, const dp_gru_batch *b, reads *token, const float *each, slope_out *out)
{
    size_t h = c->g->size.hidden, rows = c->rows;
    for (size_t t = c->steps; t-- > 0;) {
        const float *before = c->state + t * rows * h;
        float       *gates = c->gates + t * rows * 3 * h;
        for (size_t i = 0; i < rows; i++) {
            if (t >= c->length[i]) {
                memset(gates + i * 3 * h, 0, 3 * h * sizeof *gates);
                continue;
            }
            float *slope = out->state + i * h;
            for (size_t k = 0; each && k < h; k++)
                slope[k] += each[(t * rows + i) * h + k];
            unit keep = unit_of(c, t, i);
            unit_backward(&keep, before + i * h, slope, out->table + token(b, t, i) * 3 * h, gates + i * 3 * h, h);
        }
        dp_blas_multiply(out->state, (dp_matrix){gates, rows, 3 * h, false}, (dp_matrix){c->u, h, 3 * h, true}, true);
    }
    dp_blas_multiply(out->u, (dp_matrix){c->state, c->steps * rows, h, true},
                     (dp_matrix){c->gates, c->steps * rows, 3 * h, false}, true);
}

/* The loss of one position into the return value; probabilities become slopes of the logits, times `weight`. */
static double position_loss(float *p, size_t V, uint32_t right, float weight, dp_gru_loss kind)
{
    const float least = 1e-12f;
    double      loss = -log((double)p[right] + (double)least);
    if (kind == DP_LOSS_SOFTMAX) {
        p[right] -= 1;
        for (size_t k = 0; k < V; k++)
            p[k] *= weight;
        return loss * (double)weight;
    }
    /* dL/dp is -1/p for the right token, 1/(1-p) for others; through the softmax p (dL/dp - sum of p dL/dp). */
    float mean = -p[right] / (p[right] + least);
    for (size_t k = 0; k < V; k++)
        if (k != right) {
            loss -= log1p(-(double)p[k] + (double)least);
            mean += p[k] / (1 - p[k] + least);
        }
    for (size_t k = 0; k < V; k++) {
        float slope = k == right ? -1 / (p[k] + least) : 1 / (1 - p[k] + least);
        p[k] *= weight * (slope - mean);
    }
    return loss * (double)weight;
}

static size_t longest(const uint32_t *n, size_t rows)
{
    size_t most = 0;
    for (size_t i = 0; i < rows; i++)
        most = n[i] > most ? n[i] : most;
    return most;
}

dp_err dp_gru_learn(const dp_gru *g, const dp_gru_tables *tables, const dp_gru_batch *b, dp_gru_loss kind,
                    dp_gru_scratch *s, dp_gru_slopes *slopes, double *loss)
{
    size_t V = g->size.vocab, h = g->size.hidden, rows = b->rows;
    size_t ns = longest(b->nsource, rows), nt = longest(b->ntarget, rows);
    size_t need = rows * ((ns + nt + 2) * h + (ns + nt) * 7 * h + nt * (V + h) + h);
    if (!DP_ROOM_FOR(s->v, need, s->cap))
        return DP_ENOMEM;
    float     *rest = s->v;
    recurrence enc = {g, tables->enc, g->enc_u, b->nsource, rows, ns, NULL, NULL, NULL};
    recurrence dec = {g, tables->dec, g->dec_u, b->ntarget, rows, nt, NULL, NULL, NULL};
    enc.state = cut(&rest, (ns + 1) * rows * h);
    dec.state = cut(&rest, (nt + 1) * rows * h);
    enc.kept = cut(&rest, ns * rows * 4 * h);
    dec.kept = cut(&rest, nt * rows * 4 * h);
    enc.gates = cut(&rest, ns * rows * 3 * h);
    dec.gates = cut(&rest, nt * rows * 3 * h);
    float *logit = cut(&rest, nt * rows * V), *each = cut(&rest, nt * rows * h), *state = cut(&rest, rows * h);

    memset(enc.state, 0, rows * h * sizeof *enc.state);
    run_forward(&enc, b, reads_source);
    memcpy(dec.state, enc.state + ns * rows * h, rows * h * sizeof *dec.state);
    run_forward(&dec, b, reads_target);
    const float *out_state = dec.state + rows * h; /* behind each step */
    dp_gru_output(g, out_state, nt * rows, logit);

    *loss = 0;
    for (size_t t = 0; t < nt; t++)
        for (size_t i = 0; i < rows; i++) {
            float *p = logit + (t * rows + i) * V;
            if (t < b->ntarget[i])
                *loss += position_loss(p, V, b->target[t * rows + i], b->weight[i] / (float)b->ntarget[i], kind);
            else
                memset(p, 0, V * sizeof *p);
        }
    if (!slopes)
        return DP_OK;

    dp_matrix dlogit = {logit, nt * rows, V, false};
    dp_blas_multiply(slopes->out_w, (dp_matrix){out_state, nt * rows, h, true}, dlogit, true);
    for (size_t i = 0; i < nt * rows; i++)
        for (size_t k = 0; k < V; k++)
            slopes->out_b[k] += logit[i * V + k];
    dp_blas_multiply(each, dlogit, (dp_matrix){g->out_w, h, V, true}, false);
    memset(state, 0, rows * h * sizeof *state);
    run_backward(&dec, b, reads_target, each, &(slope_out){slopes->dec_table, slopes->dec_u, state});
    run_backward(&enc, b, reads_source, NULL, &(slope_out){slopes->enc_table, slopes->enc_u, state});
    return DP_OK;
}

/* From the slopes of a table to those of w, b and the embedding. */
static void through_table(dp_gru *out, float *out_w, float *out_b, const dp_gru *g, const float *w, const float *table)
{
    size_t V = g->size.vocab, e = g->size.embed, h3 = (size_t)3 * g->size.hidden;
    dp_blas_multiply(out_w, (dp_matrix){g->embedding, V, e, true}, (dp_matrix){table, V, h3, false}, false);
    dp_blas_multiply(out->embedding, (dp_matrix){table, V, h3, false}, (dp_matrix){w, e, h3, true}, true);
    memset(out_b, 0, h3 * sizeof *out_b);
    for (size_t i = 0; i < V; i++)
        for (size_t k = 0; k < h3; k++)
            out_b[k] += table[i * h3 + k];
}

void dp_gru_gradient(float *gradient, const dp_gru *g, const dp_gru_slopes *d)
{
    size_t V = g->size.vocab, e = g->size.embed, h = g->size.hidden;
    dp_gru out = dp_gru_view(g->size, gradient);
    memset(out.embedding, 0, V * e * sizeof *out.embedding);
    through_table(&out, out.enc_w, out.enc_b, g, g->enc_w, d->enc_table);
    through_table(&out, out.dec_w, out.dec_b, g, g->dec_w, d->dec_table);
    memcpy(out.enc_u, d->enc_u, 3 * h * h * sizeof *out.enc_u);
    memcpy(out.dec_u, d->dec_u, 3 * h * h * sizeof *out.dec_u);
    memcpy(out.out_w, d->out_w, h * V * sizeof *out.out_w);
    memcpy(out.out_b, d->out_b, V * sizeof *out.out_b);
}
