/* cmd_explain.c - dustpan explain: which rules fire on a URL, why two URLs are the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Show every rule that fires on a URL, in order, with its evidence. With two URLs, show why they\n"
    "have the same key, or where their keys differ (exit status 1), and what speaks for the rules.";

typedef struct options {
    dp_list         rules, urls;
    dp_record_files in;
    int             form; /* a dp_form */
    int             masking;
    bool            json;
    double          explore;
    const char     *salt;
    dp_choice       choice;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {0, "records", "FILE",
         "show what these records say of each rule: votes by kind of URL, pairs;\nrepeat to use several",
         .list = &o->in.files},
        {0, "explore", "SHARE", "the records contain probes of 'dustpan apply --explore SHARE'", .share = &o->explore},
        {0, "salt", "TEXT", "the salt that it was given", .text = &o->salt},
        {0, "form", "key|fetch|surt", "which form of a single URL to explain; default key", .choice = &o->form},
        {0, "examples", "masked|raw", "hide possible secrets in pairs, or show them; default masked",
         .choice = &o->masking},
        {0, "json", NULL, "print one JSON object", .flag = &o->json},
        DP_CHOICE_OPTIONS(&o->choice),
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
    };
    const dp_usage usage = {"explain", "-r RULES [--records FILE] URL [URL]", about, table, DP_COUNT(table), 1, 2};
    int            status = dp_options_parse(&usage, argc, argv, &o->urls, a);
    if (status != DP_GO_ON)
        return status;
    if (!o->rules.n)
        return dp_say_usage("explain", "-r RULES is missing");
    if (o->urls.n == 2 && o->form != DP_KEY)
        return dp_say_usage("explain", "--form goes with one URL: two are compared by their keys");
    if ((o->explore > 0 && !o->in.files.n) || (o->salt && !(o->explore > 0)))
        return dp_say_usage("explain", o->salt ? "--salt needs --explore" : "--explore needs --records");
    if (o->in.files.n && dp_records_clash(&o->in, o->rules))
        return dp_say_usage("explain", "rules and records cannot both come from standard input");
    return DP_GO_ON;
}

/* What the records say of the rules. */
static dp_err read_records(dp_audit **out, const dp_rules *rules, const options *o, dp_error *err)
{
    dp_error bad;
    char     line[512];
    uint64_t shown = 0;
    DP_TRY(dp_audit_new(out, rules, err));
    DP_TRY(dp_fail_as(err, dp_audit_set(*out, DP_AUDIT_RAW, o->masking == 1)));
    DP_TRY(dp_fail_as(err, dp_audit_explore(*out, o->explore, o->salt ? o->salt : "")));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_fail_as(err, dp_audit_input(*out, (dp_input_option)i, o->in.how[i])));
    DP_TRY(dp_audit_run(*out, o->in.files.v, o->in.files.n, err));
    for (; dp_audit_bad(*out, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, dp_audit_total(*out, DP_AUDIT_BAD_LINES));
    for (size_t i = 0; dp_audit_warning(*out, i, line, sizeof line) == DP_OK; i++)
        dp_say("warning: %s", line);
    dp_load_compare_identity(rules, o->rules.v[0], dp_audit_identity(*out));
    return DP_OK;
}

/* Two URLs, or one with records: the text ends with the evidence. */
static dp_err tell_evidence(dp_text **out, const options *o, int *same, dp_error *err)
{
    dp_rules   *rules = NULL;
    dp_engine  *e = NULL;
    dp_audit   *audit = NULL;
    const char *second = o->urls.n == 2 ? o->urls.v[1] : NULL;
    dp_err      code = dp_load_rules(&rules, o->rules.v, o->rules.n, err);
    if (code == DP_OK)
        code = dp_engine_new(&e, rules, o->choice.with_likely ? DP_WITH_LIKELY : 0, o->choice.min_precision, err);
    if (code == DP_OK && o->in.files.n)
        code = read_records(&audit, rules, o, err);
    if (code == DP_OK)
        code = dp_fail_as(err, dp_explain_evidence(out, e, rules, audit, (dp_form)o->form, o->urls.v[0], second,
                                                   o->json ? DP_JSON : DP_PLAIN, same));
    dp_audit_free(audit);
    dp_engine_free(e);
    dp_rules_free(rules);
    return code;
}

static dp_err tell_url(dp_text **out, const options *o, dp_error *err)
{
    dp_engine  *e = NULL;
    const char *url = o->urls.v[0];
    DP_TRY(dp_load_engine(&e, o->rules.v, o->rules.n, o->choice, err));
    dp_err code = dp_explain(out, e, (dp_form)o->form, url, strlen(url), o->json ? DP_JSON : DP_PLAIN);
    dp_engine_free(e);
    return dp_fail_as(err, code);
}

int dp_cmd_explain(int argc, char **argv, dp_arena *a)
{
    options  o = {0};
    dp_text *text = NULL;
    dp_error err = {0};
    int      same = 1, status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    dp_err code = o.urls.n == 2 || o.in.files.n ? tell_evidence(&text, &o, &same, &err) : tell_url(&text, &o, &err);
    if (code == DP_OK)
        code = dp_target_show(NULL, text, &err);
    return code != DP_OK ? dp_say_error(&err) : same ? DP_EXIT_OK : DP_EXIT_NO;
}
