/* cmd_learn.c - dustpan learn: records in, a rule file out.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/crawl.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"
#include "cli/update.h"

/* An option that goes to the learner as text, by its name. */
typedef struct setting {
    const char *name, *value; /* NULL: not given */
    bool        flag;         /* of those that take no value */
} setting;

typedef struct options {
    dp_record_files in;
    const char     *output;
    bool            json, quiet, progress, crawl_eval, validate, allow_private;
    int64_t         max_fetches, rate;
    setting        *v; /* [n] shared ones, then those of the methods */
    size_t          n;
} options;

/* ---- the table of options ------------------------------------------------------------------------------- */

enum { OWN = 14 /* options of the command alone */ };

/* The help of --method, with all methods behind it, and their names as its value. */
static bool list_methods(dp_option *row, dp_arena *a)
{
    dp_buf      help = {0}, names = {0};
    const char *summary, *name;
    dp_buf_c(&help, row->help);
    for (size_t i = 0; (name = dp_learner_method(i, &summary)); i++) {
        dp_buf_printf(&help, "\n%-8s %s", name, summary);
        dp_buf_printf(&names, "%s%s", i ? "|" : "", name);
    }
    dp_buf_byte(&help, 0);
    dp_buf_byte(&names, 0);
    bool ok = !help.failed && !names.failed;
    row->help = ok ? dp_arena_str(a, dp_buf_view(&help)).p : NULL;
    row->value = ok ? dp_arena_str(a, dp_buf_view(&names)).p : NULL;
    dp_buf_done(&help);
    dp_buf_done(&names);
    return row->help && row->value;
}

/* How many options the learner has: those that all methods share, and those of each. */
static size_t count_options(void)
{
    size_t                 n = 0;
    const char            *method = NULL, *summary;
    dp_learner_option_info info;
    for (size_t m = 0; m == 0 || method; method = dp_learner_method(m++, &summary))
        for (size_t i = 0; dp_learner_option(method, i, &info); i++)
            n++;
    return n;
}

static const char *heading_of(dp_arena *a, const char *method, bool paper)
{
    dp_buf b = {0};
    dp_buf_printf(&b, paper ? "For papers and experiments with --method %s:" : "Only with --method %s:",
                  method);
    dp_buf_byte(&b, 0);
    dp_str s = b.failed ? (dp_str){0} : dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    return s.p;
}

/* The setting of that name; methods may have options of the same name. */
static setting *find_setting(options *o, const char *name)
{
    for (size_t i = 0; i < o->n; i++) {
        if (strcmp(o->v[i].name, name) == 0)
            return &o->v[i];
    }
    o->v[o->n] = (setting){.name = name};
    return &o->v[o->n++];
}

static dp_option *add_setting(dp_option *row, options *o, const dp_learner_option_info *like)
{
    setting *s = find_setting(o, like->name);
    *row = (dp_option){.name = like->name, .value = like->value, .help = like->help, .heading = like->heading,
                       .rare = like->paper};
    if (like->value)
        row->text = &s->value;
    else
        row->flag = &s->flag;
    return row;
}

/* Options that all methods share behind `table`; returns how many there are then, 0 without memory. */
static size_t add_shared(options *o, dp_option *table, size_t n, dp_arena *a)
{
    dp_learner_option_info info;
    for (size_t i = 0; dp_learner_option(NULL, i, &info); i++) {
        dp_option *row = add_setting(&table[n++], o, &info);
        if (strcmp(info.name, "method") == 0 && !list_methods(row, a))
            return 0;
    }
    return n;
}

/* The same for those of each method; those of other methods than the default one are rare. */
static size_t add_methods(options *o, dp_option *table, size_t n, dp_arena *a)
{
    const char            *method, *summary;
    dp_learner_option_info info;
    for (size_t m = 0; (method = dp_learner_method(m, &summary)); m++) {
        for (int papers = 0; papers < 2; papers++) {
            size_t first = n;
            for (size_t i = 0; dp_learner_option(method, i, &info); i++) {
                if (info.paper == papers)
                    add_setting(&table[n++], o, &info)->rare = papers || m > 0;
            }
            if (n > first && !(table[first].heading = heading_of(a, method, papers)))
                return 0;
        }
    }
    return n;
}

static const char about[] =
    "Learn which URLs of a site show the same page, and write rules that give them one key.\n"
    "Input: records with clusters, digests, sketches, sizes or redirects, as lists, access logs, crawl\n"
    "logs, CDX or WARC; - is standard input. To begin: dustpan learn FILE -o site.rules";

