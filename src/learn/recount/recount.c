/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/recount/recount.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "base/day.h"
#include "base/hash.h"
#include "base/order.h"
#include "learn/recount/blame.h"
#include "learn/accept/judge_each.h"
#include "learn/accept/write.h"
#include "rule/attr.h"
#include "rule/print.h"
#include "store/pack.h"

static const char HEADER[] = "dustpan-rules 1\n";

/* ---- rules -------------------------------------------------------------------------------------------------- */

unsigned dp_recount_parts(const dp_site_sample *sample)
{
    uint64_t parts = sample->most ? (sample->facts + sample->most - 1) / sample->most : 1;
    return parts > DP_RECOUNT_PARTS ? DP_RECOUNT_PARTS : parts ? (unsigned)parts : 1;
}

static dp_err compile(dp_recount *r, dp_str text)
{
    dp_buf file = {0};
    dp_buf_c(&file, HEADER);
    dp_buf_str(&file, text);
    dp_err code = file.failed ? DP_ENOMEM : dp_rules_new(&r->program.rules);
    if (code == DP_OK)
        code = dp_rules_parse(r->program.rules, "learned", file.p, file.n, NULL);
    if (code == DP_OK)
        code = dp_compile(&r->program.engine.im, r->program.rules, NULL);
    dp_buf_done(&file);
    return code;
}

dp_err dp_recount_init(dp_recount *r, dp_str text, const dp_site_sample *sample, unsigned parts)
{
    *r = (dp_recount){.sample = sample, .parts = parts};
    DP_TRY(compile(r, text));
    r->n = r->program.rules->nrule;
    r->sum = calloc(DP_COUNTS * r->n + 1, sizeof *r->sum);
    if (!r->sum)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->n; i++)
        r->any_likely |= r->program.rules->rule[i]->state == DP_LIKELY;
    r->program.engine.choice.with_likely = true;
    return dp_scratch_new(&r->scratch);
}

void dp_recount_done(dp_recount *r)
{
    dp_program_done(&r->program);
    free(r->sum);
    dp_scratch_free(r->scratch);
    *r = (dp_recount){0};
}

/* The part of a URL. */
static dp_err place(const dp_recount *r, dp_scratch *s, dp_str url, unsigned *part)
{
    dp_str key = dp_engine_run(&r->program.engine, s, DP_KEY, url, NULL, NULL);
    *part = key.p ? (unsigned)(dp_hash_str(key) % r->parts) : 0;
    return key.p ? DP_OK : DP_ENOMEM;
}

dp_err dp_recount_places(const dp_recount *r, dp_scratch *s, const dp_fact *f, unsigned part[2])
{
    DP_TRY(place(r, s, f->url, &part[0]));
    part[1] = part[0];
    return f->has & DP_FACT_LINK ? place(r, s, f->link, &part[1]) : DP_OK;
}

/* ---- counting ------------------------------------------------------------------------------------------------- */

/* The numbers of a count, as a table, so that each is named once. */
enum { NUMBERS = 5 + DP_BYS };

static void list_numbers(dp_recounted *c, uint64_t *out[NUMBERS])
{
    uint64_t *some[] = {&c->votes, &c->against, &c->wrong, &c->good, &c->save};
    memcpy(out, some, sizeof some);
    for (int k = 0; k < DP_BYS; k++)
        out[DP_COUNT(some) + (size_t)k] = &c->kind[k];
}

static void add(dp_recounted *sum, const dp_recounted *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t *to[NUMBERS], *from[NUMBERS];
        dp_recounted  one = v[i];
        list_numbers(&sum[i], to);
        list_numbers(&one, from);
        for (size_t k = 0; k < NUMBERS; k++)
            *to[k] += *from[k];
    }
}

void dp_recount_add(dp_recount *r, const dp_recount *more)
{
    add(r->sum, more->sum, DP_COUNTS * r->n);
    r->urls += more->urls;
}

/* Clusters without those of URLs of other parts, which are counted there; `*own` are the URLs of this one. */
static dp_err leave_out_others(uint32_t *cluster, uint64_t *own, const dp_recount *r, const dp_site *s, unsigned part)
{
    dp_scratch *scratch = NULL;
    dp_err      code = dp_scratch_new(&scratch);
    *own = 0;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        unsigned of = part;
        code = place(r, scratch, s->url[i], &of);
        cluster[i] = of == part ? s->cluster[i] : DP_NO_CLUSTER;
        *own += of == part;
    }
    dp_scratch_free(scratch);
    return code;
}

