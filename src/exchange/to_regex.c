/* to_regex.c - tools that replace every match of a regular expression, one expression after another: Apache Nutch
 * (regex-normalize.xml), StormCrawler (RegexURLNormalizer), plain JSON for everybody else, and pywb, which does so with
 * the keys of its index before it compares them.
 *
 *     drop ?sid      first: path?sid=1&a=2 -> path?a=2     only: path?sid=1 -> path     all: path?a=2&sid=1 -> path?a=2
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/words/json.h"
#include "exchange/export.h"
#include "exchange/regex.h"

/* Of java.util.regex. */
static const dp_replacement java = {"$", "", "\\$"};

typedef void (*put)(dp_buf *out, const dp_export_unit *u, dp_str pattern, const char *result);

/* Give each expression of a unit to `call`. */
static void each_expression(dp_buf *out, const dp_export_unit *u, put call)
{
    dp_buf pattern = {0}, result = {0};
    if (u->rule->kind == DP_RULE_REWRITE) {
        dp_regex_rewrite(&pattern, &result, u, DP_DIALECT_PERL, &java);
        dp_buf_byte(&result, 0);
        if (!pattern.failed && !result.failed)
            call(out, u, dp_buf_view(&pattern), result.p);
    }
    for (int i = 0; u->rule->kind == DP_RULE_DROP && i < 3; i++) {
        dp_buf_reset(&pattern);
        if (i < 2)
            dp_regex_drop(&pattern, u, i ? DP_DROP_ONLY : DP_DROP_FIRST, dp_regex_scope);
        else
            dp_regex_drop_all(&pattern, u, dp_regex_scope);
        out->failed |= pattern.failed;
        if (!pattern.failed)
            call(out, u, dp_buf_view(&pattern), i < 2 ? "$1$2" : "$1");
    }
    out->failed |= pattern.failed || result.failed;
    dp_buf_done(&pattern);
    dp_buf_done(&result);
}

static void each_unit(dp_buf *out, const dp_units *units, put call)
{
    for (size_t i = 0; i < units->n; i++)
        each_expression(out, &units->v[i], call);
}

/* ---- Nutch ---------------------------------------------------------------------------------------------- */

static void add_xml(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '&')
            dp_buf_c(out, "&amp;");
        else if (s.p[i] == '<')
            dp_buf_c(out, "&lt;");
        else if (s.p[i] == '>')
            dp_buf_c(out, "&gt;");
        else if (s.p[i] == '"')
            dp_buf_c(out, "&quot;");
        else
            dp_buf_byte(out, s.p[i]);
    }
}

static void put_nutch(dp_buf *out, const dp_export_unit *u, dp_str pattern, const char *result)
{
    dp_buf_printf(out, "<!-- rule %08x -->\n<regex>\n  <pattern>", (unsigned)(u->rule->id >> 32));
    add_xml(out, pattern);
    dp_buf_c(out, "</pattern>\n  <substitution>");
    add_xml(out, dp_str_c(result));
    dp_buf_c(out, "</substitution>\n</regex>\n");
}

void dp_export_nutch(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "<?xml version=\"1.0\"?>\n"
                  "<!-- For urlnormalizer-regex, after urlnormalizer-basic. Made by dustpan. -->\n"
                  "<regex-normalize>\n");
    each_unit(out, units, put_nutch);
    dp_buf_c(out, "</regex-normalize>\n");
}

/* ---- JSON ------------------------------------------------------------------------------------------------ */

static void put_pair(dp_buf *out, const dp_export_unit *u, dp_str pattern, const char *result)
{
    (void)u;
    dp_buf_c(out, out->n && out->p[out->n - 1] == '[' ? "\n      {\"pattern\": " : ",\n      {\"pattern\": ");
    dp_json_str(out, pattern);
    dp_buf_c(out, ", \"substitution\": ");
    dp_json_str(out, dp_str_c(result));
    dp_buf_byte(out, '}');
}

void dp_export_stormcrawler(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "{\n  \"com.digitalpebble.stormcrawler.filtering.URLFilters\": [\n"
                  "    {\"class\": \"com.digitalpebble.stormcrawler.filtering.basic.BasicURLNormalizer\",\n"
                  "     \"name\": \"BasicURLNormalizer\", \"params\": {\"removeAnchorPart\": true}},\n"
                  "    {\"class\": \"com.digitalpebble.stormcrawler.filtering.regex.RegexURLNormalizer\",\n"
                  "     \"name\": \"RegexURLNormalizer\", \"params\": {\"urlNormalizers\": [");
    each_unit(out, units, put_pair);
    dp_buf_c(out, "\n     ]}}\n  ]\n}\n");
}

static void add_scopes(dp_buf *out, const dp_export_unit *u)
{
    dp_buf_c(out, "[");
    for (size_t i = 0; i < u->nscope; i++) {
        const dp_scope *s = u->scope[i];
        dp_buf_printf(out, "%s\"%s%.*s\"", i ? ", " : "", s->any ? "any" : s->wildcard ? "*." : "", DP_FMT(s->name));
    }
    dp_buf_c(out, "]");
}