/* Copy rows behind `table`; returns how many there are then. */
static size_t add_rows(dp_option *table, size_t n, const dp_option *row, size_t count)
{
    memcpy(table + n, row, count * sizeof *row);
    return n + count;
}

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    size_t     most = OWN + count_options(), n = 0;
    dp_option *table = DP_NEWS(a, most, dp_option);
    o->v = DP_NEWS(a, most, setting);
    if (!table || !o->v)
        return dp_say_usage("learn", "out of memory");
    const dp_option common[] = {
        {'o', "output", "FILE", "write the rules to FILE instead of standard output, once complete",
         .text = &o->output},
        {0, "json", NULL, "print the summary as one JSON object, on standard error", .flag = &o->json},
        DP_METER_OPTIONS(o),
    };
    n = add_rows(table, n, common, DP_COUNT(common));
    if (!(n = add_shared(o, table, n, a)))
        return dp_say_usage("learn", "out of memory");
    const dp_option input[] = {
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "crawl-eval", NULL, "learn from the first half, measure on the rest as 'eval --crawl' does",
         .flag = &o->crawl_eval},
        {0, "validate", NULL, "then test the rules by fetching pages, as 'dustpan validate' does",
         .flag = &o->validate, .heading = "Tests on the live site:"},
        {0, "max-fetches", "N", "with --validate: at most N requests in total", .number = &o->max_fetches,
         .max = INT64_MAX},
        {0, "rate", "R", "with --validate: at most R requests per second to each host; default 1", .rate = &o->rate},
        {0, "allow-private", NULL, "with --validate: also connect to private and loopback addresses",
         .flag = &o->allow_private, .rare = true},
    };
    n = add_rows(table, n, input, DP_COUNT(input));
    if (!(n = add_methods(o, table, n, a)))
        return dp_say_usage("learn", "out of memory");
    const dp_usage usage = {"learn", "[FILE...]", about, table, n, 0, SIZE_MAX};
    return dp_options_parse(&usage, argc, argv, &o->in.files, a);
}

/* ---- work --------------------------------------------------------------------------------------------------- */

static dp_err configure(dp_learner *l, const options *o, dp_error *err)
{
    for (size_t i = 0; i < o->n; i++) {
        const char *value = o->v[i].flag ? "1" : o->v[i].value;
        if (value)
            DP_TRY(dp_learner_set(l, o->v[i].name, value, err));
    }
    if (o->quiet && !o->json) /* the summary alone would tell */
        DP_TRY(dp_learner_set(l, "no-test", "1", err));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_learner_input(l, (dp_input_option)i, o->in.how[i]));
    return DP_OK;
}

/* Where pages are kept until the run ends: FILE.pages beside FILE of -o. */
static dp_err choose_cache(dp_validation *v, const options *o)
{
    dp_buf path = {0};
    if (!o->output || strcmp(o->output, "-") == 0)
        return DP_OK;
    dp_buf_printf(&path, "%s.pages", o->output);
    dp_buf_byte(&path, 0);
    dp_err code = path.failed ? DP_ENOMEM : dp_validation_say(v, DP_VALIDATION_CACHE, path.p);
    dp_buf_done(&path);
    return code;
}

static dp_err configure_validation(dp_validation *v, const options *o)
{
    DP_TRY(dp_validation_set(v, DP_VALIDATION_MAX_FETCHES, o->max_fetches));
    DP_TRY(dp_validation_set(v, DP_VALIDATION_RATE, o->rate));
    DP_TRY(dp_validation_set(v, DP_VALIDATION_ALLOW_PRIVATE, o->allow_private));
    DP_TRY(dp_validation_set(v, DP_VALIDATION_KEEP_CACHE, 0));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_validation_input(v, (dp_input_option)i, o->in.how[i]));
    return choose_cache(v, o);
}

/* What a run leaves for its summary. */
typedef struct outcome {
    dp_text *verdicts;       /* of --validate, NULL: none */
    dp_text *rules;          /* of --crawl-eval, which measures them, NULL: none */
    size_t   active, likely; /* rules that were written */
    size_t   all;            /* those that are off among them */
    size_t   kept;           /* rules of an old file that was not replaced, since there are no new ones */
} outcome;

