/* dp_explain_evidence of dustpan.h: a merge, and what speaks for and against the rules that make it.
 *
 *     evidence
 *       6fc6b81b  /{**}/index.html => /{**}/
 *                 learned: expected precision .996, 88 votes for, 0 against, by text
 *                 not certified
 *                 records: holds, 41 votes for, 1 against
 *                     for  against  URLs
 *                 >    37        0    80  pages under /docs/, depth 2
 *                       4        1    20  pages under /docs/, depth 3, with parameters
 *                 one page:   http://...
 *                             http://...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "apply/explain.h"
#include "base/plural.h"
#include "base/words/json.h"
#include "eval/audit.h"
#include "eval/strata.h"
#include "rule/attr.h"
#include "rule/certified.h"

enum {
    SHOWN_STRATA = 8, /* of a rule; as JSON ... */
    MOST_STRATA = 100
};

#define INDENT "            "

/* One rule, and what is known of it. */
typedef struct witness {
    const dp_audit  *audit; /* NULL: no records were given */
    const dp_rule   *rule;
    size_t           number;
    const dp_strata *strata; /* NULL: the same */
    dp_buf          *out;
} witness;

/* ---- pairs ---------------------------------------------------------------------------------------------------- */

/* Pair number `i`, of one page or of two, taken from the strata in turn: the first of each, then the second of each.
 * False when there are no more. */
static bool nth_pair(const dp_strata *s, bool is_wrong, size_t i, dp_wrong *out)
{
    for (uint32_t k = 0; k < DP_SAMPLES; k++) {
        for (size_t j = 0; j < s->n; j++) {
            const dp_stratum *t = &s->v[j];
            if (k >= (is_wrong ? t->nwrong : t->ngood) || i-- > 0)
                continue;
            *out = is_wrong ? t->wrong[k] : t->good[k];
            return true;
        }
    }
    return false;
}

static void plain_pairs(const witness *w, bool is_wrong)
{
    dp_wrong pair;
    for (size_t i = 0; i < DP_SAMPLES && nth_pair(w->strata, is_wrong, i, &pair); i++) {
        dp_buf_c(w->out, is_wrong ? INDENT "two pages:  " : INDENT "one page:   ");
        dp_audit_put_url(w->out, w->audit, pair.a, pair.b);
        dp_buf_c(w->out, "\n" INDENT "            ");
        dp_audit_put_url(w->out, w->audit, pair.b, pair.a);
        dp_buf_byte(w->out, '\n');
    }
}

static void json_url(const witness *w, uint32_t item, uint32_t other)
{
    dp_buf text = {0};
    dp_audit_put_url(&text, w->audit, item, other);
    dp_json_take(w->out, NULL, &text);
}

static void json_pairs(const witness *w, const char *name, bool is_wrong)
{
    dp_wrong pair;
    dp_json_open(w->out, name, '[');
    for (size_t i = 0; i < DP_SAMPLES && nth_pair(w->strata, is_wrong, i, &pair); i++) {
        dp_json_open(w->out, NULL, '[');
        json_url(w, pair.a, pair.b);
        json_url(w, pair.b, pair.a);
        dp_buf_byte(w->out, ']');
    }
    dp_buf_byte(w->out, ']');
}

/* ---- plain ---------------------------------------------------------------------------------------------------- */

static void plain_learned(const witness *w)
{
    const dp_attr *p = dp_attr_find(w->rule, DP_STR("p")), *by = dp_attr_find(w->rule, DP_STR("by"));
    double         n = dp_rule_number(w->rule, "n", -1);
    if (!p && n < 0) {
        dp_buf_c(w->out, INDENT "the rule file gives no evidence\n");
        return;
    }
    dp_buf_c(w->out, INDENT "learned: ");
    if (p)
        dp_buf_printf(w->out, "expected precision %.*s%s", DP_FMT(p->value), n < 0 ? "" : ", ");
    if (n >= 0)
        dp_buf_printf(w->out, "%.0f vote%s for, %.0f against", n, dp_s((uint64_t)n), dp_rule_number(w->rule, "neg", 0));
    if (by)
        dp_buf_printf(w->out, ", by %.*s", DP_FMT(by->value));
    dp_buf_byte(w->out, '\n');
}

/* The certificate of its hosts, which speaks of active rules alone. */
static bool read_certificate(dp_certified *out, const dp_rule *r)
{
    return r->state == DP_ACTIVE && dp_certified_read(out, r->block);
}

