/* cmd_validate.c - dustpan validate: fetch a few pages and see whether rules hold.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Test rules on the live site: fetch random URLs of LIST before and after each rule, and compare the\n"
    "pages. Rules that pass become active, rules that fail are turned off, and the rule file is written.\n"
    "Fetches with GET only, obeys robots.txt, and makes one request per second to each host.\n"
    "Exit status 1 when a rule fails.\n"
    "With --echo: fetch some URLs twice, and write the pages to a WARC, for learn and cluster.";

typedef struct options {
    dp_list         rules, urls, offline;
    dp_record_files in;
    const char     *output, *user_agent, *cache, *ca_file;
    bool            plan, allow_actions, allow_private, json, strict, quiet, progress;
    int             raw, absent;
    int64_t         echo, echo_after, tests, min_tests, shingles, seed;
    int64_t         rate, parallel, max_fetches, budget, retries, timeout, max_size;
    double          epsilon;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {0, "urls", "LIST", "URLs to test on, in any input format; may be repeated", .list = &o->urls},
        {0, "offline", "CLUSTERS", "fetch nothing: look pages up in these records; may be repeated",
         .list = &o->offline},
        {0, "absent", "unknown|negative", "with --offline: a URL that is not in CLUSTERS is unknown, the\n"
                                          "default, or not a page, as in the paper",
         .choice = &o->absent, .rare = true},
        {0, "echo", "N", "test no rules: fetch N URLs of FILE... twice; -o names the WARC to write",
         .number = &o->echo, .max = 1000000},
        {0, "echo-after", "SECONDS", "with --echo: time between two fetches of a URL, at least; default 60",
         .number = &o->echo_after, .max = 1000000},
        {'o', "output", "FILE", "write the rules to FILE instead of standard output, once complete",
         .text = &o->output},
        {0, "tests", "N", "pairs of pages to compare per rule; default 100", .number = &o->tests, .max = 1000000},
        {0, "epsilon", "P", "share of the pairs that may differ; default .05", .share = &o->epsilon},
        {0, "min-tests", "N", "pairs needed to decide when there are fewer than --tests; default 10",
         .number = &o->min_tests, .max = 1000000},
        {0, "shingles", "K", "pages are the same when K of their 4 min-hashes are; default 4", .number = &o->shingles,
         .max = 4},
        {0, "seed", "N", "seed; another number selects other URLs; default 1", .number = &o->seed, .max = INT64_MAX},
        {0, "rate", "R", "at most R requests per second to each host; default 1", .rate = &o->rate},
        {0, "parallel", "N", "hosts to fetch from at the same time; default 16", .number = &o->parallel, .max = 1000},
        {0, "max-fetches", "N", "at most N requests in total", .number = &o->max_fetches, .max = INT64_MAX},
        {0, "budget", "N", "at most N requests, for the rules that save most", .number = &o->budget, .max = INT64_MAX},
        {0, "plan", NULL, "say which rules would be tested, and with how many requests; fetch nothing",
         .flag = &o->plan},
        {0, "retries", "N", "repeat a failed request up to N times, with growing pauses; default 2",
         .number = &o->retries, .max = 10},
        {0, "timeout", "SECONDS", "time limit of a request; default 30", .number = &o->timeout, .max = 1000000},
        {0, "max-size", "BYTES", "do not compare larger pages; default 8388608", .number = &o->max_size,
         .max = INT32_MAX},
        {0, "cache", "DIR", "record requests in DIR: a run that was interrupted continues, and no\n"
                            "page is fetched twice; default FILE.pages, removed at the end", .text = &o->cache},
        {0, "user-agent", "TEXT", "User-Agent header to send; the part before / is matched against\nrobots.txt",
         .text = &o->user_agent},
        {0, "ca-file", "FILE", "check https servers against these certificates; default the system's",
         .text = &o->ca_file},
        {0, "allow-actions", NULL, "also fetch URLs with words like logout, delete and cart",
         .flag = &o->allow_actions},
        {0, "allow-private", NULL, "also connect to private and loopback addresses", .flag = &o->allow_private},
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "examples", "masked|raw", "hide possible secrets in URLs, or show them; default masked", .choice = &o->raw},
        {0, "json", NULL, "print all results as one JSON object on standard output; the rules go\n"
                          "to the FILE of -o only", .flag = &o->json},
        {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &o->strict},
        DP_METER_OPTIONS(o),
    };
    const dp_usage usage = {"validate", "-r RULES --urls LIST | --echo N -o WARC [FILE...]", about, table,
                            DP_COUNT(table), 0, SIZE_MAX};
    return dp_options_parse(&usage, argc, argv, &o->in.files, a);
}

static dp_err configure(dp_validation *v, const options *o)
{
    const struct {
        dp_validation_option option;
        int64_t              value;
    } set[] = {
        {DP_VALIDATION_TESTS, o->tests},
        {DP_VALIDATION_EPSILON, (int64_t)(o->epsilon * 1e6 + .5)},
        {DP_VALIDATION_MIN_TESTS, o->min_tests},
        {DP_VALIDATION_SHINGLES, o->shingles},
        {DP_VALIDATION_SEED, o->seed},
        {DP_VALIDATION_RATE, o->rate},
        {DP_VALIDATION_PARALLEL, o->parallel},
        {DP_VALIDATION_MAX_FETCHES, o->max_fetches},
        {DP_VALIDATION_BUDGET, o->budget},
        {DP_VALIDATION_RETRIES, o->retries},
        {DP_VALIDATION_TIMEOUT, o->timeout * 1000},
        {DP_VALIDATION_MAX_SIZE, o->max_size},
        {DP_VALIDATION_ALLOW_ACTIONS, o->allow_actions},
        {DP_VALIDATION_ALLOW_PRIVATE, o->allow_private},
        {DP_VALIDATION_ABSENT_NEGATIVE, o->absent},
        {DP_VALIDATION_KEEP_CACHE, o->cache != NULL},
        {DP_VALIDATION_RAW, o->raw},
        {DP_VALIDATION_STRICT, o->strict},
        {DP_VALIDATION_ECHO_AFTER, o->echo_after},
    };
    for (size_t i = 0; i < DP_COUNT(set); i++)
        DP_TRY(dp_validation_set(v, set[i].option, set[i].value));
    DP_TRY(dp_validation_say(v, DP_VALIDATION_USER_AGENT, o->user_agent));
    DP_TRY(dp_validation_say(v, DP_VALIDATION_CA_FILE, o->ca_file));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_validation_input(v, (dp_input_option)i, o->in.how[i]));
    return o->offline.n ? dp_validation_offline(v, o->offline.v, o->offline.n) : DP_OK;
}

/* --cache, or FILE.pages beside FILE. */
static dp_err choose_cache(dp_validation *v, const options *o)
{
    dp_buf path = {0};
    bool   beside = !o->cache && !o->offline.n && o->output && strcmp(o->output, "-") != 0;
    dp_buf_c(&path, o->cache ? o->cache : beside ? o->output : "");
    dp_buf_c(&path, beside ? ".pages" : "");
    dp_buf_byte(&path, '\0');
    dp_err code = path.failed ? DP_ENOMEM : DP_OK;
    if (code == DP_OK && path.n > 1)
        code = dp_validation_say(v, DP_VALIDATION_CACHE, path.p);
    dp_buf_done(&path);
    return code;
}