/* Fetch pages and put the rules that come out of it in the place of those that went in. */
static dp_err validate(dp_text **rules, outcome *out, const options *o, dp_meter *meter, dp_error *err)
{
    dp_rules      *before = NULL, *after = NULL;
    dp_validation *v = NULL;
    dp_text       *text = NULL;
    dp_err         code = dp_rules_new(&before);
    if (code == DP_OK)
        code = dp_rules_parse(before, "learned", dp_text_data(*rules), dp_text_size(*rules), err);
    if (code == DP_OK)
        code = dp_validation_new(&v);
    if (code == DP_OK)
        code = configure_validation(v, o);
    if (code == DP_OK) {
        dp_validation_progress(v, meter->on ? dp_meter_show : NULL, meter);
        dp_validation_expect(v, o->quiet || o->json ? NULL : dp_say_expected, NULL);
        code = dp_validation_run(v, before, o->in.files.v, o->in.files.n, err);
    }
    if (code == DP_OK)
        code = dp_validation_rules(&after, v, err);
    if (code == DP_OK)
        code = dp_rules_print(&text, after);
    if (code == DP_OK)
        code = dp_validation_summary(&out->verdicts, v);
    dp_meter_done(meter);
    if (code == DP_OK) {
        dp_text_free(*rules);
        *rules = text;
    } else {
        dp_text_free(text);
    }
    dp_rules_free(after);
    dp_validation_free(v);
    dp_rules_free(before);
    return code;
}

/* What was given for an option that all methods share; NULL: nothing. */
static const char *given(const options *o, const char *name)
{
    for (size_t i = 0; i < o->n; i++) {
        if (strcmp(o->v[i].name, name) == 0)
            return o->v[i].flag ? "1" : o->v[i].value;
    }
    return NULL;
}

/* --update without a state: the rules that there are, counted on the input. */
static int count_again(const options *o)
{
    dp_meter meter;
    dp_error err = {0};
    if (!o->output || strcmp(o->output, "-") == 0)
        return dp_say_usage("learn", "--update without --state needs -o FILE, whose rules are checked on the input");
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_err code = dp_update_recount(o->output, &o->in, o->quiet, &meter, &err);
    if (code != DP_OK && !err.message[0])
        dp_fail_as(&err, code);
    return code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
}

static void say_waiting(void *ctx, const char *path)
{
    (void)ctx;
    dp_say("%s: in use by another run of learn; waiting until it ends", path);
}

static dp_err count_rules(outcome *out, const dp_text *text, dp_error *err)
{
    dp_rules *r = NULL;
    dp_err    code = dp_rules_new(&r);
    if (code == DP_OK)
        code = dp_rules_parse(r, "learned", dp_text_data(text), dp_text_size(text), err);
    out->all = code == DP_OK ? dp_rules_count(r) : 0;
    for (size_t i = 0; i < out->all; i++) {
        dp_state state = dp_rules_state(r, i);
        out->active += state == DP_ACTIVE || state == DP_PIN;
        out->likely += state == DP_LIKELY;
    }
    dp_rules_free(r);
    return code;
}

/* The rules of the file that would be replaced; 0 when there is none, or it is no rule file. */
static size_t count_old(const char *path)
{
    dp_rules *r = NULL;
    dp_error  why;
    size_t    n = 0;
    if (path && strcmp(path, "-") != 0 && access(path, R_OK) == 0 && dp_load_rules(&r, &path, 1, &why) == DP_OK)
        n = dp_rules_count(r);
    dp_rules_free(r);
    return n;
}

static dp_err run(dp_learner *l, outcome *out, const options *o, dp_error *err)
{
    dp_list  in = dp_list_or_stdin(o->in.files);
    dp_meter meter;
    dp_text *rules = NULL;
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_learner_progress(l, meter.on ? dp_meter_show : NULL, &meter);
    dp_learner_folder(l, dp_target_folder, NULL);
    dp_learner_waiting(l, o->quiet ? NULL : say_waiting, NULL);
    dp_err code = dp_learner_run(l, in.v, in.n, err);
    dp_meter_done(&meter);
    if (code == DP_OK && given(o, "update"))
        code = dp_update_learned(l, o->output, o->quiet, err);
    if (code == DP_OK)
        code = dp_learner_rules(&rules, l);
    if (code == DP_OK && o->validate)
        code = validate(&rules, out, o, &meter, err);
    if (code == DP_OK)
        code = count_rules(out, rules, err);
    if (code == DP_OK && o->crawl_eval)
        code = dp_learner_rules(&out->rules, l);
    if (code == DP_OK && !out->all)
        out->kept = count_old(o->output);
    if (code == DP_OK && !out->kept)
        return dp_target_put(o->output, rules, err);
    dp_text_free(rules);
    return code;
}

