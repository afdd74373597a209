/* cmd_learn.c - dustpan learn: records in, a rule file out.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "cli/commands.h"
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
    bool            json, quiet, progress, validate, allow_private;
    int64_t         max_fetches, rate;
    setting        *v; /* [n] shared ones, then those of the methods */
    size_t          n;
} options;

/* ---- the table of options ------------------------------------------------------------------------------- */

/* Those that go to the learner as text. */
static const dp_option shared[] = {
    {.name = "method"}, /* its help lists the methods */
    {.name = "min-precision", .value = "P", .help = "expected precision that a rule needs; default .99"},
    {.name = "keep", .value = "NAMES", .help = "parameters that no rule may change, such as lang,page"},
    {.name = "accept", .value = "judge|paper", .rare = true,
     .help = "accept rules by their votes on other pages, the default, or by\nthe method's own test"},
    {.name = "labels", .value = "KIND", .heading = "Evidence:",
     .help = "evidence behind the clusters in the input; default text"},
    {.name = "trust", .value = "KINDS",
     .help = "also activate rules with weak evidence: canonical, near, size, list"},
    {.name = "site", .value = "linked|domain|host",
     .help = "what to learn together; linked, the default: a domain and its mirrors"},
    {.name = "rehearse",
     .help = "test on pages kept out of learning on all sites, not only on some"},
    {.name = "state", .value = "FILE", .heading = "Later, with new records:", .help = "keep all records in FILE"},
    {.name = "update",
     .help = "learn again from the records of --state and new ones; rules of -o FILE\n"
             "that are pinned or off stay so. Without --state: learn nothing, count\n"
             "the rules of -o FILE on the new records, and turn off broken ones"},
    {.name = "memory", .value = "SIZE", .heading = "Resources:",
     .help = "memory to use, such as 400M; default half of the machine's"},
    {.name = "tmp", .value = "FOLDER", .help = "folder for what does not fit; default /tmp"},
    {.name = "threads", .value = "N", .help = "number of threads; 0, the default: one per core"},
    {.name = "site-sample", .value = "N",
     .help = "learn larger sites from N URLs, then check on all; default 2000000"},
    {.name = "seed", .value = "N", .rare = true, .help = "seed for random choices; default 1"},
    {.name = "strict", .heading = "Input:", .help = "stop at the first line that cannot be read"},
};

enum { OWN = 12 /* options of the command alone */ };

static const char *method_help(dp_arena *a, const char **words)
{
    dp_buf      help = {0}, names = {0};
    const char *summary, *name;
    dp_buf_c(&help, "how rules are found; auto is the default:");
    for (size_t i = 0; (name = dp_learner_method(i, &summary)); i++) {
        dp_buf_printf(&help, "\n%-8s %s", name, summary);
        dp_buf_printf(&names, "%s%s", i ? "|" : "", name);
    }
    dp_buf_byte(&help, 0);
    dp_buf_byte(&names, 0);
    bool   ok = !help.failed && !names.failed;
    dp_str h = ok ? dp_arena_str(a, dp_buf_view(&help)) : (dp_str){0};
    dp_str w = ok ? dp_arena_str(a, dp_buf_view(&names)) : (dp_str){0};
    dp_buf_done(&help);
    dp_buf_done(&names);
    *words = w.p;
    return w.p ? h.p : NULL;
}

