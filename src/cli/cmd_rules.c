/* cmd_rules.c - dustpan rules: work on rule files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/target.h"

static int finish(dp_err code, const dp_error *err)
{
    return code == DP_OK ? DP_EXIT_OK : dp_say_error(err);
}

/* ---- check ------------------------------------------------------------------------------------ */

static int check(int argc, char **argv, dp_arena *a)
{
    bool            json = false;
    dp_list         files = {0};
    const dp_option table[] = {{0, "json", NULL, "print one JSON object per file", .flag = &json}};
    const dp_usage  usage = {"rules check", "[FILE...]",
                             "Find errors, rules that loop and rules that can never fire. Findings are printed with\n"
                             "file, line and column; exit status 1 when there are any.",
                             table, DP_COUNT(table), 0, SIZE_MAX};
    int             status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status != DP_GO_ON)
        return status;
    files = dp_list_or_stdin(files);
    size_t found = 0;
    status = DP_EXIT_OK;
    for (size_t i = 0; i < files.n; i++) {
        dp_text *text = NULL;
        dp_error err = {0};
        size_t   findings = 0;
        dp_err   code = dp_rules_check(&text, files.v[i], json ? DP_JSON : DP_PLAIN, &findings, &err);
        if (code == DP_OK)
            code = dp_target_show(NULL, text, &err);
        if (code != DP_OK)
            status = dp_say_error(&err);
        else if (findings && status == DP_EXIT_OK)
            status = DP_EXIT_NO;
        found += findings;
    }
    if (found && !json)
        dp_say("%zu problem%s found", found, dp_s(found));
    return status;
}

/* ---- show, fmt, merge, compile ------------------------------------------------------------------ */

static int show(int argc, char **argv, dp_arena *a)
{
    bool            json = false;
    dp_list         files = {0};
    const dp_option table[] = {{0, "json", NULL, "print one JSON object", .flag = &json}};
    const dp_usage  usage = {"rules show", "[FILE...]",
                             "Show each rule once, with the number of hosts that have it; those that could lose the\n"
                             "most pages first.",
                             table, DP_COUNT(table), 0, SIZE_MAX};
    dp_rules       *r = NULL;
    dp_text        *text = NULL;
    dp_error        err = {0};
    int             status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status != DP_GO_ON)
        return status;
    files = dp_list_or_stdin(files);
    dp_err code = dp_load_rules(&r, files.v, files.n, &err);
    if (code == DP_OK)
        code = dp_fail_as(&err, dp_rules_show(&text, r, json ? DP_JSON : DP_PLAIN));
    if (code == DP_OK)
        code = dp_target_show(NULL, text, &err);
    dp_rules_free(r);
    return finish(code, &err);
}

static dp_err print_rules(const dp_rules *r, const char *path, dp_error *err)
{
    dp_text *text;
    DP_TRY(dp_fail_as(err, dp_rules_print(&text, r)));
    return dp_target_put(path, text, err);
}

static int fmt(int argc, char **argv, dp_arena *a)
{
    const char     *output = NULL;
    dp_list         files = {0};
    const dp_option table[] = {
        {'o', "output", "FILE", "write to FILE, which may be the file that is read", .text = &output}};
    const dp_usage usage = {"rules fmt", "[FILE]",
                            "Print a rule file in standard form. Comments are kept; a compiled file has none.",
                            table, DP_COUNT(table), 0, 1};
    dp_rules      *r = NULL;
    dp_error       err = {0};
    int            status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status != DP_GO_ON)
        return status;
    files = dp_list_or_stdin(files);
    dp_err code = dp_load_rules(&r, files.v, files.n, &err);
    if (code == DP_OK)
        code = print_rules(r, output, &err);
    dp_rules_free(r);
    return finish(code, &err);
}

