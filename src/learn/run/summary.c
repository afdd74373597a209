/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/plural.h"
#include "base/words/json.h"
#include "input/identity.h"
#include "judge/saving.h"
#include "rule/attr.h"
#include "rule/print.h"

void dp_results_done(dp_results *r)
{
    dp_buf_done(&r->file);
    dp_buf_done(&r->note);
    dp_left_done(&r->left);
    free(r->overridden);
    dp_arena_done(&r->texts);
    *r = (dp_results){0};
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static void add_learned(dp_learned *sum, const dp_learned *l)
{
    sum->proposed += l->proposed;
    sum->unreadable += l->unreadable;
    sum->refuted += l->refuted;
    sum->feeding += l->feeding;
    sum->idle += l->idle;
    sum->harmful += l->harmful;
    sum->active += l->active;
    sum->likely += l->likely;
    sum->labelled += l->labelled;
    sum->clusters += l->clusters;
    sum->singletons += l->singletons;
    sum->pairs += l->pairs;
    sum->relearned += l->relearned;
    sum->held_urls += l->held_urls;
    sum->held_clusters += l->held_clusters;
    sum->held_fetched += l->held_fetched;
    sum->held_lost += l->held_lost;
    sum->held_expected += l->held_expected;
    if (l->cert_missing && (!sum->cert_missing || l->cert_missing < sum->cert_missing))
        sum->cert_missing = l->cert_missing;
    sum->cert_sites += l->cert_sites;
    sum->certified += l->certified;
    sum->cert_good += l->cert_good;
    sum->cert_bad += l->cert_bad;
    sum->cert_pool += l->cert_pool;
}

static void warn(dp_results *r, bool holds, const char *text)
{
    if (holds && r->nwarning < DP_WARNINGS)
        r->warning[r->nwarning++] = text;
}

static void find_warnings(dp_results *r, const dp_settings *s)
{
    const dp_learned *sum = &r->sum;
    warn(r, r->urls && !sum->labelled && !s->method->needs_clusters,
         "no record shows which URLs are the same page, so every rule is only likely");
    warn(r, sum->pairs && sum->singletons * 20 < sum->clusters,
         "almost every page here has several URLs. If you filtered the input to duplicates, add the other URLs too: "
         "without them wrong rules cannot be detected. If this is the whole site, ignore this warning.");
    warn(r, r->sampled > 0 && s->certify,
         "sites with more than --site-sample URLs were learned and certified on a sample: the certificate holds for "
         "crawls of as many pages as it names");
    warn(r, r->sampled > 0 && !s->certify,
         "sites with more than --site-sample URLs were learned from a sample. The pages counted here are those of the "
         "sample; the votes on the rules are those of all URLs.");
    warn(r, r->is_known, "the state already contains these records; they were not added again");
    warn(r, r->contradicting > 0,
         "some URLs have several pages by these records; the page that most records name counts");
}

/* ---- the file --------------------------------------------------------------------------------------------- */

/* "614 URLs on 1 site show 61 pages" */
static void say_pages(dp_buf *b, const dp_results *r)
{
    const dp_learned *s = &r->sum;
    dp_buf_printf(b, "%" PRIu64 " URL%s on %" PRIu64 " site%s", r->urls, dp_s(r->urls), r->sites, dp_s(r->sites));
    if (s->labelled < r->urls && s->labelled)
        dp_buf_printf(b, ", %" PRIu64 " of them", s->labelled);
    if (s->labelled)
        dp_buf_printf(b, " %s %" PRIu64 " page%s", dp_plural(s->labelled, "shows", "show"), s->clusters,
                      dp_s(s->clusters));
}

/* "2 active rules, 1 likely rule" */
static void say_rules(dp_buf *b, const dp_results *r)
{
    dp_buf list = {0};
    dp_count_add(&list, r->sum.active, "active rule", "active rules");
    dp_count_add(&list, r->sum.likely, "likely rule", "likely rules");
    dp_buf_str(b, list.n ? dp_buf_view(&list) : DP_STR("no rules"));
    b->failed |= list.failed;
    dp_buf_done(&list);
}

/* How pages were told apart; NULL: they were not. */
static const char *identity_of(const dp_results *r)
{
    return dp_identity_name(r->has_names, r->has_contents);
}

static void write_header(dp_buf *b, const dp_results *r, const dp_settings *s)
{
    static const char *const sites[] = {"linked", "domain", "host"};
    dp_buf_printf(b, "dustpan-rules 1\n# learned by dustpan: method %s, accept %s, min-precision ", r->method,
                  s->accept == DP_ACCEPT_PAPER ? "paper" : "judge");
    dp_json_number(b, r->min_precision, 4);
    dp_buf_printf(b, ", site %s", sites[s->grouping]);
    if (s->certify) {
        dp_buf_c(b, ", certify, confidence ");
        dp_json_number(b, s->confidence, 6);
    }
    for (int by = DP_BYS - 1, n = 0; by >= 0; by--) {
        if (s->trust >> by & 1)
            dp_buf_printf(b, "%s%s", n++ ? "," : ", trust ", dp_by_name((dp_by)by));
    }
    if (s->first < 1) {
        dp_buf_c(b, ", first ");
        dp_json_number(b, s->first, 6);
    }
    for (size_t i = 0; i < s->names.n; i++) {
        dp_str name = dp_strlist_get(&s->names, i);
        if (!dp_settings_is_text(s, name))
            dp_buf_printf(b, ", %.*s %.*s", DP_FMT(name), DP_FMT(dp_strlist_get(&s->values, i)));
    }
    if (identity_of(r))
        dp_buf_printf(b, ", identity=%s", identity_of(r));
    dp_buf_c(b, "\n# ");
    say_pages(b, r);
    dp_buf_c(b, "; ");
    say_rules(b, r);
    dp_buf_byte(b, '\n');
}

static int by_certainty(const void *a, const void *b)
{
    const dp_overridden *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    int c = dp_str_cmp(x->hosts, y->hosts);
    return c ? c : dp_str_cmp(x->rule, y->rule);
}

/* The rules that guards know, and the votes that overrode these. */
static dp_err find_overridden(dp_results *r, const dp_rules *rules)
{
    r->overridden = malloc((rules->nrule + 1) * sizeof *r->overridden);
    bool ok = r->overridden != NULL;
    for (size_t i = 0; i < rules->nrule && ok; i++) {
        const dp_rule *x = rules->rule[i];
        const dp_attr *guard = dp_attr_find(x, DP_STR("guard"));
        if (!guard)
            continue;
        dp_overridden one = {.rule = dp_arena_str(&r->texts, x->text), .id = x->id,
                             .hosts = dp_arena_str(&r->texts, x->block->hosts),
                             .guards = dp_arena_str(&r->texts, guard->value),
                             .n = (uint64_t)dp_rule_number(x, "n", 0), .neg = (uint64_t)dp_rule_number(x, "neg", 0),
                             .urls = (uint64_t)dp_rule_number(x, "urls", 0), .p = dp_rule_number(x, "p", 1),
                             .is_likely = x->state == DP_LIKELY};
        r->overridden[r->noverridden++] = one;
        ok = one.rule.p && one.hosts.p && one.guards.p;
    }
    if (ok && r->noverridden)
        qsort(r->overridden, r->noverridden, sizeof *r->overridden, by_certainty);
    return ok ? DP_OK : DP_ENOMEM;
}

/* Print what was written as `rules fmt` does. */
static dp_err format_file(dp_results *r, dp_str text, dp_error *err)
{
    dp_rules *rules = NULL;
    DP_TRY(dp_rules_new(&rules));
    dp_err code = dp_rules_parse(rules, "learned", text.p, text.n, err);
    if (code == DP_OK)
        code = find_overridden(r, rules);
    if (code == DP_OK)
        dp_print_file(&r->file, rules);
    dp_rules_free(rules);
    return r->file.failed ? DP_ENOMEM : code;
}

dp_err dp_results_make(dp_results *out, const dp_settings *s, const uint64_t record[DP_FACT_COUNTS],
                       const dp_site_results *sites, dp_error *err)
{
    dp_buf text = {0};
    out->method = s->method->name;
    out->min_precision = s->min_precision;
    out->confidence = s->confidence;
    memcpy(out->record, record, sizeof out->record);
    out->all_were = true;
    for (size_t i = 0; i < sites->n; i++) {
        const dp_site_result *f = &sites->v[i];
        out->sites += !f->across && f->urls; /* one of which all is gone has no page */
        out->urls += f->urls;
        out->contradicting += f->contradicting;
        out->soft += f->soft;
        out->alike += f->alike;
        out->has_names |= f->names > 0;
        out->has_contents |= f->contents > 0;
        out->sampled += f->sampled != 0;
        out->relearned += f->learned.relearned != 0;
        out->all_were &= f->learned.relearned >= f->urls;
        for (size_t k = 0; k < DP_BYS; k++)
            out->by[k] += f->by[k];
        add_learned(&out->sum, &f->learned);
        DP_TRY(dp_left_add(&out->left, &f->learned.left));
    }
    find_warnings(out, s);
    write_header(&text, out, s);
    for (size_t i = 0; i < sites->n; i++)
        dp_buf_str(&text, dp_buf_view(&sites->v[i].learned.text));
    dp_err code = text.failed ? DP_ENOMEM : format_file(out, dp_buf_view(&text), err);
    dp_buf_done(&text);
    return code;
}

/* ---- the summary --------------------------------------------------------------------------------------------- */

#define TWICE \
    "if pages contain a clock, a counter or a token, fetch some URLs twice (dustpan validate --echo 50 " \
    "-o echo.warc.gz FILE) and learn from both files"

/* Why there is no rule, and what to do about it; NULL: there is one, or nobody knows why. */
static const char *why_none(const dp_results *r, const char **next)
{
    const dp_learned *s = &r->sum;
    *next = NULL;
    if (s->active || s->likely)
        return NULL;
    if (!r->urls) {
        *next = "give records of pages that were fetched: lists, logs, crawls, CDX or WARC (man dustpan, INPUT "
                "FORMATS)";
        return r->record[DP_FACT_RECORDS] ? "no record of the input is a page that was fetched"
                                          : "the input has no records";
    }
    if (!s->labelled) {
        *next = "add records with clusters, digests, bodies or redirects (docs/labels.md), or try --method dust, which "
                "can do without";
        return "no record shows which URLs are the same page, by a cluster, a digest, a body or a redirect";
    }
    if (!s->pairs) {
        *next = TWICE "; if not, add more URLs of the same sites";
        return "no page was seen under two URLs: all pages are different";
    }
    *next = r->has_contents ? TWICE "; if not, add more URLs of the same sites, or ask for less with --min-precision"
                            : "add more URLs of the same sites, or ask for less with --min-precision";
    return "some pages have several URLs, but no change of the URL holds for enough of them";
}

enum { SHOWN_FORMS = 3, SHOWN_OVERRIDDEN = 5 };

static void add_forms(dp_buf *out, const dp_results *r)
{
    dp_str      rest = dp_buf_view(&r->left.forms);
    dp_leftover one;
    dp_json_open(out, "unmerged", '[');
    for (int i = 0; i < SHOWN_FORMS && dp_leftover_next(&rest, &one); i++) {
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "form", one.form);
        dp_json_count(out, "keys", one.keys);
        dp_json_open(out, "example", '[');
        dp_json_text(out, NULL, one.one);
        dp_json_text(out, NULL, one.other);
        dp_buf_c(out, "]}");
    }
    dp_buf_byte(out, ']');
}

