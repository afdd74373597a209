/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/certify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/fold.h"
#include "judge/certificate.h"
#include "judge/groups.h"
#include "learn/accept/run_together.h"
#include "learn/run/held_out.h"
#include "rule/print.h"
#include "site/part.h"

enum { MOST_LISTS = 40 /* each is run on all URLs */ };

#define AMPLE 1.5 /* times as many votes as are needed when none is against */

/* ---- who teaches, who votes ------------------------------------------------------------------------------------- */

/* Folds, as bits. */
typedef struct division {
    uint32_t teach, first, second;
} division;

static const division halves = {0x01f, 0x060, 0x380}, fifths = {0x0ff, 0x100, 0x200};

/* Four fifths teach where the others can be expected to be enough. */
static division divide(const dp_site *s, const dp_learn_how *t)
{
    double pages = 0, enough = AMPLE * log(1 / (1 - t->confidence)) / (1 - t->ctx.min_precision);
    for (uint32_t c = 0; c < s->nclusters; c++)
        pages += s->size[c] > 1;
    return pages * .2 >= enough ? fifths : halves;
}

static bool is_in(const dp_site *s, uint32_t cluster, uint32_t folds)
{
    return folds >> s->fold[cluster] & 1;
}

static uint64_t count_pages(const dp_site *s, uint32_t folds)
{
    uint64_t n = 0;
    for (uint32_t c = 0; c < s->nclusters; c++)
        n += is_in(s, c, folds);
    return n;
}

/* ---- one list --------------------------------------------------------------------------------------------------- */

typedef struct votes {
    uint64_t good, bad;
    double   expected; /* of all that vote, by what the pages that taught would say */
} votes;

/* What the groups of equal keys say of each page. */
typedef struct hearing {
    const dp_site *site;
    division       d;
    dp_stamps      stamps;
    uint8_t       *merged, *hit; /* [clusters] two of its URLs have one key; it has another's */
} hearing;

/* A group: URLs order[0] to order[n - 1] have one key. */
static void hear_group(hearing *h, const uint32_t *order, size_t n)
{
    const dp_site *s = h->site;
    bool           teach = false, first = false;
    dp_stamps_next(&h->stamps);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = s->cluster[order[i]];
        h->merged[c] |= !dp_stamps_add(&h->stamps, c);
        teach |= is_in(s, c, h->d.teach);
        first |= is_in(s, c, h->d.first);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t c = s->cluster[order[i]];
        h->hit[c] |= (is_in(s, c, h->d.first) && teach) || (is_in(s, c, h->d.second) && (teach || first));
    }
}

static votes count_votes(const hearing *h)
{
    const dp_site *s = h->site;
    uint32_t       voters = h->d.first | h->d.second;
    uint64_t       taught = 0;
    votes          v = {0};
    for (uint32_t c = 0; c < s->nclusters; c++) {
        bool is_good = !h->hit[c] && h->merged[c] && !s->is_soft[c];
        taught += is_in(s, c, h->d.teach) && is_good;
        v.bad += is_in(s, c, voters) && h->hit[c];
        v.good += is_in(s, c, voters) && is_good;
    }
    uint64_t teachers = count_pages(s, h->d.teach);
    v.expected = teachers ? (double)taught * (double)count_pages(s, voters) / (double)teachers : 0;
    return v;
}

static dp_err hear(votes *out, const dp_together *j, division d)
{
    hearing h = {.site = j->site, .d = d, .merged = calloc(j->site->nclusters + 1u, 1),
                 .hit = calloc(j->site->nclusters + 1u, 1)};
    dp_err  code = h.merged && h.hit ? dp_stamps_init(&h.stamps, j->site->nclusters) : DP_ENOMEM;
    for (size_t i = 0, end; code == DP_OK && i < j->n; i = end) {
        for (end = i + 1; end < j->n && j->key[j->order[end]] == j->key[j->order[i]]; end++) {}
        hear_group(&h, j->order + i, end - i);
    }
    if (code == DP_OK)
        *out = count_votes(&h);
    dp_stamps_done(&h.stamps);
    free(h.merged);
    free(h.hit);
    return code;
}

/* What pages say of the rules that promise at least `least`. */
static dp_err vote(votes *out, dp_program *g, double least, const dp_site *s, division d, const dp_learn_how *t)
{
    dp_together j = {0};
    g->engine.choice.min_precision = (float)least;
    dp_err code = dp_together_run(&j, &(dp_together_task){.program = g, .site = s, .kinds = t->trust,
                                                          .pool = t->ctx.pool});
    if (code == DP_OK)
        code = dp_together_sort(&j);
    if (code == DP_OK)
        code = hear(out, &j, d);
    dp_together_done(&j);
    return code;
}

/* ---- all lists -------------------------------------------------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* What the active rules promise, each number once, the highest first; thinned out where there are too many lists. */
static size_t find_lists(double *out, const dp_rules *r)
{
    size_t n = 0, lists = 0, kept = 0;
    for (size_t i = 0; i < r->nrule; i++) {
        if (r->rule[i]->state == DP_ACTIVE)
            out[n++] = dp_rule_number(r->rule[i], "p", 1);
    }
    qsort(out, n, sizeof *out, falling);
    for (size_t i = 0; i < n; i++) {
        if (!lists || out[lists - 1] != out[i])
            out[lists++] = out[i];
    }
    for (size_t i = 0; i < lists; i++) {
        if ((i + 1) * MOST_LISTS / lists > i * MOST_LISTS / lists || lists <= MOST_LISTS)
            out[kept++] = out[i];
    }
    return kept;
}

