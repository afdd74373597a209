/* cmd_explain.c - dustpan explain: which rules fire on a URL, why two URLs are the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Show every rule that fires on a URL, in order, with its evidence. With two URLs, show why they\n"
    "have the same key, or where their keys differ (exit status 1).";

typedef struct options {
    dp_list   rules, urls;
    int       form; /* a dp_form */
    bool      json;
    dp_choice choice;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {0, "form", "key|fetch|surt", "which form of a single URL to explain; default key", .choice = &o->form},
        {0, "json", NULL, "print one JSON object", .flag = &o->json},
        DP_CHOICE_OPTIONS(&o->choice),
    };
    const dp_usage usage = {"explain", "-r RULES URL [URL]", about, table, DP_COUNT(table), 1, 2};
    int            status = dp_options_parse(&usage, argc, argv, &o->urls, a);
    if (status == DP_GO_ON && !o->rules.n)
        return dp_say_usage("explain", "-r RULES is missing");
    if (status == DP_GO_ON && o->urls.n == 2 && o->form != DP_KEY)
        return dp_say_usage("explain", "--form goes with one URL: two are compared by their keys");
    return status;
}

int dp_cmd_explain(int argc, char **argv, dp_arena *a)
{
    options    o = {0};
    dp_engine *e = NULL;
    dp_text   *text = NULL;
    dp_error   err = {0};
    int        same = 1, status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    dp_err code = dp_load_engine(&e, o.rules.v, o.rules.n, o.choice, &err);
    if (code == DP_OK) {
        dp_format   format = o.json ? DP_JSON : DP_PLAIN;
        const char *first = o.urls.v[0], *second = o.urls.n == 2 ? o.urls.v[1] : NULL;
        code = second ? dp_explain_pair(&text, e, first, strlen(first), second, strlen(second), format, &same)
                      : dp_explain(&text, e, (dp_form)o.form, first, strlen(first), format);
        if (code != DP_OK)
            dp_fail_as(&err, code);
    }
    if (code == DP_OK)
        code = dp_target_show(NULL, text, &err);
    status = code != DP_OK ? dp_say_error(&err) : same ? DP_EXIT_OK : DP_EXIT_NO;
    dp_engine_free(e);
    return status;
}
