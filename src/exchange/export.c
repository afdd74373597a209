/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/export.h"

#include "base/text.h"

static void accept_all(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    (void)why, (void)u, (void)cannot;
}

#define RUNS "a dropped parameter appears in at most eight runs between others"
#define AMPS "only '&' separates parameters"
#define SLASH "; a folder that a condition names is asked for with its slash"

/* Regular expressions could do more than we write; where a tool takes names alone, it is the tool. */
#define AS(tool, comes_back, conditions) \
    tool, "the export to " tool " does not support", false, false, false, comes_back, DP_CONDITIONS_##conditions
#define WE(tool, conditions) AS(tool, false, conditions)
#define WE_AGAIN(tool) AS(tool, true, ALL) /* redirects */
#define IT(tool, conditions) tool, tool " cannot express", true, false, false, false, DP_CONDITIONS_##conditions
#define IT_ALSO(tool) tool, tool " cannot express", true, true, false, false, DP_CONDITIONS_NONE /* takes `only` */
#define IT_PATHS(tool) tool, tool " cannot express", true, false, true, false, DP_CONDITIONS_OWN /* takes ;name */

static const dp_export_target targets[] = {
    {"nutch", "Apache Nutch, regex-normalize.xml", WE("Nutch", ALL), "", accept_all, dp_export_nutch},
    {"stormcrawler", "StormCrawler, URL filters as JSON", WE("StormCrawler", ALL), "", accept_all,
     dp_export_stormcrawler},
    {"heritrix", "Heritrix, RegexRule beans", WE("Heritrix", ALL), RUNS, accept_all, dp_export_heritrix},
    {"duplicate-url-discarder", "Scrapy's duplicate-url-discarder, JSON", IT_ALSO("duplicate-url-discarder"),
     AMPS "; no user name and no port", dp_refuse_discarder, dp_export_discarder},
    {"pywb", "pywb, url_normalize of rules.yaml", IT("pywb", NONE), AMPS "; only what its index keys keep of a URL",
     dp_refuse_pywb, dp_export_pywb},
    {"nginx", "nginx, a chain of maps that ends in $dustpan_key", WE("nginx", ALL), RUNS, dp_refuse_nginx,
     dp_export_nginx},
    {"clean-param", "robots.txt, Clean-param lines", IT("robots.txt Clean-param", OWN), AMPS SLASH,
     dp_refuse_clean_param, dp_export_clean_param},
    {"nginx-redirect", "nginx, the same maps for a permanent redirect", WE_AGAIN("nginx redirects"), RUNS,
     dp_refuse_nginx_redirect, dp_export_nginx_redirect},
    {"apache-redirect", "Apache, mod_rewrite rules for a permanent redirect", WE_AGAIN("Apache redirects"), RUNS,
     dp_refuse_apache_redirect, dp_export_apache_redirect},
    {"canonical-csv", "CSV, patterns of URLs and their canonical forms", WE("CSV", ALL), RUNS, accept_all,
     dp_export_canonical_csv},
    {"robots", "robots.txt, Disallow lines for parameters", IT_PATHS("robots.txt"), AMPS, dp_refuse_robots,
     dp_export_robots},
    {"json", "plain JSON: steps with regular expressions", WE("JSON", ALL), "", accept_all, dp_export_json},
    {"sed", "a script for sed -E", WE("sed", NONE), "", dp_refuse_sed, dp_export_sed},
};

const char *dp_export_target_name(size_t i, const char **summary, const char **assumes)
{
    if (i >= DP_COUNT(targets))
        return NULL;
    *summary = targets[i].summary;
    *assumes = targets[i].assumes;
    return targets[i].name;
}

/* The target of that name; NULL, and an error that lists them, when there is none. */
static const dp_export_target *find_target(const char *name, dp_error *err)
{
    dp_buf list = {0};
    for (size_t i = 0; i < DP_COUNT(targets); i++) {
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    }
    for (size_t i = 0; i < DP_COUNT(targets); i++)
        dp_buf_printf(&list, "%s%s", i ? ", " : "", targets[i].name);
    dp_fail(err, DP_EINVALID, "unknown target '%s'; choose one of: %.*s", name, DP_FMT(dp_buf_view(&list)));
    dp_buf_done(&list);
    return NULL;
}

/* Refuse what the target cannot express. */
static void refuse_units(dp_units *u, const dp_export_target *t)
{
    dp_buf why = {0};
    for (size_t i = 0; i < u->n; i++) {
        dp_buf_reset(&why);
        if (!u->v[i].refused)
            t->refuse(&why, &u->v[i], t->cannot);
        if (why.n)
            dp_units_refuse(u, u->v[i].rule, dp_buf_view(&why));
        u->failed |= why.failed;
    }
    dp_buf_done(&why);
}

dp_err dp_rules_export(dp_text **out, dp_text **refusals, const dp_rules *r, const char *target, unsigned flags,
                       size_t count[DP_EXCHANGE_COUNTS], dp_error *err)
{
    const dp_export_target *t = find_target(target, err);
    if (!t)
        return DP_EINVALID;
    dp_units u = {.tool = t->tool, .cannot = t->cannot, .drops = t->drops, .only = t->only,
                  .path_params = t->path_params, .comes_back = t->comes_back, .conditions = t->conditions,
                  .secrets = flags & DP_EXPORT_SECRETS};
    dp_buf   b = {0};
    dp_units_take(&u, r, flags & DP_WITH_LIKELY);
    refuse_units(&u, t);
    dp_units_settle(&u);
    t->write(&b, &u);
    b.failed |= u.failed;
    count[DP_EXCHANGE_TAKEN] = u.nrules - u.nrefused;
    count[DP_EXCHANGE_REFUSED] = u.nrefused;
    count[DP_EXCHANGE_LINES] = u.nlines;
    count[DP_EXCHANGE_LIKELY] = u.nlikely;
    *out = NULL;
    dp_err code = dp_text_take(out, &b);
    if (code == DP_OK && (code = dp_text_take(refusals, &u.refusals)) != DP_OK)
        dp_text_free(*out);
    dp_units_done(&u);
    return dp_fail_as(err, code);
}