/* Test the lists in their order; *least is what the longest that passes promises, INFINITY: none passes. */
static dp_err test(double *least, dp_learned *out, dp_program *g, const dp_site *s, division d, const dp_learn_how *t)
{
    double  precision = t->ctx.min_precision, most = 1 - t->confidence;
    double *list = malloc((g->rules->nrule + 1) * sizeof *list);
    bool    begun = false, passes = true;
    dp_err  code = list ? DP_OK : DP_ENOMEM;
    size_t  n = list ? find_lists(list, g->rules) : 0;
    *least = INFINITY;
    for (size_t i = 0; code == DP_OK && passes && i < n; i++) {
        votes v;
        code = vote(&v, g, list[i], s, d, t);
        begun |= code == DP_OK && (i + 1 == n || v.expected * (1 - precision) >= AMPLE * -log(most));
        if (code != DP_OK || !begun)
            continue;
        passes = dp_certificate_doubt(v.good, v.bad, precision) <= most;
        if (!passes && out->certified)
            break;
        out->certified = passes;
        out->cert_good = v.good;
        out->cert_bad = v.bad;
        out->cert_missing = passes ? 0 : dp_certificate_missing(v.good, v.bad, precision, most);
        *least = passes ? list[i] : INFINITY;
    }
    free(list);
    return code;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Rules that promise less than `least` become likely. Where no list has passed, parameters are not sorted either: there
 * is no likely order, and nothing proves this one. */
static void demote(dp_rules *r, double least)
{
    for (size_t i = 0; i < r->nblock && isinf(least); i++)
        r->block[i]->order = DP_ORDER_UNSET;
    for (size_t i = 0; i < r->nrule; i++) {
        if (r->rule[i]->state == DP_ACTIVE && !(dp_rule_number(r->rule[i], "p", 1) >= least))
            r->rule[i]->state = DP_LIKELY;
    }
}

static bool has_active(const dp_block *b)
{
    for (size_t i = 0; i < b->nrule; i++) {
        if (b->rule[i]->state == DP_ACTIVE)
            return true;
    }
    return false;
}

/* As rules have their p: without the 0 before the point. */
static void print_share(dp_buf *b, double share)
{
    dp_buf text = {0};
    dp_buf_printf(&text, "%.6g", share);
    dp_buf_add(b, text.p + (text.n > 1), text.n - (text.n > 1));
    dp_buf_done(&text);
}

static void print_certificate(dp_buf *b, const dp_learned *l, const dp_learn_how *t)
{
    dp_buf_c(b, "cert=");
    print_share(b, t->ctx.min_precision);
    dp_buf_byte(b, '/');
    print_share(b, t->confidence);
    dp_buf_printf(b, " n=%" PRIu64, l->cert_good);
    if (l->cert_bad)
        dp_buf_printf(b, " neg=%" PRIu64, l->cert_bad);
    dp_buf_printf(b, " pool=%" PRIu64, l->cert_pool);
}

/* The blocks of `r` in the place of those of `l`, with the certificate (NULL: none) on those that have active rules. */
static dp_err write_blocks(dp_learned *l, const dp_rules *r, const dp_learn_how *t)
{
    dp_buf_reset(&l->text);
    l->active = l->likely = 0;
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        dp_buf          head = {0};
        dp_print_block(&head, b);
        const char *end = head.failed ? NULL : memchr(head.p, '\n', head.n);
        if (!end) {
            dp_buf_done(&head);
            return DP_ENOMEM;
        }
        dp_buf_add(&l->text, head.p, (size_t)(end - head.p));
        if (t && has_active(b)) {
            dp_buf_c(&l->text, " [");
            print_certificate(&l->text, l, t);
            dp_buf_byte(&l->text, ']');
        }
        dp_buf_add(&l->text, end, head.n - (size_t)(end - head.p));
        dp_buf_done(&head);
        for (size_t k = 0; k < b->nrule; k++) {
            *(b->rule[k]->state == DP_ACTIVE ? &l->active : &l->likely) += 1;
            dp_print_rule(&l->text, b->rule[k]);
            dp_buf_byte(&l->text, '\n');
        }
    }
    return l->text.failed ? DP_ENOMEM : DP_OK;
}

/* ---- all together ----------------------------------------------------------------------------------------------- */

dp_err dp_certify_none(dp_learned *l)
{
    dp_program g = {0};
    dp_err     code = dp_program_read(&g, dp_buf_view(&l->text));
    if (code == DP_OK) {
        demote(g.rules, INFINITY);
        code = write_blocks(l, g.rules, NULL);
    }
    dp_program_done(&g);
    return code;
}

/* Prove what can be proven of the rules of `out`, which pages of d.teach have taught. */
static dp_err prove(dp_learned *out, const dp_site *s, division d, const dp_learn_how *t)
{
    dp_program g = {0};
    double     least;
    dp_err     code = dp_program_read(&g, dp_buf_view(&out->text));
    out->cert_sites = 1;
    out->cert_pool = count_pages(s, d.teach);
    if (code == DP_OK)
        code = test(&least, out, &g, s, d, t);
    if (code == DP_OK) {
        demote(g.rules, least);
        code = write_blocks(out, g.rules, t);
    }
    dp_program_done(&g);
    return code;
}

dp_err dp_certify_site(dp_learned *out, const dp_site *s, const dp_learn_how *t, bool linked)
{
    dp_arena a = {0};
    dp_site  known;
    division d = divide(s, t);
    dp_err   code = dp_site_without(&known, s, d.first | d.second, &a);
    if (code == DP_OK)
        code = dp_held_out_learn(out, &known, s, t, linked);
    if (code == DP_OK)
        code = prove(out, s, d, t);
    if (code == DP_OK) {
        dp_learned_count(out, s);
        code = dp_held_out_measure(out, s, t);
    }
    dp_arena_done(&a);
    return code;
}