static int merge(int argc, char **argv, dp_arena *a)
{
    const char     *output = NULL;
    dp_list         files = {0};
    const dp_option table[] = {
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete",
         .text = &output}};
    const dp_usage usage = {"rules merge", "FILE...",
                            "Merge rule files into one: blocks of the same hosts are joined, repeated rules written\n"
                            "once. Earlier files come first.",
                            table, DP_COUNT(table), 1, SIZE_MAX};
    dp_rules      *r = NULL, *merged = NULL;
    dp_error       err = {0};
    int            status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status != DP_GO_ON)
        return status;
    dp_err code = dp_load_rules(&r, files.v, files.n, &err);
    if (code == DP_OK)
        code = dp_rules_merge(&merged, r, &err);
    if (code == DP_OK)
        code = print_rules(merged, output, &err);
    dp_rules_free(merged);
    dp_rules_free(r);
    return finish(code, &err);
}

static int compile(int argc, char **argv, dp_arena *a)
{
    const char     *output = NULL;
    dp_list         files = {0};
    const dp_option table[] = {{'o', "output", "FILE", "the compiled file; required", .text = &output}};
    const dp_usage  usage = {"rules compile", "-o FILE RULES...",
                             "Compile rule files, read as one in the order given, into a file that loads at once.",
                             table, DP_COUNT(table), 1, SIZE_MAX};
    dp_engine      *e = NULL;
    dp_error        err = {0};
    int             status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status != DP_GO_ON)
        return status;
    if (!output || strcmp(output, "-") == 0)
        return dp_say_usage("rules compile", "-o FILE is missing");
    dp_err code = dp_load_engine(&e, files.v, files.n, (dp_choice){0}, &err);
    if (code == DP_OK)
        code = dp_engine_save(e, output, &err);
    dp_engine_free(e);
    return finish(code, &err);
}

/* ---- diff ------------------------------------------------------------------------------------------ */

typedef struct diff_options {
    dp_list files, urls;
    bool    json;
    int     examples; /* 1: raw */
} diff_options;

static dp_err diff_rules(dp_text **out, const diff_options *o, size_t *differences, dp_error *err)
{
    dp_rules *old = NULL, *new = NULL;
    dp_err    code = dp_load_rules(&old, o->files.v, 1, err);
    if (code == DP_OK)
        code = dp_load_rules(&new, o->files.v + 1, 1, err);
    if (code == DP_OK)
        code = dp_fail_as(err, dp_rules_diff(out, old, new, o->json ? DP_JSON : DP_PLAIN, differences));
    dp_rules_free(old);
    dp_rules_free(new);
    return code;
}

static dp_err diff_keys(dp_text **out, const diff_options *o, size_t *differences, dp_error *err)
{
    dp_engine *old = NULL, *new = NULL;
    dp_err     code = dp_load_engine(&old, o->files.v, 1, (dp_choice){0}, err);
    if (code == DP_OK)
        code = dp_load_engine(&new, o->files.v + 1, 1, (dp_choice){0}, err);
    if (code == DP_OK)
        code = dp_diff_urls(out, old, new, o->urls.v, o->urls.n, o->examples ? DP_RAW_EXAMPLES : 0,
                            o->json ? DP_JSON : DP_PLAIN, differences, err);
    dp_engine_free(old);
    dp_engine_free(new);
    return code;
}

static int diff(int argc, char **argv, dp_arena *a)
{
    diff_options    o = {0};
    const dp_option table[] = {
        {0, "urls", "LIST",
         "instead show on which hosts the keys of the URLs of LIST change: host,\n"
         "URLs with another key, all URLs, an example and its two keys; may be\nrepeated", .list = &o.urls},
        {0, "examples", "masked|raw", "hide possible secrets in examples, or show them; default masked",
         .choice = &o.examples},
        {0, "json", NULL, "print one JSON object", .flag = &o.json},
    };
    const dp_usage usage = {"rules diff", "A B",
                            "Show the rules that only A or only B has, or that differ in state, p or by. Exit status\n"
                            "1 when there is a difference.",
                            table, DP_COUNT(table), 2, 2};
    size_t         differences = 0;
    dp_text       *text = NULL;
    dp_error       err = {0};
    int            status = dp_options_parse(&usage, argc, argv, &o.files, a);
    if (status != DP_GO_ON)
        return status;
    dp_err code = o.urls.n ? diff_keys(&text, &o, &differences, &err) : diff_rules(&text, &o, &differences, &err);
    if (code == DP_OK)
        code = dp_target_show(NULL, text, &err);
    return code == DP_OK && differences ? DP_EXIT_NO : finish(code, &err);
}

