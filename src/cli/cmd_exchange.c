/* cmd_exchange.c - dustpan rules export and import: rules from and for other tools.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdio.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/load.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about_export[] =
    "Export rules to another tool's format, skipping those it cannot express exactly. Skipped rules\n"
    "are listed with the reason, and the exit status is 1. The tool must get URLs that have been\n"
    "cleaned up as 'dustpan apply' does without rules. Tools:";

static const char about_import[] =
    "Convert another tool's list to a rule file. Every rule is marked likely: imported, not verified.\n"
    "What rules cannot express is listed with the reason, and the exit status is 1. Formats:";

/* What was refused, one line each. */
static void say_refusals(const dp_text *refusals)
{
    const char *p = dp_text_data(refusals), *end;
    for (; (end = strchr(p, '\n')); p = end + 1)
        dp_say("%.*s", (int)(end - p), p);
}

/* What was exported, and what to do now; the answer is no when something was not. `below` are the rules that
 * --min-precision left out. */
static int say_exported(const size_t *count, const char *to, const char *rules, size_t below)
{
    size_t taken = count[DP_EXCHANGE_TAKEN], refused = count[DP_EXCHANGE_REFUSED], lines = count[DP_EXCHANGE_LINES];
    size_t likely = count[DP_EXCHANGE_LIKELY], all = taken + refused;
    bool   is_redirect = strstr(to, "-redirect"); /* which may refuse a rule because it was not tested */
    dp_buf b = {0};
    if (refused && is_redirect)
        dp_buf_printf(&b, "%zu of %zu rule%s exported to %s; %zu skipped (reason%s above)", taken, all, dp_s(all), to,
                      refused, dp_s(refused));
    else if (refused)
        dp_buf_printf(&b, "%zu of %zu rule%s exported; %zu %s no exact equivalent in %s (reason%s above)", taken, all,
                      dp_s(all), refused, dp_plural(refused, "has", "have"), to, dp_s(refused));
    else
        dp_buf_printf(&b, "%zu rule%s exported to %s", taken, dp_s(taken), to);
    if (lines)
        dp_buf_printf(&b, "; %zu other line%s skipped", lines, dp_s(lines));
    if (likely)
        dp_buf_printf(&b, "; %zu likely rule%s left out (--with-likely exports %s, --with-likely --min-precision .9 "
                          "those with p of .9 and more)",
                      likely, dp_s(likely), dp_plural(likely, "it", "them"));
    if (below)
        dp_buf_printf(&b, "; %zu left out by --min-precision", below);
    if (!b.failed)
        dp_say("%.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
    if (refused && taken)
        dp_say_next("dustpan rules off -o FILE %s ID... (turns skipped rules off, for the same keys)", rules);
    else if (!taken && (refused ? is_redirect : likely > 0))
        dp_say_next("dustpan validate -r %s --urls LIST -o FILE (tests the likely rules)", rules);
    return refused || lines ? DP_EXIT_NO : DP_EXIT_OK;
}

static int say_imported(const size_t *count, const char *output)
{
    size_t taken = count[DP_EXCHANGE_TAKEN], refused = count[DP_EXCHANGE_REFUSED];
    dp_buf b = {0};
    dp_buf_printf(&b, "%zu rule%s imported", taken, dp_s(taken));
    if (taken)
        dp_buf_printf(&b, " and marked likely");
    if (refused)
        dp_buf_printf(&b, "; %zu %s skipped (reason%s above)", refused, dp_plural(refused, "entry", "entries"),
                      dp_s(refused));
    if (!b.failed)
        dp_say("%.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
    if (taken)
        dp_say_next("dustpan validate -r %s --urls LIST -o TESTED (tests the rules)",
                    output && strcmp(output, "-") != 0 ? output : "FILE");
    return refused ? DP_EXIT_NO : DP_EXIT_OK;
}

/* Names with what they stand for, a line each, behind `intro`. */
static const char *list_names(dp_buf *b, const char *intro, bool targets)
{
    const char *summary, *assumes, *name;
    dp_buf_c(b, intro);
    for (size_t i = 0; (name = targets ? dp_export_target_name(i, &summary, &assumes)
                                       : dp_import_format_name(i, &summary)) != NULL; i++)
        dp_buf_printf(b, "\n  %-24s %s", name, summary);
    dp_buf_byte(b, 0);
    return b->failed ? intro : b->p;
}

int dp_cmd_export(int argc, char **argv, dp_arena *a)
{
    const char     *output = NULL, *to = NULL;
    dp_choice       choice = {0};
    int             examples = 0;
    dp_list         files = {0};
    dp_buf          about = {0};
    const dp_option table[] = {
        {0, "to", "NAME", "tool to export to; required", .text = &to},
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete",
         .text = &output},
        {0, "with-likely", NULL, "also export rules marked likely", .flag = &choice.with_likely},
        {0, "min-precision", "P", "do not export rules whose expected precision p is below P",
         .share = &choice.min_precision},
        {0, "examples", "masked|raw",
         "skip rules with values that may be secret, such as ?token=1234, or\nexport them; default masked",
         .choice = &examples},
    };
    const dp_usage usage = {"rules export", "--to NAME RULES...",
                            list_names(&about, about_export, true),
                            table, DP_COUNT(table), 1, SIZE_MAX};
    dp_rules      *r = NULL;
    dp_text       *text = NULL, *refusals = NULL;
    dp_error       err = {0};
    size_t         count[DP_EXCHANGE_COUNTS] = {0}, below = 0;
    int            status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status == DP_GO_ON && !to)
        status = dp_say_usage("rules export", "--to NAME is missing");
    dp_buf_done(&about);
    if (status != DP_GO_ON)
        return status;
    dp_err code = dp_load_rules(&r, files.v, files.n, &err);
    if (code == DP_OK)
        code = dp_rules_limit(r, choice.min_precision, &below);
    if (code == DP_OK)
        code = dp_rules_export(&text, &refusals, r, to,
                               (choice.with_likely ? DP_WITH_LIKELY : 0u) | (examples ? DP_EXPORT_SECRETS : 0u), count,
                               &err);
    if (code == DP_OK)
        code = dp_target_put(output, text, &err);
    if (code == DP_OK)
        say_refusals(refusals);
    status = code == DP_OK ? say_exported(count, to, files.v[0], below) : dp_say_error(&err);
    dp_text_free(refusals);
    dp_rules_free(r);
    return status;
}