/* What is counted with. */
typedef struct walk {
    dp_together   together;
    dp_blame      blame;
    dp_recounted *sum;       /* [rules] */
    size_t       *pro, *con; /* [rules] the last group that voted for it, and against it, by its place + 1 */
    size_t        group;     /* that is counted */
    uint32_t     *of;        /* room for the clusters of a group */
} walk;

/* How many URLs of the group are of a cluster; w->of is sorted. */
static size_t size_of(const walk *w, size_t n, uint32_t cluster)
{
    size_t first, size = 0;
    DP_BISECT(first, n, w->of[first] < cluster);
    while (first + size < n && w->of[first + size] == cluster)
        size++;
    return size;
}

/* The cluster that most URLs of the group are of; of equal ones that of the first URL, since the numbers of clusters
 * depend on the part. */
static uint32_t majority(walk *w, const uint32_t *v, size_t n, size_t *most)
{
    const uint32_t *cluster = w->together.site->cluster;
    uint32_t        best = DP_NO_CLUSTER;
    *most = 0;
    for (size_t i = 0; i < n; i++)
        w->of[i] = cluster[v[i]];
    qsort(w->of, n, sizeof *w->of, dp_by_number);
    if (w->of[0] == w->of[n - 1]) {
        *most = n;
        return w->of[0];
    }
    for (size_t i = 0, size; i < n; i++) {
        if (cluster[v[i]] != best && (size = size_of(w, n, cluster[v[i]])) > *most) {
            *most = size;
            best = cluster[v[i]];
        }
    }
    return best;
}

static bool is_moved(const walk *w, uint32_t url)
{
    return w->together.at[url + 1] > w->together.at[url];
}

/* Of the main cluster one URL is fetched: the first that no rule has moved, else the first. */
static uint32_t fetched(const walk *w, const uint32_t *v, size_t n, uint32_t main)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        if (w->together.site->cluster[v[i]] != main)
            continue;
        if (!is_moved(w, v[i]))
            return v[i];
        first = first == UINT32_MAX ? v[i] : first;
    }
    return first;
}

/* A page was brought to the group by a rule, of which it has no good word to say then. */
static void count_against(void *ctx, uint32_t rule)
{
    walk     *w = ctx;
    dp_recounted *c = &w->sum[rule];
    c->wrong++;
    c->against += w->con[rule] != w->group;
    c->votes -= w->con[rule] != w->group && w->pro[rule] == w->group;
    w->con[rule] = w->group;
}

/* A group of several URLs. */
static dp_err count_group(walk *w, const uint32_t *v, size_t n)
{
    const dp_together *j = &w->together;
    size_t             most;
    uint32_t           main = majority(w, v, n, &most), kept = fetched(w, v, n, main);
    bool               pure = most == n;
    for (size_t i = 0; i < n; i++) {
        uint32_t url = v[i];
        if (j->site->cluster[url] != main)
            continue;
        for (size_t k = j->at[url]; k < j->at[url + 1]; k++) {
            dp_recounted *c = &w->sum[j->fired[k]];
            c->good++;
            c->kind[j->site->by[url]]++;
            c->save += url != kept && k == j->at[url];
            if (most > 1 && w->pro[j->fired[k]] != w->group) {
                c->votes++;
                w->pro[j->fired[k]] = w->group;
            }
        }
    }
    return pure ? DP_OK : dp_blame_group(&w->blame, j->site, v, n, main, count_against, w);
}

static dp_err count_groups(walk *w)
{
    const dp_together *j = &w->together;
    dp_err             code = (w->of = malloc((j->n + 1) * sizeof *w->of)) ? DP_OK : DP_ENOMEM;
    for (size_t i = 0, end; i < j->n && code == DP_OK; i = end) {
        for (end = i + 1; end < j->n && j->key[j->order[end]] == j->key[j->order[i]]; end++) {}
        w->group = i + 1;
        if (end - i > 1)
            code = count_group(w, j->order + i, end - i);
    }
    free(w->of);
    return code;
}

/* Run the rules on the URLs whose evidence is of `kinds`, and add what they did to `sum`. */
static dp_err run(const dp_recount *r, dp_recounted *sum, const dp_site *s, unsigned kinds, bool likely, dp_pool *pool)
{
    dp_program g = r->program;
    walk       w = {.sum = sum, .pro = calloc(r->n + 1, sizeof *w.pro), .con = calloc(r->n + 1, sizeof *w.con),
                    .blame = {.engine = &g.engine}};
    g.engine.choice.with_likely = likely;
    dp_err code = w.pro && w.con ? dp_scratch_new(&w.blame.scratch) : DP_ENOMEM;
    if (code == DP_OK)
        code =
            dp_together_run(&w.together, &(dp_together_task){.program = &g, .site = s, .kinds = kinds, .pool = pool});
    if (code == DP_OK)
        code = dp_together_sort(&w.together);
    if (code == DP_OK)
        code = count_groups(&w);
    dp_together_done(&w.together);
    dp_blame_done(&w.blame);
    dp_scratch_free(w.blame.scratch);
    free(w.pro);
    free(w.con);
    return code;
}

