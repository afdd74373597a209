/* cmd_audit.c - dustpan audit: new records against old rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Check each rule against new records that show which URLs are the same page, by cluster or by\n"
    "content: is it still as precise as its attribute p states? Shows counter-examples. Exit status 1\n"
    "when an active rule is broken.";

typedef struct options {
    dp_list         rules;
    dp_record_files in;
    const char     *output, *salt, *expire;
    bool            json, strict, quiet, progress, with_likely;
    int             masking;
    int64_t         pairs;
    double          promise, noise, explore, confidence, min_precision;
} options;

#define NOT_GIVEN (-1.0)

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {'o', "output", "FILE",
         "write the rules to FILE with broken ones turned off, and the day of the\n"
         "newest record (seen=) in those that it confirms",
         .text = &o->output},
        {0, "promise", "P", "expected precision of rules without attribute p; default .99", .share = &o->promise},
        {0, "noise", "E", "share of records with a wrong cluster; estimated when not given", .share = &o->noise},
        {0, "explore", "SHARE",
         "the records contain probes: the share that 'dustpan apply\n"
         "--explore' was given; judge the rules by them, too",
         .share = &o->explore},
        {0, "salt", "TEXT", "the salt that it was given", .text = &o->salt},
        {0, "confidence", "C", "of the bounds that probes give; default .95", .share = &o->confidence},
        {0, "min-precision", "P", "with --explore: the rules were used with it", .share = &o->min_precision},
        {0, "with-likely", NULL, "with --explore: the rules were used with it", .flag = &o->with_likely},
        {0, "expire", "DAY|90d",
         "with -o: also turn off rules that were last confirmed (seen=) before\n"
         "DAY, or more than 90 days before the newest record; with --explore:\n"
         "the rules were used with it",
         .text = &o->expire},
        {0, "pairs", "N", "counter-examples to show per rule, 0 to 3; default 1", .number = &o->pairs, .max = 3},
        {0, "examples", "masked|raw", "hide possible secrets in examples, or show them; default masked",
         .choice = &o->masking},
        {0, "json", NULL, "print one JSON object", .flag = &o->json},
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &o->strict},
        DP_METER_OPTIONS(o),
    };
    const dp_usage usage = {"audit", "-r RULES [FILE...]", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int            status = dp_options_parse(&usage, argc, argv, &o->in.files, a);
    if (status != DP_GO_ON)
        return status;
    if ((o->salt || o->confidence >= 0) && !(o->explore > 0))
        return dp_say_usage("audit", "--salt and --confidence need --explore");
    if (o->confidence == 0 || o->confidence >= 1)
        return dp_say_usage("audit", "--confidence: expected a number between 0 and 1");
    if ((o->with_likely || o->min_precision > 0) && !(o->explore > 0))
        return dp_say_usage("audit", "--with-likely and --min-precision need --explore");
    if (o->expire && !o->output && !(o->explore > 0))
        return dp_say_usage("audit", "--expire needs -o or --explore");
    return o->rules.n ? DP_GO_ON : dp_say_usage("audit", "-r RULES is missing");
}

static int64_t millionths(double share)
{
    return (int64_t)(share * 1e6 + .5);
}

static dp_err configure(dp_audit *v, const options *o)
{
    DP_TRY(dp_audit_set(v, DP_AUDIT_EXAMPLES, o->pairs));
    DP_TRY(dp_audit_set(v, DP_AUDIT_RAW, o->masking == 1));
    DP_TRY(dp_audit_set(v, DP_AUDIT_STRICT, o->strict));
    if (o->promise >= 0)
        DP_TRY(dp_audit_set(v, DP_AUDIT_PROMISE, millionths(o->promise)));
    if (o->noise >= 0)
        DP_TRY(dp_audit_set(v, DP_AUDIT_NOISE, millionths(o->noise)));
    if (o->confidence >= 0)
        DP_TRY(dp_audit_set(v, DP_AUDIT_CONFIDENCE, millionths(o->confidence)));
    DP_TRY(dp_audit_explore(v, o->explore, o->salt ? o->salt : ""));
    DP_TRY(dp_audit_applied(v, o->with_likely ? DP_WITH_LIKELY : 0, o->min_precision, o->expire));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_audit_input(v, (dp_input_option)i, o->in.how[i]));
    return DP_OK;
}

static void say_changes(size_t retired, size_t renewed, size_t expired)
{
    dp_buf b = {.max = 512};
    dp_buf_printf(&b, "%zu broken rule%s turned off", retired, dp_s(retired));
    dp_count_add(&b, renewed, "rule confirmed", "rules confirmed");
    dp_count_add(&b, expired, "rule expired and turned off", "rules expired and turned off");
    if (!b.failed)
        dp_say("%.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
}

/* How to get back what the rules that are off now have hidden. */
static void say_retired(const dp_rules *rules, const dp_state *old)
{
    dp_buf b = {0};
    for (size_t i = 0; i < dp_rules_count(rules); i++) {
        if (dp_rules_state(rules, i) != old[i])
            dp_buf_printf(&b, "--rollback %08" PRIx64 " ", dp_rules_id(rules, i) >> 32);
    }
    if (!b.failed)
        dp_say("to list what the broken rules have hidden: dustpan seen %.*sSEEN", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
}

/* Print verdicts, then write the rules if asked. */
static dp_err write_all(const dp_audit *v, dp_rules *rules, const options *o, dp_arena *a, dp_error *err)
{
    dp_text *text = NULL;
    size_t   retired = 0, renewed = 0, expired = 0;
    DP_TRY(dp_fail_as(err, dp_audit_print(&text, v, o->json ? DP_JSON : DP_PLAIN)));
    DP_TRY(dp_target_show(NULL, text, err));
    if (!o->output)
        return DP_OK;
    dp_state *old = dp_arena_alloc(a, (dp_rules_count(rules) + 1) * sizeof *old);
    if (!old)
        return dp_fail_as(err, DP_ENOMEM);
    for (size_t i = 0; i < dp_rules_count(rules); i++)
        old[i] = dp_rules_state(rules, i);
    DP_TRY(dp_fail_as(err, dp_audit_retire(v, rules, &retired)));
    if (!o->quiet && retired)
        say_retired(rules, old);
    DP_TRY(dp_fail_as(err, dp_audit_renew(v, rules, &renewed)));
    if (o->expire)
        DP_TRY(dp_rules_expire(rules, o->expire, dp_audit_newest(v), &expired, err));
    DP_TRY(dp_fail_as(err, dp_rules_print(&text, rules)));
    DP_TRY(dp_target_put(o->output, text, err));
    if (!o->quiet)
        say_changes(retired, renewed, expired);
    return DP_OK;
}

static dp_err run(dp_audit *v, const options *o, dp_error *err)
{
    dp_list  in = dp_list_or_stdin(o->in.files);
    dp_meter meter;
    dp_err   code = configure(v, o);
    if (code != DP_OK)
        return dp_fail_as(err, code);
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_audit_progress(v, meter.on ? dp_meter_show : NULL, &meter);
    code = dp_audit_run(v, in.v, in.n, err);
    dp_meter_done(&meter);
    return code;
}

static void say_summary(const dp_audit *v, const dp_rules *rules, const char *path)
{
    dp_error bad;
    char     line[512];
    uint64_t lines = dp_audit_total(v, DP_AUDIT_BAD_LINES), shown = 0;
    for (; dp_audit_bad(v, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, lines);
    for (size_t i = 0; dp_audit_warning(v, i, line, sizeof line) == DP_OK; i++)
        dp_say("warning: %s", line);
    dp_load_compare_identity(rules, path, dp_audit_identity(v));
}

/* How to turn broken rules off, or how to test what is in doubt. */
static void say_next(const dp_audit *v, const options *o)
{
    const char *rules = dp_list_name(o->rules, "RULES"), *files = dp_list_name(o->in.files, "FILE"), *new = o->output;
    if (o->json)
        return;
    if (new)
        dp_say_next("dustpan rules diff %s %s (shows what has changed)", rules,
                    dp_list_name((dp_list){&new, 1}, "NEW"));
    else if (dp_audit_total(v, DP_AUDIT_BROKEN))
        dp_say_next("dustpan audit -r %s -o new.rules %s (turns broken rules off)", rules, files);
    else if (dp_audit_total(v, DP_AUDIT_DOUBTFUL) || !dp_audit_total(v, DP_AUDIT_HOLD))
        dp_say_next("dustpan validate -r %s --urls %s (fetches a few pages to test the rules)", rules, files);
    else
        dp_say_next("dustpan apply -r %s URLS (writes the key of each URL)", rules);
}

int dp_cmd_audit(int argc, char **argv, dp_arena *a)
{
    options   o = {.pairs = 1, .promise = NOT_GIVEN, .noise = NOT_GIVEN, .confidence = NOT_GIVEN};
    dp_rules *rules = NULL;
    dp_audit *v = NULL;
    dp_error  err = {0};
    int       status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (dp_records_clash(&o.in, o.rules))
        return dp_say_usage("audit", "rules and records cannot both come from standard input");
    dp_err code = dp_load_rules(&rules, o.rules.v, o.rules.n, &err);
    if (code == DP_OK)
        code = dp_audit_new(&v, rules, &err);
    if (code == DP_OK)
        code = run(v, &o, &err);
    if (code == DP_OK && !o.quiet)
        say_summary(v, rules, o.rules.v[0]);
    if (code == DP_OK)
        code = write_all(v, rules, &o, a, &err);
    if (code == DP_OK && !o.quiet)
        say_next(v, &o);
    if (code != DP_OK)
        status = dp_say_error(&err);
    else
        status = dp_audit_total(v, DP_AUDIT_BROKEN_ACTIVE) ? DP_EXIT_NO : DP_EXIT_OK;
    dp_audit_free(v);
    dp_rules_free(rules);
    return status;
}
