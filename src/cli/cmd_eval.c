/* cmd_eval.c - dustpan eval: what rules do to URLs of which it is known which show the same page.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Measure rules on records that show which URLs are the same page, by cluster or content: how\n"
    "many URLs a crawl would fetch, and which pages it would miss. Compared with no rules, basic URL\n"
    "cleanup (stage 0), common tracking parameters, and one key for all.";

typedef struct options {
    dp_list         rules, compare, fail_under;
    dp_record_files in;
    const char     *output;
    bool            json, by_host, by_rule, strict, quiet, progress;
    int             table, masking, order;
    bool            crawl;
    double          share;
    int64_t         examples, threads;
    dp_choice       choice;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {0, "compare", "RULES", "another rule file to measure in the same way; may be repeated", .list = &o->compare},
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete", .text = &o->output},
        {0, "by-host", NULL, "also show the metrics of each host", .flag = &o->by_host},
        {0, "by-rule", NULL, "also show the metrics of each rule by itself", .flag = &o->by_rule},
        {0, "crawl", NULL, "the rules were learned on the first part of this crawl: what do they\n"
                           "save on the rest?", .flag = &o->crawl},
        {0, "share", "P", "with --crawl: that part of the records; default .5", .share = &o->share},
        {0, "order", "input|time", "with --crawl: the order of the crawl; default input", .choice = &o->order},
        {0, "table", "dust|kdd08|wsdm10|sigir17", "print only this table, laid out as in the paper",
         .choice = &o->table, .rare = true},
        {0, "fail-under", "METRIC=VALUE",
         "exit status 1 when a metric (by its JSON name) is lower; may be\nrepeated", .list = &o->fail_under},
        {0, "lost", "N", "lost pages to show, 0 to 20; default 5", .number = &o->examples, .max = 20},
        {0, "examples", "masked|raw", "hide possible secrets in examples, or show them; default masked",
         .choice = &o->masking},
        {0, "json", NULL, "print one JSON object", .flag = &o->json},
        DP_CHOICE_OPTIONS(&o->choice),
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &o->strict},
        {'t', "threads", "N", "number of threads; 0, the default: one per core", .number = &o->threads, .max = 1024},
        DP_METER_OPTIONS(o),
    };
    const dp_usage usage = {"eval", "-r RULES [FILE...]", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int            status = dp_options_parse(&usage, argc, argv, &o->in.files, a);
    if (status != DP_GO_ON)
        return status;
    if (!o->rules.n)
        return dp_say_usage("eval", "-r RULES is missing");
    if (o->crawl && (o->by_rule || o->table != DP_TABLE_NONE))
        return dp_say_usage("eval", "--crawl measures rules together: it has no --by-rule and no --table");
    return DP_GO_ON;
}

/* ---- --fail-under ----------------------------------------------------------------------------------------- */

static const char *const gates[] = {"reduction",   "precision", "recall", "f1", "coverage", "covered",
                                    "good_merges", "avoided",   "saved_of_avoidable"};

/* "f1=.9" into its two halves; false when it is not of that form, or the metric is none that may be too low. */
static bool read_gate(const char *text, char *name, size_t cap, double *value)
{
    const char *eq = strchr(text, '=');
    char       *end;
    if (!eq || (size_t)(eq - text) >= cap || !((eq[1] >= '0' && eq[1] <= '9') || eq[1] == '.'))
        return false;
    memcpy(name, text, (size_t)(eq - text));
    name[eq - text] = 0;
    *value = strtod(eq + 1, &end);
    bool known = false;
    for (size_t i = 0; i < DP_COUNT(gates); i++)
        known |= strcmp(name, gates[i]) == 0;
    return known && !*end;
}

static int check_gates(const options *o)
{
    char   name[32];
    double least;
    for (size_t i = 0; i < o->fail_under.n; i++) {
        if (!read_gate(o->fail_under.v[i], name, sizeof name, &least))
            return dp_say_usage("eval", "--fail-under: expected reduction, precision, recall, f1, coverage, covered, "
                                        "good_merges, avoided or saved_of_avoidable, '=' and a number, found '%s'",
                                o->fail_under.v[i]);
    }
    return DP_GO_ON;
}

/* Whether every metric is high enough; says which are not. */
static bool passes_gates(const dp_eval *v, const options *o)
{
    bool   passes = true;
    char   name[32];
    double least, value;
    for (size_t i = 0; i < o->fail_under.n; i++) {
        if (read_gate(o->fail_under.v[i], name, sizeof name, &least) && dp_eval_metric(v, name, &value) == DP_OK &&
            value < least) {
            dp_say("%s is %.6g, below the %.6g of --fail-under", name, value, least);
            passes = false;
        }
    }
    return passes;
}

/* ---- the work ------------------------------------------------------------------------------------------------ */

