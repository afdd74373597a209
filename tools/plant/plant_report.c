/* plant_report.c - the score as text and as JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/words/json.h"
#include "plant_score.h"

enum { SHOWN = 20 };

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static double ratio(double a, double b, double none)
{
    return b > 0 ? a / b : none;
}

static size_t count(const plant_result *r, const char *kind, bool decoy, bool yes)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nverdict; i++) {
        const plant_verdict *v = &r->verdict[i];
        n += v->decoy == decoy && (v->yes || !yes) && (!kind || strcmp(kind, v->kind->name) == 0);
    }
    return n;
}

static size_t count_alone(const plant_result *r, bool precise)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nalone; i++)
        n += r->alone[i].precise || !precise;
    return n;
}

static size_t count_idle(const plant_result *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nalone; i++)
        n += r->alone[i].merges.good + r->alone[i].merges.bad + r->alone[i].merges.harmless == 0;
    return n;
}

double plant_recall(const plant_result *r)
{
    return ratio((double)count(r, NULL, false, true), (double)count(r, NULL, false, false), 1);
}

double plant_precision(const plant_result *r)
{
    return ratio((double)count_alone(r, true), (double)r->nalone, 1);
}

double plant_f1(const plant_merges *m)
{
    double p = ratio((double)m->covered, (double)m->groups, 1), q = ratio((double)m->covered, (double)m->pages, 1);
    return ratio(2 * p * q, p + q, 0);
}

/* ---- text ---------------------------------------------------------------------------------------------------- */

static void text_kinds(dp_buf *out, const plant_result *r, bool decoy)
{
    const char *last = "";
    for (unsigned i = 0; i < plant_kind_count; i++) {
        const char *name = plant_kinds[i].name;
        size_t      n = count(r, name, decoy, false);
        if (n && strcmp(name, last) != 0)
            dp_buf_printf(out, "  %-24s %6zu of %zu\n", name, count(r, name, decoy, true), n);
        last = name;
    }
}

static void text_verdicts(dp_buf *out, const plant_result *r, bool decoy, bool all)
{
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < r->nverdict; i++) {
        const plant_verdict *v = &r->verdict[i];
        if (v->decoy != decoy || v->yes != decoy)
            continue;
        if (shown == SHOWN && !all) {
            more++;
            continue;
        }
        if (!shown++)
            dp_buf_c(out, decoy ? "\nfell for:\n" : "\nmissed:\n");
        dp_buf_printf(out, "  %3u %%  %.*s  %.*s\n", v->same * 100 / v->asked, DP_FMT(v->host), DP_FMT(v->what));
    }
    if (more)
        dp_buf_printf(out, "  ... and %zu more (--list)\n", more);
}

static void text_alone(dp_buf *out, const plant_result *r, bool all)
{
    size_t shown = 0;
    for (size_t i = 0; i < r->nalone && (all || shown < SHOWN); i++) {
        const plant_alone *a = &r->alone[i];
        if (a->precise)
            continue;
        if (!shown++)
            dp_buf_c(out, "\nwrong by themselves (good and bad merges):\n");
        dp_buf_printf(out, "  %6llu %6llu  %.*s  %.*s\n", (unsigned long long)a->merges.good,
                      (unsigned long long)a->merges.bad, DP_FMT(a->host), DP_FMT(a->rule));
    }
}