/* All of a file; "-" is standard input. */
static dp_err read_file(dp_buf *b, const char *path, dp_error *err)
{
    bool  standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "rb");
    if (!f)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(errno));
    char   chunk[1 << 16];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        dp_buf_add(b, chunk, n);
    bool bad = ferror(f);
    if (!standard)
        fclose(f);
    if (bad)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(errno));
    return b->failed ? dp_fail_as(err, DP_ENOMEM) : DP_OK;
}

int dp_cmd_import(int argc, char **argv, dp_arena *a)
{
    const char     *output = NULL, *from = NULL;
    dp_list         files = {0};
    dp_buf          about = {0}, text = {.max = 256 << 20};
    const dp_option table[] = {
        {0, "from", "NAME", "format to import; required", .text = &from},
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete",
         .text = &output},
    };
    const dp_usage usage = {"rules import", "--from NAME [FILE]",
                            list_names(&about, about_import, false),
                            table, DP_COUNT(table), 0, 1};
    dp_text       *rules = NULL, *refusals = NULL;
    dp_error       err = {0};
    size_t         count[DP_EXCHANGE_COUNTS] = {0};
    int            status = dp_options_parse(&usage, argc, argv, &files, a);
    if (status == DP_GO_ON && !from)
        status = dp_say_usage("rules import", "--from NAME is missing");
    dp_buf_done(&about);
    if (status != DP_GO_ON)
        return status;
    files = dp_list_or_stdin(files);
    const char *name = strcmp(files.v[0], "-") == 0 ? "standard input" : files.v[0];
    dp_err      code = read_file(&text, files.v[0], &err);
    if (code == DP_OK)
        code = dp_rules_import(&rules, &refusals, from, name, text.p ? text.p : "", text.n, count, &err);
    if (code == DP_OK)
        code = dp_target_put(output, rules, &err);
    if (code == DP_OK)
        say_refusals(refusals);
    status = code == DP_OK ? say_imported(count, output) : dp_say_error(&err);
    dp_text_free(refusals);
    dp_buf_done(&text);
    return status;
}
