/* to_whole.c - tools that match a whole URL: Heritrix (RegexRule beans), nginx (a chain of maps), sed; and whoever
 * reads a table of patterns (CSV).
 *
 * The first two cannot repeat a step: a drop is written for RUNS runs of pairs between others. sed loops.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exchange/export.h"
#include "exchange/regex.h"

enum { RUNS = 8, MAX_GROUPS = 9 };

size_t dp_whole_steps(dp_buf *out, const dp_units *units, const dp_replacement *how, const char *groups,
                      dp_whole_put call)
{
    size_t number = 0;
    dp_buf pattern = {0}, result = {0};
    for (size_t i = 0; i < units->n; i++) {
        const dp_export_unit *u = &units->v[i];
        size_t                steps = u->rule->kind == DP_RULE_DROP ? 2 + RUNS : 1;
        for (size_t k = 0; k < steps; k++) {
            dp_buf_reset(&pattern);
            dp_buf_reset(&result);
            if (u->rule->kind == DP_RULE_REWRITE) {
                dp_buf_c(&result, u->ends ? DP_PASS_ENDS : "");
                dp_regex_rewrite(&pattern, &result, u, DP_DIALECT_PERL, how);
            } else {
                dp_regex_drop(&pattern, u, k == 0 ? DP_DROP_FIRST : k == 1 ? DP_DROP_ONLY : DP_DROP_LATER,
                              dp_regex_scope);
                dp_buf_c(&result, groups);
            }
            out->failed |= pattern.failed || result.failed;
            if (!out->failed)
                call(out, u, ++number, dp_buf_view(&pattern), dp_buf_view(&result));
        }
    }
    dp_buf_done(&pattern);
    dp_buf_done(&result);
    return number;
}

/* ---- Heritrix --------------------------------------------------------------------------------------------- */

static void add_attribute(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '&')
            dp_buf_c(out, "&amp;");
        else
            dp_buf_byte(out, s.p[i]); /* no quotes and no '<' in rules */
    }
}

static void put_heritrix(dp_buf *out, const dp_export_unit *u, size_t number, dp_str pattern, dp_str result)
{
    (void)u, (void)number;
    dp_buf_c(out, "      <bean class=\"org.archive.modules.canonicalize.RegexRule\">\n"
                  "        <property name=\"regex\" value=\"");
    add_attribute(out, pattern);
    dp_buf_c(out, "\"/>\n        <property name=\"format\" value=\"");
    add_attribute(out, result);
    dp_buf_c(out, "\"/>\n      </bean>\n");
}

void dp_export_heritrix(dp_buf *out, const dp_units *units)
{
    const dp_replacement java = {"$", "", "\\$"};
    dp_buf_c(out, "<!-- For the canonicalizationPolicy of crawler-beans.cxml. Made by dustpan. -->\n"
                  "<bean id=\"canonicalizationPolicy\"\n"
                  "      class=\"org.archive.modules.canonicalize.RulesCanonicalizationPolicy\">\n"
                  "  <property name=\"rules\">\n    <list>\n");
    dp_whole_steps(out, units, &java, "$1$2", put_heritrix);
    dp_buf_c(out, "    </list>\n  </property>\n</bean>\n");
}

/* ---- nginx ------------------------------------------------------------------------------------------------- */

static void put_nginx(dp_buf *out, const dp_export_unit *u, size_t number, dp_str pattern, dp_str result)
{
    (void)u;
    dp_buf_printf(out, "map $dustpan_%zu $dustpan_%zu {\n    default $dustpan_%zu;\n    \"~%.*s\" \"%.*s\";\n}\n",
                  number - 1, number, number - 1, DP_FMT(pattern), DP_FMT(result));
}

size_t dp_nginx_maps(dp_buf *out, const dp_units *units, const char *scheme)
{
    const dp_replacement nginx = {"$", "", ""};
    dp_buf_printf(out, "map \"\" $dustpan_0 {\n    default %s://$http_host$request_uri;\n}\n", scheme);
    return dp_whole_steps(out, units, &nginx, "$1$2", put_nginx);
}

void dp_export_nginx(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "# For the http block. $dustpan_key is the key of the request. Made by dustpan.\n");
    size_t last = dp_nginx_maps(out, units, "$scheme");
    dp_buf_printf(out, "map \"\" $dustpan_key {\n    default $dustpan_%zu;\n}\n", last);
}

/* ---- CSV --------------------------------------------------------------------------------------------------- */

