/* from_json.c - formats in JSON: ClearURLs, duplicate-url-discarder.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>

#include "exchange/import.h"
#include "url/chars.h"

static dp_err load(json_t **out, const dp_import *i)
{
    json_error_t why;
    *out = json_loadb(i->text.p, i->text.n, JSON_REJECT_DUPLICATES, &why);
    if (*out)
        return DP_OK;
    return dp_fail_at(i->err, DP_ESYNTAX, i->name, why.line > 0 ? (size_t)why.line : 0, 0, "not JSON: %s", why.text);
}

static dp_str text_of(const json_t *v)
{
    return json_is_string(v) ? (dp_str){json_string_value(v), json_string_length(v)} : (dp_str){"", 0};
}

static bool is_plain(char c, const char *more)
{
    return dp_is(c, DP_CH_ALNUM) || (c && strchr(more, c));
}

static void add_host(dp_buf *hosts, const char *lead, dp_str host)
{
    dp_buf_printf(hosts, "%s%s%.*s", hosts->n ? ", " : "", lead, DP_FMT(host));
}

static bool is_host(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!is_plain(s.p[i], ".-_~"))
            return false;
    }
    return s.n && memchr(s.p, '.', s.n);
}

/* ---- ClearURLs -------------------------------------------------------------------------------------------------- */

/* The names that a rule means: a few texts, or what begins with one of them. */
static bool read_rule(dp_buf *names, dp_str rule)
{
    bool      prefix = dp_str_ends(rule, DP_STR(".*")) && !dp_str_ends(rule, DP_STR("\\.*"));
    dp_arena  a = {0};
    dp_finite f;
    bool      good = dp_finite_read(&f, prefix ? dp_str_cut(rule, 0, rule.n - 2) : rule, &a);
    dp_buf_reset(names);
    dp_import_names(names, &f, prefix);
    dp_arena_done(&a);
    return good;
}

static bool strip(dp_str *s, const char *lead)
{
    if (!dp_str_starts(*s, dp_str_c(lead)))
        return false;
    *s = dp_str_cut(*s, strlen(lead), s->n);
    return true;
}

/* The hosts of a urlPattern: ".*", or https? and a host with or without what may stand before it. */
static bool read_url_pattern(dp_buf *hosts, dp_str p)
{
    static const char *const scheme[] = {"^https?:\\/\\/", "^https?://"};
    static const char *const below[] = {"(?:[a-z0-9-]+\\.)*?", "(?:[a-z0-9-]+\\.)*", "([a-z0-9-]+\\.)*?",
                                        "([a-z0-9-]+\\.)*"};
    dp_arena                 a = {0};
    dp_finite                f;
    bool                     any_below = false, good;
    dp_buf_reset(hosts);
    if (dp_str_eq(p, DP_STR(".*"))) {
        dp_buf_c(hosts, "any");
        return true;
    }
    if (!strip(&p, scheme[0]) && !strip(&p, scheme[1]))
        return false;
    for (size_t i = 0; i < DP_COUNT(below) && !any_below; i++)
        any_below = strip(&p, below[i]);
    good = dp_finite_read(&f, p, &a);
    for (size_t i = 0; i < f.n && good; i++) {
        good = is_host(f.v[i]);
        add_host(hosts, "", f.v[i]);
        if (any_below)
            add_host(hosts, "*.", f.v[i]);
    }
    hosts->failed |= f.failed;
    dp_arena_done(&a);
    return good;
}

static void refuse_list(dp_import *i, const json_t *list, const char **at, const char *why)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *v = json_array_get(list, k);
        if (json_is_string(v))
            dp_import_refuse(i, dp_import_json_line(i, at, json_string_value(v)), text_of(v), why);
    }
}

static void read_provider(dp_import *i, const char *name, const json_t *p)
{
    static const struct {
        const char *key, *why;
    } other[] = {
        {"exceptions", "exceptions are not imported: the rules apply to these URLs, too"},
        {"rawRules", "raw rules are not supported"},
        {"redirections", "redirections are not supported"},
        {"referralMarketing", "referral marketing is not imported"},
    };
    dp_buf        hosts = {0}, names = {0};
    const char   *at = NULL;
    size_t        line = dp_import_json_line(i, &at, name);
    const json_t *rules = json_object_get(p, "rules");
    if (!read_url_pattern(&hosts, text_of(json_object_get(p, "urlPattern")))) {
        dp_import_refuse(i, line, dp_str_c(name), "its urlPattern is not just host names");
    } else {
        for (size_t k = 0; k < json_array_size(rules); k++) {
            dp_str      rule = text_of(json_array_get(rules, k));
            const char *here = at;
            size_t      where = rule.n ? dp_import_json_line(i, &here, rule.p) : line;
            bool        known = read_rule(&names, rule);
            i->out.failed |= names.failed;
            if (known)
                dp_import_drop(i, dp_buf_view(&hosts), dp_buf_view(&names), where);
            else
                dp_import_refuse(i, where, rule,
                                 "the regular expression is neither a short list of names nor a prefix");
        }
        for (size_t k = 0; k < DP_COUNT(other); k++) {
            const char *here = at;
            refuse_list(i, json_object_get(p, other[k].key), &here, other[k].why);
        }
    }
    i->out.failed |= hosts.failed;
    dp_buf_done(&hosts);
    dp_buf_done(&names);
}