/* What is to come, for a person. */
typedef struct outlook {
    const dp_validation *v;
    const dp_rules      *rules; /* NULL: none are tested */
    bool                 detailed, stops;
} outlook;

static int say_outlook(void *ctx, uint64_t requests, uint64_t hosts, uint64_t seconds)
{
    const outlook *o = ctx;
    size_t         n = o->detailed ? dp_rules_count(o->rules) : 0, tested = 0;
    for (size_t i = 0; i < n; i++) {
        size_t      length;
        const char *text = dp_rules_text(o->rules, i, &length);
        uint64_t    cost = dp_validation_planned(o->v, i);
        tested += cost > 0;
        if (cost)
            dp_say("  %.*s: at most %" PRIu64 " request%s", (int)length, text, cost, dp_s(cost));
    }
    if (o->detailed)
        dp_say("%zu of %zu rule%s will be tested", tested, n, dp_s(n));
    dp_say_expected(NULL, requests, hosts, seconds);
    return o->stops;
}

static dp_err run(dp_validation *v, const dp_rules *r, const options *o, dp_error *err)
{
    dp_meter meter;
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_validation_progress(v, meter.on ? dp_meter_show : NULL, &meter);
    outlook to_come = {v, r, r && (o->budget || o->plan), o->plan};
    dp_validation_expect(v, o->quiet && !o->plan ? NULL : say_outlook, &to_come);
    dp_list urls = o->urls.n ? o->urls : dp_list_or_stdin(o->in.files);
    dp_err  code = r ? dp_validation_run(v, r, o->urls.v, o->urls.n, err)
                     : dp_validation_echo(v, (uint64_t)o->echo, urls.v, urls.n, o->output, err);
    dp_meter_done(&meter);
    return code;
}

static dp_err write_json(const dp_validation *v, dp_error *err)
{
    dp_text *text = NULL;
    DP_TRY(dp_validation_print(&text, v, DP_JSON));
    return dp_target_put(NULL, text, err);
}

static dp_err write_results(const dp_validation *v, const options *o, dp_error *err)
{
    dp_rules *made = NULL;
    dp_text  *text = NULL;
    if (o->echo)
        return o->json ? write_json(v, err) : DP_OK;
    DP_TRY(dp_validation_rules(&made, v, err));
    dp_err code = dp_rules_print(&text, made);
    dp_rules_free(made);
    if (code != DP_OK)
        return dp_fail(err, code, "out of memory");
    if (o->output || !o->json)
        code = dp_target_put(o->output, text, err);
    else
        dp_text_free(text);
    return code == DP_OK && o->json ? write_json(v, err) : code;
}