static void add_quoted(dp_buf *out, dp_str s)
{
    dp_buf_byte(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            dp_buf_byte(out, '"');
        dp_buf_byte(out, s.p[i]);
    }
    dp_buf_byte(out, '"');
}

static void put_csv(dp_buf *out, const dp_export_unit *u, size_t number, dp_str pattern, dp_str result)
{
    dp_buf_printf(out, "%zu,", number);
    add_quoted(out, pattern);
    dp_buf_byte(out, ',');
    add_quoted(out, result);
    dp_buf_printf(out, ",%08x,", (unsigned)(u->rule->id >> 32));
    add_quoted(out, u->rule->text);
    dp_buf_byte(out, '\n');
}

/* A row is a step: where the pattern matches the URL so far, the canonical form takes its place. */
void dp_export_canonical_csv(dp_buf *out, const dp_units *units)
{
    const dp_replacement perl = {"$", "", "\\$"};
    dp_buf_c(out, "step,pattern,canonical,id,rule\n");
    dp_whole_steps(out, units, &perl, "$1$2", put_csv);
}

/* ---- sed ----------------------------------------------------------------------------------------------------- */

static const dp_replacement sed = {"\\", "", "\\&#"};

/* The groups of a rewrite in the dialect; what is written is not kept. */
static size_t groups_of(const dp_export_unit *u, dp_dialect d)
{
    dp_buf pattern = {.max = 1}, result = {.max = 1};
    pattern.failed = result.failed = true;
    return u->rule->kind == DP_RULE_REWRITE ? dp_regex_rewrite(&pattern, &result, u, d, &sed) : 0;
}

static const char too_many[] = "%s a template with so many captures: it has nine groups";

void dp_refuse_sed(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    if (groups_of(u, DP_DIALECT_POSIX) > MAX_GROUPS)
        dp_buf_printf(why, too_many, cannot);
}

/* A '$' begins a variable in what nginx writes, and cannot be escaped. */
void dp_refuse_nginx(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    const dp_template *t = u->rule->right;
    for (size_t i = 0; t && i < t->nseg; i++) {
        for (size_t j = 0; j < t->seg[i].n && !why->n; j++) {
            dp_str s = t->seg[i].v[j].text;
            if (t->seg[i].v[j].kind == DP_ITEM_LITERAL && memchr(s.p, '$', s.n))
                dp_buf_printf(why, "%s a dollar sign in a result", cannot);
        }
    }
    if (!why->n && groups_of(u, DP_DIALECT_PERL) > MAX_GROUPS)
        dp_buf_printf(why, too_many, cannot);
}

static void put_sed_drop(dp_buf *out, const dp_export_unit *u, size_t number)
{
    dp_buf names = {0};
    dp_regex_names(&names, &u->rule->names, DP_DIALECT_POSIX);
    dp_buf_c(out, "\\#^");
    dp_regex_scope(out, u, DP_DIALECT_POSIX);
    dp_buf_printf(out, "#{\n:a%zu\ns#^([^?]*\\?)%.*s(=[^&;]*)?[&;]#\\1#\nta%zu\n", number, DP_FMT(names), number);
    dp_buf_printf(out, "s#^([^?]*)\\?%.*s(=[^&;]*)?$#\\1#\n", DP_FMT(names));
    dp_buf_printf(out, ":b%zu\ns#^([^?]*\\?.*)[&;]%.*s(=[^&;]*)?([&;].*)?$#\\1\\4#\ntb%zu\n}\n", number, DP_FMT(names),
                  number);
    out->failed |= names.failed;
    dp_buf_done(&names);
}

void dp_export_sed(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "# For LC_ALL=C sed -E -f. Made by dustpan.\n");
    for (size_t i = 0; i < units->n; i++) {
        const dp_export_unit *u = &units->v[i];
        dp_buf                pattern = {0}, result = {0};
        dp_buf_printf(out, "# rule %08x\n", (unsigned)(u->rule->id >> 32));
        if (u->rule->kind == DP_RULE_DROP) {
            put_sed_drop(out, u, i);
            continue;
        }
        dp_regex_rewrite(&pattern, &result, u, DP_DIALECT_POSIX, &sed);
        dp_buf_printf(out, "s#%.*s#%.*s#\n", DP_FMT(pattern), DP_FMT(result));
        out->failed |= pattern.failed || result.failed;
        dp_buf_done(&pattern);
        dp_buf_done(&result);
    }
}
