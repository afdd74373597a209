/* DustBuster as a row of the table of learners: a site's URLs in, substitutions and parameter rules out.
 *
 * Clusters are not looked at: the method is the one that needs none, and its rules are validated by fetching, or
 * against labels, afterwards. So whatever it proposes is `likely`, unless clusters speak for it or against it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust_method.h"

#include "learn/dust_text.h"
#include "url/split.h"

#include <stdlib.h>

/* ---- options ------------------------------------------------------------------------------ */

static const dp_dust_options defaults = DP_DUST_OPTIONS_INIT;

#define FIELD(name) offsetof(dp_dust_options, name)

static const dp_option_row rows[] = {
    {.name = "ignore-sizes", .help = "do not compare the sizes of pages", .type = DP_OPTION_BOOL,
     .offset = FIELD(ignore_sizes)},
    {.name = "shingles", .arg = "N", .help = "of 4 that must agree in two sketches; 0: do not compare them",
     .type = DP_OPTION_UINT32, .offset = FIELD(shingles), .max = 4},
    {.name = "MS", .arg = "N", .help = "pairs of URLs that a substitution needs", .type = DP_OPTION_UINT32,
     .offset = FIELD(MS), .min = 1, .max = UINT32_MAX},
    {.name = "S", .arg = "N", .help = "tokens of a substring at most", .type = DP_OPTION_UINT32, .offset = FIELD(S),
     .max = 255, .paper = true},
    {.name = "T-low", .arg = "N", .help = "URLs that may share what surrounds a substring, when rules are detected",
     .type = DP_OPTION_UINT32, .offset = FIELD(T_low), .max = 255, .paper = true},
    {.name = "T-high", .arg = "N", .help = "the same, when redundant ones are eliminated", .type = DP_OPTION_UINT32,
     .offset = FIELD(T_high), .max = 255, .paper = true},
    {.name = "MRD", .arg = "X", .help = "how much less support, as a share, a refinement may have",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(MRD), .max = 1, .paper = true},
    {.name = "MAD", .arg = "N", .help = "the same as a number", .type = DP_OPTION_UINT32, .offset = FIELD(MAD),
     .max = UINT32_MAX, .paper = true},
    {.name = "MW", .arg = "N", .help = "rules that one is compared with", .type = DP_OPTION_SIZE, .offset = FIELD(MW),
     .max = 1e9, .paper = true},
    {.name = "epsilon", .arg = "X", .help = "share of pairs that may differ under a parameter rule",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(epsilon), .max = 1, .paper = true},
};

/* ---- a site's URLs ------------------------------------------------------------------------- */

static dp_dust_url url_of(const dp_site *s, size_t i)
{
    static const uint64_t none[4];
    dp_dust_url           u = {.url = s->url[i]};
    if (s->size_min && s->size_min[i] >= 0) {
        u.has_size = true;
        u.size_min = s->size_min[i];
        u.size_max = s->size_max[i];
    }
    if (s->sketch && memcmp(s->sketch[i], none, sizeof none) != 0) {
        u.has_sketch = true;
        memcpy(u.sketch, s->sketch[i], sizeof u.sketch);
    }
    return u;
}

static unsigned evidence_of(const dp_site *s, const dp_dust_options *o)
{
    unsigned by = 0;
    if (s->sketch && o->shingles)
        by |= 1u << DP_BY_NEAR;
    if (s->size_min && !o->ignore_sizes)
        by |= 1u << DP_BY_SIZE;
    return by ? by : 1u << DP_BY_LIST;
}

/* ---- hosts --------------------------------------------------------------------------------- */

static dp_str host_of(dp_str url)
{
    dp_split s;
    return dp_split_url(&s, url) ? s.host : (dp_str){NULL, 0};
}

static int by_bytes(const void *a, const void *b)
{
    return dp_str_cmp(*(const dp_str *)a, *(const dp_str *)b);
}

/* All hosts of a site as the names of a host line. */
static dp_err list_hosts(dp_str *out, const dp_site *s, dp_arena *a)
{
    dp_str *v = calloc(s->n + 1, sizeof *v);
    size_t  n = 0;
    dp_buf  b = {0};
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++) {
        dp_str host = host_of(s->url[i]);
        if (host.n && (n == 0 || !dp_str_eq(host, v[n - 1])))
            v[n++] = host;
    }
    qsort(v, n, sizeof *v, by_bytes);
    for (size_t i = 0; i < n; i++) {
        if (i && dp_str_eq(v[i], v[i - 1]))
            continue;
        dp_buf_c(&b, i ? ", " : "");
        dp_buf_str(&b, v[i]);
    }
    *out = dp_arena_str(a, dp_buf_view(&b));
    bool good = out->p && !b.failed;
    dp_buf_done(&b);
    free(v);
    return good ? DP_OK : DP_ENOMEM;
}

/* ---- proposals ------------------------------------------------------------------------------ */

static dp_err propose(dp_proposals *out, const dp_buf *text, dp_proposal p, dp_arena *a)
{
    p.text = dp_arena_str(a, dp_buf_view(text));
    p.p = -1;
    p.state = DP_LIKELY;
    p.passes = true;
    return p.text.p && !text->failed ? dp_proposals_add(out, &p) : DP_ENOMEM;
}

static dp_err propose_all(dp_proposals *out, const dp_dust_result *r, const dp_dust_forms *forms, dp_proposal p,
                          dp_buf *text, dp_arena *a)
{
    for (size_t i = 0; i < r->rules.n; i++) {
        dp_buf_reset(text);
        p.n = r->rules.v[i].sup_low;
        if (dp_dust_rule_text(text, &r->rules.v[i], forms))
            DP_TRY(propose(out, text, p, a));
    }
    for (size_t i = 0; i < r->nparam; i++) {
        dp_buf_reset(text);
        p.n = r->param[i].similar;
        p.neg = r->param[i].pairs - r->param[i].similar;
        if (dp_dust_param_text(text, &r->param[i]))
            DP_TRY(propose(out, text, p, a));
    }
    return DP_OK;
}

static dp_err learn(dp_proposals *out, const dp_site *s, const void *options, const dp_learn_context *ctx, dp_arena *a)
{
    dp_dust_options o = *(const dp_dust_options *)options;
    o.memory = ctx->memory;
    dp_dust_url *v = calloc(s->n + 1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++)
        v[i] = url_of(s, i);
    dp_arena       work = {0};
    dp_dust_result r;
    dp_dust_forms  forms;
    dp_proposal    p = {.by = evidence_of(s, &o)};
    dp_buf         text = {0};
    dp_err         e = dp_dust_learn(&r, v, s->n, &o, &work);
    if (e == DP_OK)
        e = dp_dust_forms_read(&forms, s->url, s->n, &work);
    if (e == DP_OK)
        e = list_hosts(&p.hosts, s, a);
    if (e == DP_OK && p.hosts.n)
        e = propose_all(out, &r, &forms, p, &text, a);
    dp_buf_done(&text);
    dp_arena_done(&work);
    free(v);
    return e;
}

const dp_method dp_method_dust = {
    .name = "dust",
    .summary = "substitutions from URLs alone, or with sizes or sketches (Bar-Yossef et al. 2006)",
    .options_size = sizeof defaults,
    .options_init = &defaults,
    .option = rows,
    .noption = DP_COUNT(rows),
    .learn = learn,
};
