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

static const struct {
    const char *name, *value, *help;
} shared[] = {
    {"method", NULL, NULL}, /* its help lists the methods */
    {"min-precision", "P", "expected precision that a rule needs; .99"},
    {"accept", "judge|paper", "by votes of clusters, or by the method's own test"},
    {"keep", "NAMES", "parameters that no rule may touch: written as keep lines"},
    {"trust", "KINDS", "evidence that makes rules active, too: canonical, near, size, list"},
    {"labels", "KIND", "what the clusters that the input names rest on; text"},
    {"site", "linked|domain|host", "what is learned together; linked: domains that mirror each other"},
    {"site-sample", "N", "learn a site of more URLs from as many, then count its rules on all; 2000000, 0: never"},
    {"threads", "N", "0: as many as the machine has"},
    {"memory", "SIZE", "that learning may take, such as 400M; half of the machine's"},
    {"tmp", "FOLDER", "for what does not fit; /tmp"},
    {"state", "FILE", "keep the records there; with --update, learn from all that it holds"},
    {"update", NULL, "learn again, with the records of --state; what is pinned or off in -o FILE stays.\n"
                     "Without --state: count the rules of -o FILE on the input, retire what is broken"},
    {"rehearse", NULL, "all sites: learn each once more without the held-out clusters, not only some"},
    {"seed", "N", "of what is drawn by lot; 1"},
    {"strict", NULL, "fail at the first line that cannot be read"},
};

enum { OWN = 12 /* options of the command alone */ };

static const char *method_help(dp_arena *a, const char **words)
{
    dp_buf      help = {0}, names = {0};
    const char *summary, *name;
    dp_buf_c(&help, "how; the first is the default:");
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
    dp_buf_printf(&b, paper ? "To reproduce papers and experiments with --method %s:" : "Options of --method %s:",
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

static void add_setting(dp_option *row, setting *s, const char *value, const char *help)
{
    *row = (dp_option){.name = s->name, .value = value, .help = help};
    if (value)
        row->text = &s->value;
    else
        row->flag = &s->flag;
}

/* Options of the methods behind `table`; returns how many there are then. */
static size_t add_methods(options *o, dp_option *table, size_t n, dp_arena *a)
{
    const char *method, *summary, *name, *value, *help;
    int         paper;
    for (size_t m = 0; (method = dp_learner_method(m, &summary)); m++) {
        for (int papers = 0; papers < 2; papers++) {
            size_t first = n;
            for (size_t i = 0; (name = dp_learner_option(method, i, &value, &help, &paper)); i++) {
                if (paper == papers)
                    add_setting(&table[n++], find_setting(o, name), value, help);
            }
            if (n > first && !(table[first].heading = heading_of(a, method, papers)))
                return 0;
        }
    }
    return n;
}

static const char about[] =
    "Learn from records which URLs of a site show the same page, and write the rules that say so.\n"
    "Input: files with clusters, digests, sketches, sizes or redirects; access logs, crawl logs, CDX,\n"
    "WARC; - is standard input.";

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    size_t      most = OWN + DP_COUNT(shared) + count_method_options(), n = 0;
    dp_option  *table = DP_NEWS(a, most, dp_option);
    const char *words, *help = method_help(a, &words);
    o->v = DP_NEWS(a, most, setting);
    if (!table || !o->v || !help)
        return dp_say_usage("learn", "out of memory");
    table[n++] = (dp_option){'o', "output", "FILE", "write there (aside, then renamed) instead of standard output",
                             .text = &o->output};
    for (size_t i = 0; i < DP_COUNT(shared); i++) {
        bool is_method = i == 0;
        add_setting(&table[n++], find_setting(o, shared[i].name), is_method ? words : shared[i].value,
                    is_method ? help : shared[i].help);
    }
    const dp_option own[] = {
        DP_RECORDS_OPTIONS(&o->in),
        {0, "validate", NULL, "then fetch a few pages of the files, as validate does: rules that hold become\n"
                              "active, others go off", .flag = &o->validate},
        {0, "max-fetches", "N", "with --validate: requests in all, at most", .number = &o->max_fetches,
         .max = INT64_MAX},
        {0, "rate", "R", "with --validate: requests a second a host, at most; 1", .rate = &o->rate},
        {0, "allow-private", NULL, "with --validate: connect to private and loopback addresses, too",
         .flag = &o->allow_private},
        {0, "json", NULL, "the summary as one JSON object", .flag = &o->json},
        DP_METER_OPTIONS(o),
    };
    for (size_t i = 0; i < DP_COUNT(own); i++)
        table[n++] = own[i];
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

static void say_verdicts(const dp_validation *v)
{
    dp_say("validated with %" PRIu64 " requests: %zu rules hold, %zu the other way round, %zu do not, %zu are special "
           "cases of others, %zu are undecided",
           dp_validation_total(v, DP_VALIDATION_REQUESTS), dp_validation_verdicts(v, DP_KEPT),
           dp_validation_verdicts(v, DP_TURNED), dp_validation_verdicts(v, DP_REJECTED),
           dp_validation_verdicts(v, DP_REFINED), dp_validation_verdicts(v, DP_UNDECIDED));
}

/* Fetch pages and put the rules that come out of it in the place of those that went in. */
static dp_err validate(dp_text **rules, const options *o, dp_meter *meter, dp_error *err)
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
    if (code == DP_OK) {
        dp_meter_done(meter);
        if (!o->quiet)
            say_verdicts(v);
        dp_text_free(*rules);
        *rules = text;
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
        return dp_say_usage("learn", "--update without --state needs -o FILE, whose rules are counted again");
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_err code = dp_update_recount(o->output, &o->in, o->quiet, &meter, &err);
    if (code != DP_OK && !err.message[0])
        dp_fail_as(&err, code);
    return code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
}

static dp_err run(dp_learner *l, const options *o, dp_error *err)
{
    dp_list  in = dp_list_or_stdin(o->in.files);
    dp_meter meter;
    dp_text *rules = NULL;
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_learner_progress(l, meter.on ? dp_meter_show : NULL, &meter);
    dp_learner_folder(l, dp_target_folder, NULL);
    dp_err code = dp_learner_run(l, in.v, in.n, err);
    dp_meter_done(&meter);
    if (code == DP_OK && given(o, "update"))
        code = dp_update_learned(l, o->output, o->quiet, err);
    if (code == DP_OK)
        code = dp_learner_rules(&rules, l);
    if (code == DP_OK && o->validate)
        code = validate(&rules, o, &meter, err);
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

/* On standard error: standard output may be the rule file. */
static dp_err say_summary(const dp_learner *l, const options *o)
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
        const char *p = dp_text_data(t);
        for (const char *end; (end = strchr(p, '\n')); p = end + 1)
            dp_say("%.*s", (int)(end - p), p);
    }
    dp_text_free(t);
    return DP_OK;
}

int dp_cmd_learn(int argc, char **argv, dp_arena *a)
{
    options     o = {.rate = 1000};
    dp_learner *l = NULL;
    dp_error    err = {0};
    int         status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (o.validate && dp_list_has_stdin(dp_list_or_stdin(o.in.files))) /* a pipe cannot be read twice */
        return dp_say_usage("learn", "--validate needs files: the input is read again for URLs to fetch");
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
        code = run(l, &o, &err);
    if (code == DP_OK && (!o.quiet || o.json))
        code = say_summary(l, &o);
    if (code != DP_OK && !err.message[0])
        dp_fail_as(&err, code);
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_learner_free(l);
    return status;
}