dp_err dp_import_clearurls(dp_import *i)
{
    json_t     *root, *provider;
    const char *name;
    DP_TRY(load(&root, i));
    json_t *providers = json_object_get(root, "providers");
    dp_err  code = json_is_object(providers)
                      ? DP_OK
                      : dp_fail_at(i->err, DP_ESYNTAX, i->name, 0, 0,
                                   "not a ClearURLs file: there is no object \"providers\"");
    json_object_foreach(providers, name, provider)
        read_provider(i, name, provider);
    json_decref(root);
    return code;
}

/* ---- duplicate-url-discarder ------------------------------------------------------------------------------------- */

static bool holds(const json_t *list, dp_str lead, dp_str text)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        dp_str s = text_of(json_array_get(list, k));
        if (s.n == lead.n + text.n && dp_str_starts(s, lead) && dp_str_ends(s, text))
            return true;
    }
    return false;
}

/* "" is every URL, "a.com" all below it and itself, "a.com/" itself and its www. unless that is left out. */
static bool read_include(dp_buf *hosts, dp_str p, const json_t *exclude)
{
    if (!p.n) {
        add_host(hosts, "any", p);
        return true;
    }
    bool   alone = dp_str_ends(p, DP_STR("/"));
    dp_str host = alone ? dp_str_cut(p, 0, p.n - 1) : p;
    for (size_t i = 0; i < host.n; i++) {
        if (!is_plain(host.p[i], ".-_~"))
            return false;
    }
    add_host(hosts, "", host);
    if (!alone)
        add_host(hosts, "*.", host);
    else if (!holds(exclude, DP_STR("www."), p))
        add_host(hosts, "www.", host);
    return true;
}

/* Exclusions are understood where they are the www. of something, or what its patterns take for it: wwwX. */
static bool known_exclusions(const json_t *include, const json_t *exclude)
{
    for (size_t k = 0; k < json_array_size(exclude); k++) {
        dp_str s = text_of(json_array_get(exclude, k));
        dp_str rest = s.n > 5 ? dp_str_cut(s, 4, s.n) : s, bare = s.n > 5 ? dp_str_cut(s, 4, s.n - 1) : s;
        if (!dp_str_starts(s, DP_STR("www")) ||
            (!holds(include, DP_STR(""), rest) && (s.p[3] == '.' || !holds(include, DP_STR(""), bare))))
            return false;
    }
    return true;
}

static const dp_str except_these = {"queryRemovalExcept", 18};

static const char *read_policy(const json_t *policy, dp_buf *hosts, dp_buf *names)
{
    const json_t *pattern = json_object_get(policy, "urlPattern"), *include = json_object_get(pattern, "include"),
                 *exclude = json_object_get(pattern, "exclude"), *args = json_object_get(policy, "args");
    dp_str        processor = text_of(json_object_get(policy, "processor"));
    dp_buf_reset(hosts);
    dp_buf_reset(names);
    bool except = dp_str_eq(processor, except_these);
    if (!except && !dp_str_eq(processor, DP_STR("queryRemoval")))
        return "only the processors queryRemoval and queryRemovalExcept are supported";
    if (!json_array_size(include) || !known_exclusions(include, exclude))
        return "its urlPattern is not just host names";
    for (size_t k = 0; k < json_array_size(include); k++) {
        if (!read_include(hosts, text_of(json_array_get(include, k)), exclude))
            return "its urlPattern is not just host names";
    }
    for (size_t k = 0; k < json_array_size(args); k++) {
        dp_str name = text_of(json_array_get(args, k));
        if (!name.n || memchr(name.p, ',', name.n) || memchr(name.p, '*', name.n))
            return "such a name cannot be in a rule";
        if (names->n)
            dp_buf_byte(names, ',');
        dp_buf_str(names, name);
    }
    return names->n || except ? NULL : "it has no parameter names";
}

dp_err dp_import_discarder(dp_import *i)
{
    json_t     *root;
    dp_buf      hosts = {0}, names = {0};
    const char *at = NULL;
    DP_TRY(load(&root, i));
    dp_err code = json_is_array(root) ? DP_OK : dp_fail_at(i->err, DP_ESYNTAX, i->name, 0, 0,
                                                             "not a duplicate-url-discarder file: expected an array");
    for (size_t k = 0; k < json_array_size(root); k++) {
        const json_t *policy = json_array_get(root, k);
        dp_str        first = text_of(json_array_get(json_object_get(policy, "args"), 0)),
               processor = text_of(json_object_get(policy, "processor"));
        size_t        line = dp_import_json_line(i, &at, first.n ? first.p : processor.p);
        const char   *why = read_policy(policy, &hosts, &names);
        i->out.failed |= hosts.failed || names.failed;
        if (why)
            dp_import_refuse(i, line, processor, why);
        else
            (dp_str_eq(processor, except_these) ? dp_import_only : dp_import_drop)(i, dp_buf_view(&hosts),
                                                                                  dp_buf_view(&names), line);
    }
    dp_buf_done(&hosts);
    dp_buf_done(&names);
    json_decref(root);
    return code;
}