void dp_export_json(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "{\"format\": \"dustpan-export 1\", \"steps\": [");
    for (size_t i = 0; i < units->n; i++) {
        const dp_export_unit *u = &units->v[i];
        dp_buf_printf(out, "%s\n  {\"id\": \"%016llx\", \"hosts\": ", i ? "," : "", (unsigned long long)u->rule->id);
        add_scopes(out, u);
        dp_buf_c(out, ", \"rule\": ");
        dp_json_str(out, u->rule->text);
        dp_buf_c(out, ", \"replace\": [");
        each_expression(out, u, put_pair);
        dp_buf_c(out, "]}");
    }
    dp_buf_c(out, "\n]}\n");
}

/* ---- pywb ------------------------------------------------------------------------------------------------ */

/* "com,example)/" of example.com and www.example.com, "com,example," of its sub-domains. */
static void surt_scope(dp_buf *out, const dp_export_unit *u, dp_dialect d)
{
    (void)d;
    for (size_t i = 0; i < u->nscope; i++) {
        dp_str name = u->scope[i]->name;
        if (dp_str_starts(name, DP_STR("www.")))
            name = dp_str_cut(name, 4, name.n);
        dp_buf_c(out, i ? "|" : "(?:");
        for (size_t end = name.n; end > 0;) {
            const char *dot = memrchr(name.p, '.', end);
            size_t      from = dot ? (size_t)(dot - name.p) + 1 : 0;
            if (end < name.n)
                dp_buf_byte(out, ',');
            dp_buf_str(out, dp_str_cut(name, from, end));
            end = from ? from - 1 : 0;
        }
        dp_buf_c(out, u->scope[i]->any ? "[^)]*\\)/" : u->scope[i]->wildcard ? ",[^)]*\\)/" : "(?::[0-9]+)?\\)/");
    }
    dp_buf_byte(out, ')');
}

static bool has_www(const dp_export_unit *u, dp_str name, bool www)
{
    for (size_t i = 0; i < u->nscope; i++) {
        dp_str other = u->scope[i]->name;
        bool   is = dp_str_starts(other, DP_STR("www."));
        if (is == www && dp_str_eq(is ? dp_str_cut(other, 4, other.n) : other, name))
            return true;
    }
    return false;
}

/* Refuse hosts whose www. twin is not under the rule: pywb takes both for one. */
static void refuse_www(dp_buf *why, const dp_export_unit *u)
{
    for (size_t i = 0; i < u->nscope && !u->scope[i]->any && !why->n; i++) {
        dp_str name = u->scope[i]->name;
        bool   www = dp_str_starts(name, DP_STR("www."));
        dp_str bare = www ? dp_str_cut(name, 4, name.n) : name;
        if (u->scope[i]->wildcard) /* www.b.com of *.b.com is b.com there */
            dp_buf_printf(why, "pywb ignores \"www.\", so the rule would also apply to %.*s; name the hosts one by one",
                          DP_FMT(name));
        else if (!has_www(u, bare, !www))
            dp_buf_printf(why,
                          "pywb ignores \"www.\", so the rule would also apply to %s%.*s; add that host to the rule's "
                          "host line",
                          www ? "" : "www.", DP_FMT(bare));
    }
}

/* Its keys are in lower case, and without www. */
void dp_refuse_pywb(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    for (size_t i = 0; !why->n && i < u->rule->names.n; i++) {
        for (size_t j = 0; j < u->rule->names.v[i].text.n && !why->n; j++) {
            char c = u->rule->names.v[i].text.p[j];
            if (c >= 'A' && c <= 'Z')
                dp_buf_printf(why, "%s a parameter name with capital letters; its keys are in lower case", cannot);
        }
    }
    if (!why->n)
        refuse_www(why, u);
}

static void put_pywb(dp_buf *out, dp_str pattern, const char *result)
{
    dp_buf_c(out, "    - match: '"); /* a quote in a YAML scalar of this kind is written twice */
    for (size_t i = 0; i < pattern.n; i++) {
        if (pattern.p[i] == '\'')
            dp_buf_byte(out, '\'');
        dp_buf_byte(out, pattern.p[i]);
    }
    dp_buf_printf(out, "'\n      replace: '%s'\n", result);
}

void dp_export_pywb(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "# For pywb: default_filters of rules.yaml. Made by dustpan.\ndefault_filters:\n  url_normalize:\n");
    for (size_t i = 0; i < units->n; i++) {
        const dp_export_unit *u = &units->v[i];
        dp_buf_printf(out, "    # rule %08x\n", (unsigned)(u->rule->id >> 32));
        for (int step = 0; step < 3; step++) {
            dp_buf pattern = {0};
            if (step < 2)
                dp_regex_drop(&pattern, u, step ? DP_DROP_ONLY : DP_DROP_FIRST, surt_scope);
            else
                dp_regex_drop_all(&pattern, u, surt_scope);
            put_pywb(out, dp_buf_view(&pattern), step < 2 ? "\\1\\2" : "\\1");
            out->failed |= pattern.failed;
            dp_buf_done(&pattern);
        }
    }
    if (!units->n)
        dp_buf_c(out, "    []\n");
    dp_buf_c(out, "rules:\n  - url_prefix: ''\n    fuzzy_lookup:\n      match: '()'\n");
}
