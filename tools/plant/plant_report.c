/* plant_report.c - the score as text and as JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/json.h"
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

static void json_number(dp_buf *out, const char *name, double v)
{
    dp_buf_printf(out, ",\"%s\":", name);
    dp_json_number(out, v, 6);
}

static void json_kinds(dp_buf *out, const plant_result *r, bool decoy)
{
    const char *last = "";
    bool        comma = false;
    dp_buf_c(out, decoy ? ",\"by_decoy\":{" : ",\"by_family\":{");
    for (unsigned i = 0; i < plant_kind_count; i++) {
        const char *name = plant_kinds[i].name;
        size_t      n = count(r, name, decoy, false);
        if (n && strcmp(name, last) != 0) {
            dp_buf_printf(out, "%s\"%s\":[%zu,%zu]", comma ? "," : "", name, count(r, name, decoy, true), n);
            comma = true;
        }
        last = name;
    }
    dp_buf_byte(out, '}');
}

static void json_verdicts(dp_buf *out, const plant_result *r, bool decoy)
{
    bool comma = false;
    dp_buf_c(out, decoy ? ",\"fell_for\":[" : ",\"missed\":[");
    for (size_t i = 0; i < r->nverdict; i++) {
        const plant_verdict *v = &r->verdict[i];
        if (v->decoy != decoy || v->yes != decoy)
            continue;
        dp_buf_printf(out, "%s{\"kind\":\"%s\",\"host\":", comma ? "," : "", v->kind->name);
        dp_json_str(out, v->host);
        dp_buf_c(out, decoy ? ",\"decoy\":" : ",\"rule\":");
        dp_json_str(out, v->what);
        dp_buf_printf(out, ",\"asked\":%u,\"same\":%u}", v->asked, v->same);
        comma = true;
    }
    dp_buf_byte(out, ']');
}

static void json_wrong(dp_buf *out, const plant_result *r)
{
    bool comma = false;
    dp_buf_c(out, ",\"wrong\":[");
    for (size_t i = 0; i < r->nalone; i++) {
        const plant_alone *a = &r->alone[i];
        if (a->precise)
            continue;
        dp_buf_c(out, comma ? ",{\"host\":" : "{\"host\":");
        dp_json_str(out, a->host);
        dp_buf_c(out, ",\"rule\":");
        dp_json_str(out, a->rule);
        json_number(out, "good_merges", (double)a->merges.good);
        json_number(out, "bad_merges", (double)a->merges.bad);
        dp_buf_byte(out, '}');
        comma = true;
    }
    dp_buf_byte(out, ']');
}

static void print_json(dp_buf *out, const plant_result *r)
{
    const plant_merges *m = &r->all;
    dp_buf              options = {0};
    plant_options_print(&options, &r->o);
    dp_buf_printf(out, "{\"plant\":%d,\"set\":\"%016llx\",\"options\":", PLANT_VERSION, (unsigned long long)r->set);
    dp_json_str(out, dp_buf_view(&options));
    dp_buf_done(&options);
    json_number(out, "planted", (double)count(r, NULL, false, false));
    json_number(out, "reproduced", (double)count(r, NULL, false, true));
    json_number(out, "recall", plant_recall(r));
    json_number(out, "rules", (double)r->nalone);
    json_number(out, "precise", (double)count_alone(r, true));
    json_number(out, "idle", (double)count_idle(r));
    json_number(out, "precision", plant_precision(r));
    json_number(out, "decoys", (double)count(r, NULL, true, false));
    json_number(out, "fallen_for", (double)count(r, NULL, true, true));
    json_number(out, "urls", (double)m->urls);
    json_number(out, "pages", (double)m->pages);
    json_number(out, "contents", (double)m->contents);
    json_number(out, "keys", (double)m->groups);
    json_number(out, "good_merges", (double)m->good);
    json_number(out, "bad_merges", (double)m->bad);
    json_number(out, "harmless_merges", (double)m->harmless);
    json_number(out, "f1", plant_f1(m));
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