static void plain_certificate(const witness *w)
{
    dp_certified c;
    if (!read_certificate(&c, w->rule)) {
        dp_buf_c(w->out, INDENT "not certified\n");
        return;
    }
    dp_buf_c(w->out, INDENT "certified: at least ");
    dp_json_number(w->out, 100 * c.precision, 4);
    dp_buf_c(w->out, " % of what the active rules of the site merge is right, with a confidence of ");
    dp_json_number(w->out, 100 * c.confidence, 4);
    dp_buf_printf(w->out, " %%\n" INDENT "           (%.0f votes for, %.0f against, tried against %.0f others)\n", c.n,
                  c.neg, c.pool);
}

static void plain_stratum(dp_buf *out, const dp_stratum *s)
{
    dp_buf_printf(out, INDENT "%c %5" PRIu64 "  %7" PRIu64 "  %6" PRIu64 "  ", s->is_asked ? '>' : ' ', s->pos, s->neg,
                  s->urls);
    dp_stratum_say(out, s);
    dp_buf_byte(out, '\n');
}

static void plain_strata(const witness *w)
{
    dp_stratum rest = {0};
    size_t     more = 0;
    bool       unheard = false;
    dp_buf_c(w->out, INDENT "    for  against    URLs  (> like the URLs given)\n");
    for (size_t i = 0; i < w->strata->n; i++) {
        const dp_stratum *s = &w->strata->v[i];
        unheard |= s->is_asked && s->pos + s->neg == 0;
        if (i < SHOWN_STRATA || s->is_asked) {
            plain_stratum(w->out, s);
            continue;
        }
        more++;
        rest.pos += s->pos;
        rest.neg += s->neg;
        rest.urls += s->urls;
    }
    if (more)
        dp_buf_printf(w->out, INDENT "  %5" PRIu64 "  %7" PRIu64 "  %6" PRIu64 "  %zu more kind%s of URLs\n", rest.pos,
                      rest.neg, rest.urls, more, dp_s(more));
    if (unheard)
        dp_buf_c(w->out, INDENT "no vote comes from URLs like these\n");
}

static void plain_probes(const witness *w)
{
    dp_draws d = w->audit->rule[w->number].probed.draws;
    if (!w->audit->explore.most)
        return;
    dp_buf_printf(w->out, INDENT "probes: %" PRIu64 " right, %" PRIu64 " wrong; at least ", d.right, d.wrong);
    dp_json_number(w->out, 100 * dp_bet_least(d, w->audit->confidence), 2);
    dp_buf_c(w->out, " % right, with a confidence of ");
    dp_json_number(w->out, 100 * w->audit->confidence, 2);
    dp_buf_c(w->out, " %\n");
}