static size_t count_method_options(void)
{
    size_t      n = 0;
    const char *name, *summary, *value, *help;
    int         paper;
    for (size_t m = 0; (name = dp_learner_method(m, &summary)); m++)
        for (size_t i = 0; dp_learner_option(name, i, &value, &help, &paper); i++)
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

static void add_setting(dp_option *row, options *o, const dp_option *like)
{
    setting *s = find_setting(o, like->name);
    *row = *like;
    if (like->value)
        row->text = &s->value;
    else
        row->flag = &s->flag;
}

/* Options of the methods behind `table`; returns how many there are then. Those of other methods than the default one
 * are rare, too. */
static size_t add_methods(options *o, dp_option *table, size_t n, dp_arena *a)
{
    const char *method, *summary;
    int         paper;
    for (size_t m = 0; (method = dp_learner_method(m, &summary)); m++) {
        for (int papers = 0; papers < 2; papers++) {
            size_t    first = n;
            dp_option row = {.rare = papers || m > 0};
            for (size_t i = 0; (row.name = dp_learner_option(method, i, &row.value, &row.help, &paper)); i++) {
                if (paper == papers)
                    add_setting(&table[n++], o, &row);
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
    size_t      most = OWN + DP_COUNT(shared) + count_method_options(), n = 0;
    dp_option  *table = DP_NEWS(a, most, dp_option);
    const char *words, *help = method_help(a, &words);
    o->v = DP_NEWS(a, most, setting);
    if (!table || !o->v || !help)
        return dp_say_usage("learn", "out of memory");
    const dp_option common[] = {
        {'o', "output", "FILE", "write the rules to FILE instead of standard output, once complete",
         .text = &o->output},
        {0, "json", NULL, "print the summary as one JSON object, on standard error", .flag = &o->json},
        DP_METER_OPTIONS(o),
    };
    n = add_rows(table, n, common, DP_COUNT(common));
    for (size_t i = 0; i < DP_COUNT(shared); i++) {
        dp_option row = shared[i];
        if (!row.help) /* --method */
            row.value = words, row.help = help;
        add_setting(&table[n++], o, &row);
    }
    const dp_option input[] = {
        DP_RECORDS_OPTIONS(&o->in),
        {0, "validate", NULL, "then test the rules by fetching pages, as 'dustpan validate' does",
         .flag = &o->validate, .heading = "Tests on the live site:"},
        {0, "max-fetches", "N", "with --validate: at most N requests in total", .number = &o->max_fetches,
         .max = INT64_MAX},
        {0, "rate", "R", "with --validate: at most R requests per second to each host; default 1", .rate = &o->rate},
        {0, "allow-private", NULL, "with --validate: also connect to private and loopback addresses",
         .flag = &o->allow_private},
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
    size_t   active, likely; /* rules that were written */
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
    for (size_t i = 0; code == DP_OK && i < dp_rules_count(r); i++) {
        dp_state state = dp_rules_state(r, i);
        out->active += state == DP_ACTIVE || state == DP_PIN;
        out->likely += state == DP_LIKELY;
    }
    dp_rules_free(r);
    return code;
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
    if (code == DP_OK)
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
    if (out->active)
        dp_say_next("dustpan report -r %s -o report.html %s (shows what the rules merge)", rules,
                    dp_list_name(o->in.files, "FILE"));
    else if (out->likely)
        dp_say_next("dustpan validate -r %s --urls %s -o tested.rules (tests the likely rules)", rules,
                    dp_list_name(o->in.files, "FILE"));
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

int dp_cmd_learn(int argc, char **argv, dp_arena *a)
{
    options     o = {.rate = 1000};
    dp_learner *l = NULL;
    dp_error    err = {0};
    outcome     out = {0};
    int         status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (o.validate && dp_list_has_stdin(dp_list_or_stdin(o.in.files))) /* a pipe cannot be read twice */
        return dp_say_usage("learn",
                            "--validate needs files, not standard input: they are read again for URLs to fetch");
    if (given(&o, "update") && !given(&o, "state"))
        return count_again(&o);
    dp_err code = dp_learner_new(&l);
    if (code == DP_OK)
        code = configure(l, &o, &err);
    if (code == DP_EINVALID && err.message[0]) {
        dp_learner_free(l);
        return dp_say_usage("learn", "%s", err.message);
    }
    if (code == DP_OK)
        code = run(l, &out, &o, &err);
    if (code == DP_OK && (!o.quiet || o.json))
        code = say_summary(l, &out, &o);
    if (code != DP_OK && !err.message[0])
        dp_fail_as(&err, code);
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_text_free(out.verdicts);
    dp_learner_free(l);
    return status;
}