static dp_err configure(dp_eval *v, const options *o)
{
    const struct {
        dp_eval_option option;
        int64_t        value;
    } set[] = {
        {DP_EVAL_BY_HOST, o->by_host},      {DP_EVAL_BY_RULE, o->by_rule},   {DP_EVAL_TABLE, o->table},
        {DP_EVAL_EXAMPLES, o->examples},    {DP_EVAL_RAW, o->masking == 1},  {DP_EVAL_STRICT, o->strict},
        {DP_EVAL_THREADS, o->threads},      {DP_EVAL_SHARE, (int64_t)(o->share * 1e6 + .5)},
        {DP_EVAL_CRAWL, !o->crawl ? DP_CRAWL_NONE : o->order == 1 ? DP_CRAWL_BY_TIME : DP_CRAWL_BY_RECORD},
    };
    for (size_t i = 0; i < DP_COUNT(set); i++)
        DP_TRY(dp_eval_set(v, set[i].option, set[i].value));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_eval_input(v, (dp_input_option)i, o->in.how[i]));
    return DP_OK;
}

/* Engines of the rules and of what they are compared with, into e[1 + compare.n]. */
static dp_err load(dp_eval *v, const options *o, dp_engine **e, dp_error *err)
{
    DP_TRY(dp_load_engine(&e[0], o->rules.v, o->rules.n, o->choice, err));
    for (size_t i = 0; i < o->compare.n; i++)
        DP_TRY(dp_load_engine(&e[i + 1], &o->compare.v[i], 1, o->choice, err));
    for (size_t i = 0; i <= o->compare.n; i++) {
        const char *name = i ? o->compare.v[i - 1] : o->rules.v[0];
        dp_err      code = dp_eval_add(v, name, e[i]);
        if (code != DP_OK)
            return dp_fail_as(err, code);
    }
    return DP_OK;
}

static dp_err run(dp_eval *v, const options *o, dp_error *err)
{
    dp_list  in = dp_list_or_stdin(o->in.files);
    dp_meter meter;
    dp_text *text = NULL;
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_eval_progress(v, meter.on ? dp_meter_show : NULL, &meter);
    dp_err code = dp_eval_run(v, in.v, in.n, err);
    dp_meter_done(&meter);
    DP_TRY(code);
    if ((code = dp_eval_print(&text, v, o->json ? DP_JSON : DP_PLAIN)) != DP_OK)
        return dp_fail_as(err, code);
    return dp_target_show(o->output, text, err);
}

/* Which rules lose pages, or how to use those that lose none. */
static void say_next(const dp_eval *v, const options *o)
{
    const char *rules = dp_list_name(o->rules, "RULES");
    double      lost = 0;
    if (o->json || o->table != DP_TABLE_NONE || dp_eval_metric(v, "lost", &lost) != DP_OK)
        return;
    if (lost > 0 && !o->by_rule) /* also after --crawl, which has no such option itself */
        dp_say_next("dustpan eval --by-rule -r %s %s (shows which rules lose pages)", rules,
                    dp_list_name(o->in.files, "FILE"));
    else if (lost > 0)
        dp_say_next("dustpan rules off %s ID (turns a wrong rule off)", rules);
    else
        dp_say_next("dustpan apply -r %s URLS (writes the key of each URL)", rules);
}

static void say_summary(const dp_eval *v, const options *o)
{
    dp_error bad;
    uint64_t lines = dp_eval_bad_lines(v), shown = 0;
    for (; dp_eval_bad(v, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, lines);
    const char *text;
    for (size_t i = 0; (text = dp_eval_warning(v, i)); i++)
        dp_say("warning: %s", text);
    dp_load_check_identity(o->rules.v[0], dp_eval_identity(v));
}

int dp_cmd_eval(int argc, char **argv, dp_arena *a)
{
    options  o = {.table = DP_TABLE_NONE, .examples = 5, .share = .5};
    dp_eval *v = NULL;
    dp_error err = {0};
    int      status = parse(&o, argc, argv, a);
    if (status == DP_GO_ON)
        status = check_gates(&o);
    if (status != DP_GO_ON)
        return status;
    if (dp_records_clash(&o.in, o.rules) || dp_records_clash(&o.in, o.compare))
        return dp_say_usage("eval", "rules and records cannot both come from standard input");
    dp_engine **e = DP_NEWS(a, o.compare.n + 1, dp_engine *);
    dp_err      code = e ? dp_eval_new(&v) : DP_ENOMEM;
    if (code == DP_OK)
        code = configure(v, &o);
    if (code != DP_OK)
        dp_fail_as(&err, code);
    if (code == DP_OK)
        code = load(v, &o, e, &err);
    if (code == DP_OK)
        code = run(v, &o, &err);
    if (code != DP_OK) {
        status = dp_say_error(&err);
    } else {
        if (!o.quiet)
            say_summary(v, &o);
        status = passes_gates(v, &o) ? DP_EXIT_OK : DP_EXIT_NO;
        if (!o.quiet)
            say_next(v, &o);
    }
    dp_eval_free(v);
    for (size_t i = 0; e && i <= o.compare.n; i++)
        dp_engine_free(e[i]);
    return status;
}