static void print_text(dp_buf *out, const plant_result *r, const plant_score *s)
{
    const plant_merges *m = &r->all;
    dp_buf_c(out, "# ");
    plant_options_print(out, &r->o);
    dp_buf_printf(out, "\nplanted rules reproduced %7zu of %zu   recall %.4f\n", count(r, NULL, false, true),
                  count(r, NULL, false, false), plant_recall(r));
    text_kinds(out, r, false);
    dp_buf_printf(out, "rules that are precise   %7zu of %zu   precision %.4f (%zu merge nothing)\n",
                  count_alone(r, true), r->nalone, plant_precision(r), count_idle(r));
    dp_buf_printf(out, "decoys fallen for        %7zu of %zu\n", count(r, NULL, true, true),
                  count(r, NULL, true, false));
    text_kinds(out, r, true);
    dp_buf_printf(out,
                  "fresh URLs %llu, pages %llu, contents %llu, keys %llu\n"
                  "good merges %llu of %llu, bad %llu, wrong but harmless today %llu, F1 %.4f\n",
                  (unsigned long long)m->urls, (unsigned long long)m->pages, (unsigned long long)m->contents,
                  (unsigned long long)m->groups, (unsigned long long)m->good, (unsigned long long)(m->urls - m->pages),
                  (unsigned long long)m->bad, (unsigned long long)m->harmless, plant_f1(m));
    text_verdicts(out, r, false, s->list);
    text_verdicts(out, r, true, s->list);
    text_alone(out, r, s->list);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void json_kinds(dp_buf *out, const plant_result *r, bool decoy)
{
    const char *last = "";
    dp_json_open(out, decoy ? "by_decoy" : "by_family", '{');
    for (unsigned i = 0; i < plant_kind_count; i++) {
        const char *name = plant_kinds[i].name;
        size_t      n = count(r, name, decoy, false);
        if (n && strcmp(name, last) != 0) {
            dp_json_key(out, name);
            dp_buf_printf(out, "[%zu,%zu]", count(r, name, decoy, true), n);
        }
        last = name;
    }
    dp_buf_byte(out, '}');
}

static void json_verdicts(dp_buf *out, const plant_result *r, bool decoy)
{
    dp_json_open(out, decoy ? "fell_for" : "missed", '[');
    for (size_t i = 0; i < r->nverdict; i++) {
        const plant_verdict *v = &r->verdict[i];
        if (v->decoy != decoy || v->yes != decoy)
            continue;
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "kind", dp_str_c(v->kind->name));
        dp_json_text(out, "host", v->host);
        dp_json_text(out, decoy ? "decoy" : "rule", v->what);
        dp_json_count(out, "asked", v->asked);
        dp_json_count(out, "same", v->same);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void json_wrong(dp_buf *out, const plant_result *r)
{
    dp_json_open(out, "wrong", '[');
    for (size_t i = 0; i < r->nalone; i++) {
        const plant_alone *a = &r->alone[i];
        if (a->precise)
            continue;
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "host", a->host);
        dp_json_text(out, "rule", a->rule);
        dp_json_count(out, "good_merges", a->merges.good);
        dp_json_count(out, "bad_merges", a->merges.bad);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void print_json(dp_buf *out, const plant_result *r)
{
    const plant_merges *m = &r->all;
    dp_buf              options = {0};
    plant_options_print(&options, &r->o);
    dp_buf_byte(out, '{');
    dp_json_count(out, "plant", PLANT_VERSION);
    dp_json_id(out, "set", r->set);
    dp_json_take(out, "options", &options);
    dp_json_count(out, "planted", count(r, NULL, false, false));
    dp_json_count(out, "reproduced", count(r, NULL, false, true));
    dp_json_share(out, "recall", plant_recall(r));
    dp_json_count(out, "rules", r->nalone);
    dp_json_count(out, "precise", count_alone(r, true));
    dp_json_count(out, "idle", count_idle(r));
    dp_json_share(out, "precision", plant_precision(r));
    dp_json_count(out, "decoys", count(r, NULL, true, false));
    dp_json_count(out, "fallen_for", count(r, NULL, true, true));
    dp_json_count(out, "urls", m->urls);
    dp_json_count(out, "pages", m->pages);
    dp_json_count(out, "contents", m->contents);
    dp_json_count(out, "keys", m->groups);
    dp_json_count(out, "good_merges", m->good);
    dp_json_count(out, "bad_merges", m->bad);
    dp_json_count(out, "harmless_merges", m->harmless);
    dp_json_share(out, "f1", plant_f1(m));
    json_kinds(out, r, false);
    json_kinds(out, r, true);
    json_verdicts(out, r, false);
    json_verdicts(out, r, true);
    json_wrong(out, r);
    dp_buf_c(out, "}\n");
}

void plant_report(dp_buf *out, const plant_result *r, const plant_score *s)
{
    if (s->json)
        print_json(out, r);
    else
        print_text(out, r, s);
}
