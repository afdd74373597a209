/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/patterns.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/plural.h"
#include "base/str.h"
#include "cli/say.h"

enum { SHOWN = 10 };

static dp_err learn(dp_learner *l, dp_text **text, const dp_record_files *in, dp_error *err)
{
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_learner_input(l, (dp_input_option)i, in->how[i]));
    DP_TRY(dp_learner_run(l, in->files.v, in->files.n, err));
    return dp_learner_rules(text, l);
}

dp_err dp_patterns_learn(dp_rules **out, const dp_record_files *in, dp_error *err)
{
    dp_learner *l = NULL;
    dp_text    *text = NULL;
    dp_rules   *r = NULL;
    dp_err      code = dp_learner_new(&l);
    if (code == DP_OK)
        code = learn(l, &text, in, err);
    if (code == DP_OK)
        code = dp_rules_new(&r);
    if (code == DP_OK)
        code = dp_rules_parse(r, "learned.rules", dp_text_data(text), dp_text_size(text), err);
    dp_text_free(text);
    dp_learner_free(l);
    if (code == DP_OK)
        *out = r;
    else
        dp_rules_free(r);
    return code;
}

/* ---- what to fix ------------------------------------------------------------------------------------------------ */

typedef struct pattern {
    size_t   rule;
    uint64_t save;
    double   p;
} pattern;

static dp_str text_of(const dp_rules *r, size_t i)
{
    size_t      n;
    const char *p = dp_rules_text(r, i, &n);
    return (dp_str){p, n};
}

static double number_of(const dp_rules *r, size_t i, const char *key)
{
    size_t      n;
    const char *value = dp_rules_attr(r, i, key, &n);
    return value ? strtod(value, NULL) : 0;
}

static int by_save(const void *a, const void *b)
{
    const pattern *x = a, *y = b;
    if (x->save != y->save)
        return x->save > y->save ? -1 : 1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

/* Whether `rules export` can express the rule for a target, once it was tested. */
static bool can_export(const dp_rules *r, size_t i, const char *target)
{
    dp_str      rule = text_of(r, i);
    size_t      nhost, count[DP_EXCHANGE_COUNTS] = {0};
    const char *hosts = dp_rules_hosts(r, i, &nhost);
    dp_rules   *alone = NULL;
    dp_text    *made = NULL, *refused = NULL;
    dp_buf      b = {0};
    dp_buf_printf(&b, "dustpan-rules 1\nhost %.*s\npin %.*s\n", (int)nhost, hosts, DP_FMT(rule));
    dp_err code = b.failed ? DP_ENOMEM : dp_rules_new(&alone);
    if (code == DP_OK)
        code = dp_rules_parse(alone, "rule", b.p, b.n, NULL);
    if (code == DP_OK)
        code = dp_rules_export(&made, &refused, alone, target, 0, count, NULL);
    dp_text_free(made);
    dp_text_free(refused);
    dp_rules_free(alone);
    dp_buf_done(&b);
    return code == DP_OK && count[DP_EXCHANGE_TAKEN];
}

/* What helps beside links, rel=canonical and the sitemap. */
static const char *export_of(const dp_rules *r, size_t i)
{
    if (can_export(r, i, "clean-param"))
        return "; robots.txt: rules export --to clean-param or robots";
    if (can_export(r, i, "robots"))
        return "; robots.txt: rules export --to robots";
    if (can_export(r, i, "nginx-redirect"))
        return "; 301: rules export --to nginx-redirect or apache-redirect, after validate";
    return "";
}

/* Whether the URLs that the rule leads to can be asked for. */
static bool has_target(dp_str rule)
{
    const char *arrow = memmem(rule.p, rule.n, " => ", 4);
    for (const char *p = arrow; p && p < rule.p + rule.n; p++) {
        if (*p == '*' && p[-1] != '*' && p[-1] != '{')
            return false;
    }
    return !dp_str_starts(rule, DP_STR("erase "));
}

static const char *link_of(dp_str rule)
{
    if (!has_target(rule))
        return "link to one of these URLs, name it in rel=canonical, keep only that one in the sitemap";
    if (dp_str_starts(rule, DP_STR("drop ")))
        return "link without it, rel=canonical to the URL without it";
    return memmem(rule.p, rule.n, " => ", 4) ? "link to the form that is requested most, rel=canonical to it"
                                            : "link to one form, rel=canonical to it";
}

static void say_one(const dp_rules *r, const pattern *v)
{
    size_t      nhost;
    dp_str      rule = text_of(r, v->rule);
    const char *hosts = dp_rules_hosts(r, v->rule, &nhost);
    dp_say("  %.*s  (%.*s): %" PRIu64 " URL%s too many, p %.3f", DP_FMT(rule), (int)nhost, hosts, v->save,
           dp_s(v->save), v->p);
    dp_say("      fix: %s%s", link_of(rule), export_of(r, v->rule));
}

void dp_patterns_say(const dp_rules *rules, const dp_record_files *in)
{
    const char *base = in->how[DP_INPUT_BASE_URL];
    size_t   all = dp_rules_count(rules), n = 0;
    pattern *v = malloc((all + 1) * sizeof *v);
    for (size_t i = 0; v && i < all; i++) {
        pattern one = {i, (uint64_t)number_of(rules, i, "save"), number_of(rules, i, "p")};
        if (one.save && one.p >= DP_PATTERNS_LEAST)
            v[n++] = one;
    }
    if (v && n) {
        qsort(v, n, sizeof *v, by_save);
        dp_say("no rules were given, so they were learned; %zu pattern%s to fix:", n < SHOWN ? n : SHOWN,
               dp_s(n < SHOWN ? n : SHOWN));
        for (size_t i = 0; i < n && i < SHOWN; i++)
            say_one(rules, &v[i]);
        dp_say_next("dustpan learn%s%s -o site.rules %s (writes the rules, to test and to export them)",
                    base ? " --base-url " : "", base ? base : "", dp_list_name(in->files, "FILE"));
    } else if (v) {
        dp_say("no rules were given, and none could be learned that is right with a chance of %.1f", DP_PATTERNS_LEAST);
    }
    free(v);
}