static void say_bad(const dp_validation *v)
{
    dp_error bad;
    uint64_t all = dp_validation_total(v, DP_VALIDATION_BAD), shown = 0;
    for (; dp_validation_bad(v, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, all);
}

static void say_verdicts(const dp_validation *v)
{
    dp_text *text = NULL;
    if (dp_validation_print(&text, v, DP_PLAIN) == DP_OK)
        fwrite(dp_text_data(text), 1, dp_text_size(text), stderr);
    dp_text_free(text);
}

/* What to run now. */
static void say_next(const dp_validation *v, const options *o)
{
    if (o->echo) {
        const char *files = dp_list_name(o->urls.n ? o->urls : o->in.files, "FILE...");
        if (dp_validation_total(v, DP_VALIDATION_ECHOED))
            dp_say_next("dustpan learn -o site.rules %s %s (hides what changes when nothing changes)", files,
                        o->output);
        return;
    }
    if (!dp_validation_verdicts(v, DP_KEPT) && !dp_validation_verdicts(v, DP_TURNED))
        return;
    if (o->output && strcmp(o->output, "-") != 0)
        dp_say_next("dustpan apply -r %s URLS (uses the rules)", o->output);
    else
        dp_say_next("dustpan apply -r FILE URLS (uses the rules; -o FILE saves them)");
}

/* Each line of the library's summary. */
static void say_summary(const dp_validation *v)
{
    dp_text *text = NULL;
    if (dp_validation_summary(&text, v) == DP_OK)
        dp_say_lines(text);
    dp_text_free(text);
}

/* The options are good, and the rules are read (NULL: --echo): do it. */
static int validate(const dp_rules *r, const options *o)
{
    dp_validation *v = NULL;
    dp_error       err = {0};
    int            status = DP_EXIT_OK;
    dp_err         code = dp_validation_new(&v);
    if (code == DP_OK)
        code = configure(v, o);
    if (code == DP_OK)
        code = choose_cache(v, o);
    if (code == DP_EINVALID)
        dp_fail(&err, code, "an option value is out of range; see 'dustpan validate --help'");
    else if (code != DP_OK)
        dp_fail_as(&err, code);
    else
        code = run(v, r, o, &err);
    if (o->plan && code == DP_EINVALID && strcmp(err.message, "stopped") == 0) {
        code = o->json ? write_json(v, &err) : DP_OK;
        if (!o->json && !o->quiet)
            say_verdicts(v);
        dp_validation_free(v);
        return code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    }
    if (code == DP_OK && !o->quiet) {
        say_bad(v);
        if (o->offline.n)
            dp_load_compare_identity(r, o->rules.v[0], dp_validation_identity(v));
        if (!o->echo)
            say_verdicts(v);
        say_summary(v);
        say_next(v, o);
    }
    if (code == DP_OK)
        code = write_results(v, o, &err);
    if (code != DP_OK)
        status = dp_say_error(&err);
    else if (o->echo ? !dp_validation_total(v, DP_VALIDATION_ECHOED) : dp_validation_verdicts(v, DP_REJECTED) > 0)
        status = DP_EXIT_NO;
    dp_validation_free(v);
    return status;
}

/* Whether the options agree with --echo. */
static bool check_echo(const options *o)
{
    const char *wrong = NULL;
    if (o->rules.n || o->offline.n)
        wrong = "--echo tests no rules: leave out -r and --offline";
    else if (!o->output || strcmp(o->output, "-") == 0)
        wrong = "--echo writes a WARC: name it with -o FILE";
    else if (o->urls.n && o->in.files.n)
        wrong = "the URLs of --echo are given as FILE... or with --urls, not both";
    if (wrong)
        dp_say_usage("validate", "%s", wrong);
    return !wrong;
}

int dp_cmd_validate(int argc, char **argv, dp_arena *a)
{
    options   o = {.tests = 100, .epsilon = .05, .min_tests = 10, .shingles = 4, .seed = 1, .rate = 1000,
                   .echo_after = 60, .parallel = 16, .retries = 2, .timeout = 30, .max_size = 8 << 20};
    dp_rules *r = NULL;
    dp_error  err = {0};
    int       status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (o.plan && (o.offline.n || o.echo))
        return dp_say_usage("validate", "--plan is for tests on live pages: leave out --offline and --echo");
    if (o.echo)
        return check_echo(&o) ? validate(NULL, &o) : DP_EXIT_ERROR;
    if (o.in.files.n)
        return dp_say_usage("validate", "FILE... goes with --echo; the URLs to test on are given with --urls");
    if (!o.rules.n)
        return dp_say_usage("validate", "-r RULES is missing");
    if (!o.urls.n && !o.offline.n)
        return dp_say_usage("validate", "--urls LIST is missing (or --offline CLUSTERS)");
    if (dp_load_rules(&r, o.rules.v, o.rules.n, &err) != DP_OK)
        return dp_say_error(&err);
    status = validate(r, &o);
    dp_rules_free(r);
    return status;
}