/* Active rules on evidence that is trusted, likely ones on all; the first of the two counts is `which`. */
static dp_err run_both(const dp_recount *r, size_t which, const dp_site *s, unsigned trust, dp_pool *pool)
{
    if (r->n)
        DP_TRY(run(r, r->sum + which * r->n, s, trust, false, pool));
    return r->any_likely ? run(r, r->sum + (which + 1) * r->n, s, ~0u, true, pool) : DP_OK;
}

dp_err dp_recount_add_part(dp_recount *r, dp_corpus *c, unsigned part, unsigned trust, dp_pool *pool)
{
    dp_arena  a = {0};
    dp_site   s = {0};
    uint64_t  own = 0;
    bool      has_others = c->redirect.n || c->canonical.n;
    dp_err    code = dp_corpus_site(&s, c, DP_STR("part"), &a);
    uint32_t *cluster = malloc((s.n + 1) * sizeof *cluster);
    if (code == DP_OK && !cluster)
        code = DP_ENOMEM;
    if (code == DP_OK && s.n)
        memcpy(cluster, s.cluster, s.n * sizeof *cluster);
    s.cluster = cluster;
    if (code == DP_OK && has_others)
        code = leave_out_others(cluster, &own, r, &s, part);
    if (code == DP_OK)
        code = run_both(r, DP_COUNT_ACTIVE, &s, trust, pool);
    for (size_t i = 0; i < s.n && code == DP_OK; i++)
        cluster[i] = dp_site_sample_takes(r->sample, s.url[i]) ? cluster[i] : DP_NO_CLUSTER;
    if (code == DP_OK)
        code = run_both(r, DP_COUNT_ACTIVE_SAMPLE, &s, trust, pool);
    if (code == DP_OK)
        r->urls += has_others ? own : s.n;
    free(cluster);
    dp_arena_done(&a);
    return code;
}

/* ---- bytes ---------------------------------------------------------------------------------------------------- */

static const char MARK[8] = "dpcount\n";

void dp_recount_pack(dp_buf *out, const dp_recount *r)
{
    uint64_t *number[NUMBERS];
    dp_buf_add(out, MARK, sizeof MARK);
    dp_pack_number(out, r->n);
    dp_pack_number(out, r->urls);
    for (size_t i = 0; i < DP_COUNTS * r->n; i++) {
        list_numbers(&r->sum[i], number);
        for (size_t k = 0; k < NUMBERS; k++)
            dp_pack_number(out, *number[k]);
    }
}

dp_err dp_recount_unpack(dp_recount *r, dp_str bytes)
{
    uint64_t *number[NUMBERS], n, urls;
    if (bytes.n < sizeof MARK || memcmp(bytes.p, MARK, sizeof MARK) != 0)
        return DP_ESYNTAX;
    bytes = dp_str_cut(bytes, sizeof MARK, bytes.n);
    if (!dp_unpack_number(&bytes, &n) || n != r->n || !dp_unpack_number(&bytes, &urls))
        return DP_ESYNTAX;
    for (size_t i = 0; i < DP_COUNTS * r->n; i++) {
        dp_recounted one;
        list_numbers(&one, number);
        for (size_t k = 0; k < NUMBERS; k++) {
            if (!dp_unpack_number(&bytes, number[k]))
                return DP_ESYNTAX;
        }
        add(&r->sum[i], &one, 1);
    }
    r->urls += urls;
    return bytes.n ? DP_ESYNTAX : DP_OK;
}

/* ---- verdicts ------------------------------------------------------------------------------------------------- */

/* What a rule did on all URLs, or in the sample. */
static const dp_recounted *sum_of(const dp_recount *r, size_t rule, bool sample)
{
    bool   likely = r->program.rules->rule[rule]->state == DP_LIKELY;
    size_t which = sample ? (likely ? DP_COUNT_LIKELY_SAMPLE : DP_COUNT_ACTIVE_SAMPLE)
                          : (likely ? DP_COUNT_LIKELY : DP_COUNT_ACTIVE);
    return &r->sum[which * r->n + rule];
}

static double share_wrong(uint64_t good, uint64_t wrong)
{
    return wrong ? (double)wrong / (double)(good + wrong) : 0;
}