/* ---- on, off ------------------------------------------------------------------------------------------ */

static int turn(const char *command, bool on, int argc, char **argv, dp_arena *a)
{
    const char     *output = NULL;
    bool            quiet = false;
    dp_list         operands = {0};
    const dp_option table[] = {
        {'o', "output", "FILE", "write the rules there and leave the file that is read as it is", .text = &output},
        {'q', "quiet", NULL, "print errors only", .flag = &quiet}};
    const dp_usage  usage = {command, "FILE ID...",
                             on ? "Make rules active that were off or likely, and rewrite FILE. Rules are named by\n"
                                  "their ids or the first digits of them."
                                : "Turn rules off, and rewrite FILE. Rules are named by their ids or the first digits\n"
                                  "of them. Learning never turns them on again.",
                             table, DP_COUNT(table), 2, SIZE_MAX};
    dp_rules       *r = NULL;
    dp_error        err = {0};
    int             status = dp_options_parse(&usage, argc, argv, &operands, a);
    if (status != DP_GO_ON)
        return status;
    const char *file = operands.v[0];
    if (!output && strcmp(file, "-") != 0 && dp_is_compiled(file, NULL) == 1) {
        dp_say("%s: a compiled file cannot be changed; change the rule file it was made from, or write rules with -o",
               file);
        return DP_EXIT_ERROR;
    }
    size_t turned = 0, changed;
    dp_err code = dp_load_rules(&r, &file, 1, &err);
    for (size_t i = 1; i < operands.n && code == DP_OK; i++) {
        code = dp_rules_turn(r, operands.v[i], on, &changed, &err);
        turned += code == DP_OK ? changed : 0;
        if (code == DP_EINVALID && !err.file[0])
            snprintf(err.file, sizeof err.file, "%s", file);
    }
    if (code == DP_OK)
        code = print_rules(r, output ? output : file, &err);
    if (code == DP_OK && turned && !quiet)
        dp_say("%zu rule%s %s", turned, dp_s(turned), on ? "made active" : "turned off");
    else if (code == DP_OK && !quiet)
        dp_say("nothing to change: already %s", on ? "active" : "off");
    dp_rules_free(r);
    return finish(code, &err);
}

static int turn_on(int argc, char **argv, dp_arena *a)
{
    return turn("rules on", true, argc, argv, a);
}

static int turn_off(int argc, char **argv, dp_arena *a)
{
    return turn("rules off", false, argc, argv, a);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static const dp_command verbs[] = {
    {"check", check, "find errors, and rules that loop or never fire"},
    {"show", show, "list rules, those with the highest risk first"},
    {"fmt", fmt, "print a rule file in standard form"},
    {"diff", diff, "show what changes from one rule file to another"},
    {"merge", merge, "merge several rule files into one"},
    {"compile", compile, "compile rules into a file that loads at once"},
    {"export", dp_cmd_export, "export rules to another tool's format"},
    {"import", dp_cmd_import, "convert another tool's list to rules"},
    {"on", turn_on, "make rules active"},
    {"off", turn_off, "turn rules off"},
};

int dp_cmd_rules(int argc, char **argv, dp_arena *a)
{
    return dp_command_run(verbs, DP_COUNT(verbs), "rules", "Work with rule files.", argc, argv, a);
}