static void say_bad(const dp_learner *l)
{
    dp_error bad;
    uint64_t all = dp_learner_bad_lines(l), shown = 0;
    for (; dp_learner_bad(l, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, all);
}

/* How to look at the rules, or to test them when none is proven. */
static void say_next(const outcome *out, const options *o)
{
    const char *path = o->output, *rules = dp_list_name((dp_list){&path, path != NULL}, "RULES");
    const char *base = o->in.how[DP_INPUT_BASE_URL];
    if (out->active)
        dp_say_next("dustpan report -r %s -o report.html %s (shows what the rules merge)", rules,
                    dp_list_name(o->in.files, "FILE"));
    else if (out->likely)
        dp_say_next("dustpan validate -r %s%s%s --urls %s -o tested.rules (tests the likely rules)", rules,
                    base ? " --base-url " : "", base ? base : "", dp_list_name(o->in.files, "FILE"));
}

/* On standard error: standard output may be the rule file. */
static dp_err say_summary(const dp_learner *l, const outcome *out, const options *o)
{
    dp_text    *t;
    const char *warning;
    DP_TRY(dp_learner_summary(&t, l, o->json ? DP_JSON : DP_PLAIN));
    if (o->json) {
        fprintf(stderr, "%s", dp_text_data(t));
    } else {
        say_bad(l);
        for (size_t i = 0; (warning = dp_learner_warning(l, i)); i++)
            dp_say("warning: %s", warning);
        dp_say_lines(t);
        if (out->verdicts)
            dp_say_lines(out->verdicts);
        say_next(out, o);
    }
    dp_text_free(t);
    return DP_OK;
}

/* Options that make no sense together. DP_GO_ON, or the exit status. */
static int refuse(const options *o)
{
    bool is_pipe = dp_list_has_stdin(dp_list_or_stdin(o->in.files)); /* it cannot be read twice */
    if (o->validate && is_pipe)
        return dp_say_usage("learn",
                            "--validate needs files, not standard input: they are read again for URLs to fetch");
    if (o->crawl_eval && is_pipe)
        return dp_say_usage("learn", "--crawl-eval needs files, not standard input: they are read twice");
    if (o->crawl_eval && (o->validate || given(o, "state") || given(o, "update")))
        return dp_say_usage("learn", "--crawl-eval measures what one crawl teaches: it has no --validate, --state and "
                                     "--update");
    return DP_GO_ON;
}

/* The share of --first; with --crawl-eval the first half unless another is given. */
static dp_err choose_first(dp_learner *l, const options *o, double *share, dp_error *err)
{
    const char *first = given(o, "first");
    *share = first ? strtod(first, NULL) : .5;
    return o->crawl_eval && !first ? dp_learner_set(l, "first", ".5", err) : DP_OK;
}

int dp_cmd_learn(int argc, char **argv, dp_arena *a)
{
    options     o = {.rate = 1000};
    dp_learner *l = NULL;
    dp_error    err = {0};
    outcome     out = {0};
    double      share;
    int         status = parse(&o, argc, argv, a);
    if (status == DP_GO_ON)
        status = refuse(&o);
    if (status != DP_GO_ON)
        return status;
    if (given(&o, "update") && !given(&o, "state"))
        return count_again(&o);
    dp_err code = dp_learner_new(&l);
    if (code == DP_OK)
        code = configure(l, &o, &err);
    if (code == DP_OK)
        code = choose_first(l, &o, &share, &err);
    if (code == DP_EINVALID && err.message[0]) {
        dp_learner_free(l);
        return dp_say_usage("learn", "%s", err.message);
    }
    if (code == DP_OK)
        code = run(l, &out, &o, &err);
    if (code == DP_OK && (!o.quiet || o.json))
        code = say_summary(l, &out, &o);
    if (code == DP_OK && o.crawl_eval)
        code = dp_crawl_measure(out.rules, &o.in, share, o.json, &err);
    if (code != DP_OK && !err.message[0])
        dp_fail_as(&err, code);
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    if (code == DP_OK && out.kept) {
        dp_say("%s: kept with its %zu rule%s, since no rule was learned; delete it first to replace it", o.output,
               out.kept, dp_s(out.kept));
        status = DP_EXIT_NO;
    }
    dp_text_free(out.verdicts);
    dp_text_free(out.rules);
    dp_learner_free(l);
    return status;
}