static void plain_witness(const witness *w)
{
    dp_buf_printf(w->out, "  %08" PRIx64 "  %.*s\n", w->rule->id >> 32, DP_FMT(w->rule->text));
    plain_learned(w);
    plain_certificate(w);
    if (!w->audit)
        return;
    const dp_audited *of = &w->audit->rule[w->number];
    if (of->verdict == DP_VERDICT_SILENT)
        dp_buf_c(w->out, INDENT "records: without evidence, nobody voted\n");
    else
        dp_buf_printf(w->out, INDENT "records: %s, %" PRIu64 " vote%s for, %" PRIu64 " against\n",
                      dp_verdict_name(of->verdict), of->pos, dp_s(of->pos), of->neg);
    plain_probes(w);
    plain_strata(w);
    plain_pairs(w, false);
    plain_pairs(w, true);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static void json_attr(dp_buf *out, const dp_rule *r, const char *key)
{
    double v = dp_rule_number(r, key, -1);
    if (v < 0)
        dp_json_null(out, key);
    else
        dp_json_share(out, key, v);
}

static void json_certificate(dp_buf *out, const dp_rule *r)
{
    dp_certified c;
    if (!read_certificate(&c, r)) {
        dp_json_null(out, "certificate");
        return;
    }
    dp_json_open(out, "certificate", '{');
    dp_json_share(out, "precision", c.precision);
    dp_json_share(out, "confidence", c.confidence);
    dp_json_share(out, "n", c.n);
    dp_json_share(out, "neg", c.neg);
    dp_json_share(out, "pool", c.pool);
    dp_buf_byte(out, '}');
}

static void json_strata(dp_buf *out, const dp_strata *s)
{
    dp_json_open(out, "strata", '[');
    for (size_t i = 0; i < s->n; i++) {
        const dp_stratum *t = &s->v[i];
        if (i >= MOST_STRATA && !t->is_asked)
            continue;
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "kind", dp_str_c(dp_resource_name(t->kind)));
        dp_json_text(out, "section", t->section);
        dp_json_count(out, "depth", t->depth);
        dp_json_flag(out, "parameters", t->has_query);
        dp_json_count(out, "for", t->pos);
        dp_json_count(out, "against", t->neg);
        dp_json_count(out, "urls", t->urls);
        dp_json_flag(out, "asked", t->is_asked);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
    dp_json_count(out, "strata_in_all", s->n);
}

static void json_witness(const witness *w)
{
    const dp_attr *by = dp_attr_find(w->rule, DP_STR("by"));
    dp_json_line(w->out);
    dp_json_open(w->out, NULL, '{');
    dp_json_id(w->out, "id", w->rule->id);
    dp_json_text(w->out, "rule", w->rule->text);
    json_attr(w->out, w->rule, "p");
    json_attr(w->out, w->rule, "n");
    json_attr(w->out, w->rule, "neg");
    dp_json_text(w->out, "by", by ? by->value : DP_STR(""));
    json_certificate(w->out, w->rule);
    if (w->audit) {
        const dp_audited *of = &w->audit->rule[w->number];
        dp_json_text(w->out, "verdict", dp_str_c(dp_verdict_name(of->verdict)));
        dp_json_count(w->out, "for", of->pos);
        dp_json_count(w->out, "against", of->neg);
        if (w->audit->explore.most) {
            dp_json_open(w->out, "probes", '{');
            dp_json_count(w->out, "right", of->probed.draws.right);
            dp_json_count(w->out, "wrong", of->probed.draws.wrong);
            dp_json_share(w->out, "least", dp_bet_least(of->probed.draws, w->audit->confidence));
            dp_json_share(w->out, "confidence", w->audit->confidence);
            dp_buf_byte(w->out, '}');
        }
        json_strata(w->out, w->strata);
        json_pairs(w, "one_page", false);
        json_pairs(w, "two_pages", true);
    }
    dp_buf_byte(w->out, '}');
}

/* ---- all rules that fired ------------------------------------------------------------------------------------- */

static dp_err add_witness(dp_story *st, const dp_rules *rules, const dp_audit *a, const dp_told *told,
                          const dp_str url[2])
{
    dp_strata strata = {0};
    witness   w = {.audit = a, .rule = rules->rule[told->rule], .number = told->rule, .out = &st->text};
    dp_err    code = DP_OK;
    if (a) {
        dp_str asked[2];
        size_t n = 0;
        for (size_t i = 0; i < 2; i++) {
            if (told->on[i])
                asked[n++] = url[i];
        }
        code = dp_strata_count(&strata, &(dp_strata_of){&a->trail, &a->truth, a->kind, asked, n}, told->rule);
        w.strata = &strata;
    }
    if (code == DP_OK)
        (st->json ? json_witness : plain_witness)(&w);
    dp_strata_done(&strata);
    return code;
}

static dp_err add_evidence(dp_story *st, const dp_rules *rules, const dp_audit *a, const dp_str url[2])
{
    if (st->json)
        dp_json_open(&st->text, "evidence", '[');
    else if (st->nrule)
        dp_buf_c(&st->text, "\nevidence\n");
    for (size_t i = 0; i < st->nrule; i++)
        DP_TRY(add_witness(st, rules, a, &st->rule[i], url));
    if (st->json)
        dp_buf_byte(&st->text, ']');
    return DP_OK;
}

dp_err dp_explain_evidence(dp_text **out, const dp_engine *e, const dp_rules *rules, const dp_audit *a, dp_form form,
                           const char *first, const char *second, dp_format format, int *same)
{
    dp_story     st = {.e = e, .json = format == DP_JSON};
    const dp_str url[2] = {dp_str_c(first), dp_str_c(second ? second : "")};
    if (dp_engine_count(e) != rules->nrule || (a && !dp_audit_is_of(a, rules)))
        return DP_EINVALID;
    dp_err code = second ? dp_story_pair(&st, url[0], url[1], same) : dp_story_url(&st, form, url[0]);
    if (code == DP_OK)
        code = add_evidence(&st, rules, a, url);
    return dp_story_end(out, &st, code);
}