/* The share of wrong labels, by what all rules seemed to do wrong where they were learned. In a group of two URLs each
 * of them may be the one with a wrong label, in a large one that counts once: twice as much is no wonder. */
static double noise_of_all(const dp_recount *r)
{
    uint64_t good = 0, wrong = 0;
    for (size_t i = 0; i < r->n; i++) {
        good += sum_of(r, i, true)->good;
        wrong += sum_of(r, i, true)->wrong;
    }
    return 2 * share_wrong(good, wrong);
}

static double noise_of(const dp_recount *r, size_t rule, double of_all)
{
    const dp_recounted *did = sum_of(r, rule, true);
    double          own = share_wrong(did->good, did->wrong), noise = own > of_all ? own : of_all;
    return noise < DP_LEAST_NOISE ? DP_LEAST_NOISE : noise;
}

/* Whether the rule stays, and what is written of it. */
static bool judge(const dp_recount *r, size_t rule, double noise, double min_precision, dp_proposal *out)
{
    const dp_recounted *did = sum_of(r, rule, false);
    const dp_court  court = {.min_precision = min_precision};
    dp_bound        b = DP_BOUND_INIT;
    const dp_rule  *own = r->program.rules->rule[rule];
    double          old = dp_rule_number(own, "p", 0);
    double          good = (double)did->good, bad = (double)did->wrong;
    b.noise = noise_of(r, rule, noise);
    double wrong = bad - b.noise * (good + bad);
    *out = (dp_proposal){.n = did->votes, .neg = did->against, .save = did->save,
                         .sites = (uint32_t)dp_rule_number(own, "sites", 0),
                         .urls = (uint64_t)dp_rule_number(own, "urls", 0),
                         .p = dp_bound_precision(&b, good, good + bad)};
    const dp_attr *across = dp_attr_find(own, DP_STR("across")), *seen = dp_attr_find(own, DP_STR("seen"));
    const dp_attr *guard = dp_attr_find(own, DP_STR("guard"));
    int64_t        day;
    out->seen = seen && dp_day_read(&day, seen->value) ? day * DP_DAY_SECONDS : 0;
    out->across = across ? dp_across_find(across->value) : DP_ACROSS_NOTHING;
    out->guards = guard ? guard->value : out->guards;
    for (int k = 0; k < DP_BYS; k++)
        out->by |= did->kind[k] && did->kind[k] * 20 >= did->good ? 1u << k : 0;
    if (!did->against) {
        out->p = out->p > old ? out->p : old; /* nothing speaks against what was promised */
        return true;
    }
    return out->p >= min_precision && dp_bound_pays(good, wrong > 0 ? wrong : 0, dp_court_kappa(&court));
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

/* Blocks as they were, without the rules that failed. */
typedef struct writing {
    const dp_recount *r;
    double            noise, min_precision;
    dp_buf            out;
    size_t            rule; /* that comes next */
    uint64_t          active, likely, dropped;
} writing;

/* Write the next rule, if it stays. */
static bool put_rule(writing *w)
{
    const dp_rule *r = w->r->program.rules->rule[w->rule];
    dp_proposal    p;
    if (!judge(w->r, w->rule++, w->noise, w->min_precision, &p)) {
        w->dropped++;
        return false;
    }
    *(r->state == DP_LIKELY ? &w->likely : &w->active) += 1;
    p.text = r->text;
    p.state = r->state;
    if (p.n) {
        dp_write_rule(&w->out, &p);
    } else { /* nobody voted */
        dp_print_rule(&w->out, r);
        dp_buf_byte(&w->out, '\n');
    }
    return true;
}

/* A block stays where one of its rules does, or its order line. */
static void put_block(writing *w, const dp_block *b)
{
    size_t from = w->out.n;
    bool   stays = b->order != DP_ORDER_UNSET;
    dp_print_block(&w->out, b);
    for (size_t i = 0; i < b->nrule; i++)
        stays |= put_rule(w);
    w->out.n = stays ? w->out.n : from;
}

dp_err dp_recount_write(const dp_recount *r, dp_learned *l, double min_precision)
{
    writing w = {.r = r, .noise = noise_of_all(r), .min_precision = min_precision};
    const dp_rules *rules = r->program.rules;
    for (size_t i = 0; i < rules->nblock; i++)
        put_block(&w, rules->block[i]);
    if (w.out.failed) {
        dp_buf_done(&w.out);
        return DP_ENOMEM;
    }
    dp_buf_done(&l->text);
    l->text = w.out;
    l->active = w.active;
    l->likely = w.likely;
    l->harmful += w.dropped;
    return DP_OK;
}