/* What the rules do to the input itself. */
static void add_left(dp_buf *out, const dp_results *r)
{
    const char *next, *why = why_none(r, &next);
    dp_json_count(out, "known_urls", r->left.urls);
    dp_json_count(out, "known_pages", r->left.pages);
    dp_json_count(out, "known_fetched", r->left.fetched);
    dp_json_share(out, "known_reduction", dp_share(r->left.urls - r->left.fetched, r->left.urls));
    dp_json_share(out, "known_best_reduction", dp_share(r->left.urls - r->left.pages, r->left.urls));
    dp_json_count(out, "unmerged_keys", r->left.spare);
    add_forms(out, r);
    if (why)
        dp_json_text(out, "why_no_rule", dp_str_c(why));
    if (why && next)
        dp_json_text(out, "next", dp_str_c(next));
}

/* Rules that guards know, and by which votes they are there all the same. */
static void add_overridden(dp_buf *out, const dp_results *r)
{
    dp_json_open(out, "guarded", '[');
    for (size_t i = 0; i < r->noverridden; i++) {
        const dp_overridden *x = &r->overridden[i];
        dp_json_open(out, NULL, '{');
        dp_json_short_id(out, "id", x->id);
        dp_json_text(out, "hosts", x->hosts);
        dp_json_text(out, "rule", x->rule);
        dp_json_text(out, "state", x->is_likely ? DP_STR("likely") : DP_STR("active"));
        dp_json_text(out, "guards", x->guards);
        dp_json_count(out, "for", x->n);
        dp_json_count(out, "against", x->neg);
        if (x->urls)
            dp_json_count(out, "urls", x->urls);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void print_json(dp_buf *out, const dp_results *r)
{
    const dp_learned *s = &r->sum;
    const struct {
        const char *name;
        uint64_t    n;
    } counts[] = {
        {"records", r->record[DP_FACT_RECORDS]}, {"bad_lines", r->bad_lines},
        {"not_urls", r->record[DP_FACT_NOT_URLS]}, {"errors", r->record[DP_FACT_ERRORS]},
        {"not_pages", r->record[DP_FACT_NOT_PAGES]}, {"redirects", r->record[DP_FACT_REDIRECTS]},
        {"contradicting", r->contradicting}, {"soft_errors", r->soft}, {"alike_pages", r->alike},
        {"urls", r->urls}, {"sites", r->sites}, {"labelled", s->labelled}, {"clusters", s->clusters},
        {"singletons", s->singletons}, {"proposed", s->proposed}, {"unreadable", s->unreadable},
        {"refuted", s->refuted}, {"feeding", s->feeding}, {"idle", s->idle}, {"harmful", s->harmful},
        {"rules", s->active},
        {"likely", s->likely}, {"rehearsed_sites", r->relearned}, {"rehearsed_urls", s->relearned},
        {"held_out_urls", s->held_urls}, {"held_out_clusters", s->held_clusters},
        {"held_out_fetched", s->held_fetched}, {"held_out_lost", s->held_lost},
    }, certified[] = {
        {"certified_sites", s->certified}, {"certified_good", s->cert_good}, {"certified_bad", s->cert_bad},
        {"certified_pool", s->cert_pool}, {"certified_missing", s->cert_missing},
    };
    dp_buf_byte(out, '{');
    dp_json_text(out, "method", dp_str_c(r->method));
    if (identity_of(r))
        dp_json_text(out, "identity", dp_str_c(identity_of(r)));
    for (size_t i = 0; i < DP_COUNT(counts); i++)
        dp_json_count(out, counts[i].name, counts[i].n);
    for (size_t i = 0; s->cert_sites && i < DP_COUNT(certified); i++)
        dp_json_count(out, certified[i].name, certified[i].n);
    dp_json_share(out, "held_out_reduction", dp_share(s->held_urls - s->held_fetched, s->held_urls));
    dp_json_key(out, "held_out_expected_lost");
    dp_json_number(out, s->held_expected, 3);
    add_left(out, r);
    add_overridden(out, r);
    dp_json_open(out, "evidence", '{');
    for (int by = DP_BYS - 1; by >= 0; by--) {
        if (r->by[by])
            dp_json_count(out, dp_by_name((dp_by)by), r->by[by]);
    }
    dp_buf_byte(out, '}');
    dp_json_text(out, "note", dp_buf_view(&r->note));
    dp_json_open(out, "warnings", '[');
    for (size_t i = 0; i < r->nwarning; i++)
        dp_json_text(out, NULL, dp_str_c(r->warning[i]));
    dp_buf_c(out, "]}\n");
}

/* On pages that had no say. */
static void print_held_out(dp_buf *out, const dp_results *r)
{
    const dp_learned *s = &r->sum;
    dp_buf_printf(out, "tested on %" PRIu64 " page%s (%" PRIu64 " URL%s)", s->held_clusters, dp_s(s->held_clusters),
                  s->held_urls, dp_s(s->held_urls));
    if (r->relearned && !r->all_were)
        dp_buf_printf(out, " of %" PRIu64 " site%s,", r->relearned, dp_s(r->relearned));
    dp_buf_c(out, " kept out of learning: ");
    dp_saving_say(out, s->held_urls, s->held_fetched, s->held_clusters);
    dp_buf_printf(out, ", %" PRIu64 " page%s lost (%.1f expected)\n", s->held_lost, dp_s(s->held_lost),
                  s->held_expected);
}

/* "certified: 99 % of what the active rules merge on new pages is right, at 95 % confidence" and by what. */
static void print_certified(dp_buf *out, const dp_results *r)
{
    const dp_learned *s = &r->sum;
    if (s->certified) {
        dp_buf_printf(out, "certified: at least %.6g %% of what the active rules merge is right, with a confidence of "
                           "%.6g %%", 100 * r->min_precision, 100 * r->confidence);
        if (s->cert_sites > 1)
            dp_buf_printf(out, ", on each of %" PRIu64 " of %" PRIu64 " sites", s->certified, s->cert_sites);
    } else {
        dp_buf_c(out, s->cert_sites > 1 ? "no site is certified" : "not certified");
    }
    dp_buf_printf(out, " (%" PRIu64 " vote%s for, %" PRIu64 " against, of pages kept out of learning", s->cert_good,
                  dp_s(s->cert_good), s->cert_bad);
    if (s->certified == 1 && s->cert_sites == 1)
        dp_buf_printf(out, "; tried against %" PRIu64 " others", s->cert_pool);
    dp_buf_c(out, ")\n");
    if (s->cert_missing && (s->proposed || s->cert_good))
        dp_buf_printf(out, "%s %" PRIu64 " more vote%s: add records of more pages that have two or more URLs, or ask "
                           "for less with --min-precision\n",
                      s->cert_sites - s->certified > 1 ? "the site that comes closest lacks" : "it lacks",
                      s->cert_missing, dp_s(s->cert_missing));
}

/* "on the input itself: 6 fetches for 9 URLs of 5 pages, 33.3 % fewer fetches of 44.4 % possible"; what is left. */
static void print_left(dp_buf *out, const dp_results *r)
{
    const dp_left *l = &r->left;
    dp_str         rest = dp_buf_view(&l->forms);
    dp_leftover    one;
    dp_buf_printf(out, "on the input itself: %" PRIu64 " fetch%s for %" PRIu64 " URL%s of %" PRIu64 " page%s, ",
                  l->fetched, dp_plural(l->fetched, "", "es"), l->urls, dp_s(l->urls), l->pages, dp_s(l->pages));
    dp_saving_say(out, l->urls, l->fetched, l->pages);
    dp_buf_byte(out, '\n');
    if (!l->spare)
        return;
    dp_buf_printf(out, "no rule merges %" PRIu64 " more duplicate%s; most of them differ in\n", l->spare,
                  dp_s(l->spare));
    for (int i = 0; i < SHOWN_FORMS && dp_leftover_next(&rest, &one); i++)
        dp_buf_printf(out, "  %" PRIu64 ": %.*s\n     %.*s\n     %.*s\n", one.keys, DP_FMT(one.form),
                      DP_FMT(one.one), DP_FMT(one.other));
}

/* What guards would have held back, and what has overridden them: a person should look at it. */
static void print_overridden(dp_buf *out, const dp_results *r)
{
    if (!r->noverridden)
        return;
    bool one_site = true;
    for (size_t i = 0; i < r->noverridden; i++)
        one_site &= dp_str_eq(r->overridden[i].hosts, r->overridden[0].hosts);
    dp_buf_printf(out, "%zu rule%s %s URLs that differ in a version, date, language, page number or id, which is often "
                       "equal by accident; the votes were many, but look at %s ('dustpan explain'):\n",
                  r->noverridden, dp_s(r->noverridden), dp_plural(r->noverridden, "merges", "merge"),
                  dp_plural(r->noverridden, "it", "them"));
    for (size_t i = 0; i < r->noverridden && i < SHOWN_OVERRIDDEN; i++) {
        const dp_overridden *x = &r->overridden[i];
        dp_buf_printf(out, "  %.*s: ", DP_FMT(x->guards));
        if (x->urls)
            dp_buf_printf(out, "%" PRIu64 " URL%s of one page", x->urls, dp_s(x->urls));
        else
            dp_buf_printf(out, "%" PRIu64 " for, %" PRIu64 " against", x->n, x->neg);
        dp_buf_c(out, "  ");
        if (!one_site)
            dp_buf_printf(out, "host %.*s: ", DP_FMT(x->hosts));
        dp_buf_printf(out, "%s%.*s\n", x->is_likely ? "likely " : "", DP_FMT(x->rule));
    }
    if (r->noverridden > SHOWN_OVERRIDDEN)
        dp_buf_printf(out, "  and %zu more: guard= in the rule file\n", r->noverridden - SHOWN_OVERRIDDEN);
}

/* Labels may be what is missing. */
static void print_alike(dp_buf *out, uint64_t pages)
{
    if (pages)
        dp_buf_printf(out, "%" PRIu64 " %s from another one only in a few places ('dustpan cluster' shows two of "
                           "them); to learn whether that matters, fetch some URLs twice with 'dustpan validate "
                           "--echo'\n",
                      pages, dp_plural(pages, "page differs", "pages differ"));
}

static void print_records(dp_buf *out, const dp_results *r)
{
    static const struct {
        dp_fact_count which;
        const char   *one, *many;
    } ignored[] = {
        {DP_FACT_ERRORS, "answered with an error", "answered with an error"},
        {DP_FACT_NOT_PAGES, "request that shows no page (not GET, or not answered with 200)",
         "requests that show no page (not GET, or not answered with 200)"},
        {DP_FACT_NOT_URLS, "not a URL", "not URLs"},
    };
    uint64_t records = r->record[DP_FACT_RECORDS];
    dp_buf   list = {0};
    for (size_t i = 0; i < DP_COUNT(ignored); i++)
        dp_count_add(&list, r->record[ignored[i].which], ignored[i].one, ignored[i].many);
    dp_count_add(&list, r->bad_lines, "line that cannot be read", "lines that cannot be read");
    dp_buf_printf(out, "%" PRIu64 " record%s", records, dp_s(records));
    if (list.n)
        dp_buf_printf(out, "; ignored: %.*s", DP_FMT(dp_buf_view(&list)));
    if (r->bad_lines)
        dp_buf_printf(out, " (%.2f %%)", 100 * dp_share(r->bad_lines, r->bad_lines + records));
    dp_buf_byte(out, '\n');
    out->failed |= list.failed;
    dp_buf_done(&list);
}

/* What was found, and what a rule that is only likely needs. */
static void print_rules(dp_buf *out, const dp_results *r)
{
    const dp_learned *s = &r->sum;
    if (s->active)
        dp_buf_printf(out, "%" PRIu64 " active rule%s", s->active, dp_s(s->active));
    else
        dp_buf_c(out, s->likely ? "No rule is proven" : "No rule was found");
    if (s->likely)
        dp_buf_printf(out, ". %" PRIu64 "%s %s plausible and marked \"likely\": %s until you test %s with "
                           "'dustpan validate'.", s->likely, s->active ? " more" : "",
                      dp_plural(s->likely, "is", "are"), dp_plural(s->likely, "it does nothing", "they do nothing"),
                      dp_plural(s->likely, "it", "them"));
    else if (s->proposed)
        dp_buf_printf(out, "; %" PRIu64 " candidate%s examined", s->proposed, dp_s(s->proposed));
    dp_buf_byte(out, '\n');
}

static void print_plain(dp_buf *out, const dp_results *r)
{
    const dp_learned *s = &r->sum;
    uint64_t          several = s->clusters - s->singletons;
    print_records(out, r);
    say_pages(out, r);
    if (several)
        dp_buf_printf(out, "; %" PRIu64 " %s two or more URLs", several,
                      dp_plural(several, "page has", "pages have"));
    dp_buf_byte(out, '\n');
    print_alike(out, r->alike);
    print_rules(out, r);
    print_overridden(out, r);
    const char *next, *why = why_none(r, &next);
    if (why)
        dp_buf_printf(out, "why: %s\n", why);
    if (s->cert_sites)
        print_certified(out, r);
    if (s->held_urls)
        print_held_out(out, r);
    if (r->left.urls > r->left.pages)
        print_left(out, r);
    dp_buf_str(out, dp_buf_view(&r->note));
    if (r->note.n)
        dp_buf_byte(out, '\n');
    if (why && next)
        dp_buf_printf(out, "next: %s\n", next);
}

void dp_results_print(dp_buf *out, const dp_results *r, dp_format format)
{
    if (format == DP_JSON)
        print_json(out, r);
    else
        print_plain(out, r);
}
