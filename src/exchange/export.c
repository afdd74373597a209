/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/export.h"

#include "base/text.h"

static const char *accept_all(const dp_export_unit *u)
{
    (void)u;
    return NULL;
}

#define RUNS  "of a dropped parameter at most eight runs between others"
#define AMPS  "'&' alone separates pairs"

static const dp_export_target targets[] = {
    {"nutch", "Apache Nutch, regex-normalize.xml", "", accept_all, dp_export_nutch},
    {"stormcrawler", "StormCrawler, URL filters as JSON", "", accept_all, dp_export_stormcrawler},
    {"heritrix", "Heritrix, RegexRule beans", RUNS, accept_all, dp_export_heritrix},
    {"duplicate-url-discarder", "Scrapy's duplicate-url-discarder, JSON", AMPS "; no user name and no port",
     dp_refuse_discarder, dp_export_discarder},
    {"pywb", "pywb, url_normalize of rules.yaml", AMPS "; what its index keys leave of a URL", dp_refuse_pywb,
     dp_export_pywb},
    {"nginx", "nginx, a chain of maps that ends in $dustpan_key", RUNS, dp_refuse_nginx, dp_export_nginx},
    {"clean-param", "robots.txt, Clean-param lines", AMPS, dp_refuse_clean_param, dp_export_clean_param},
    {"json", "plain JSON: steps with regular expressions", "", accept_all, dp_export_json},
    {"sed", "a script for sed -E", "", dp_refuse_sed, dp_export_sed},
};

const char *dp_export_target_name(size_t i, const char **summary, const char **assumes)
{
    if (i >= DP_COUNT(targets))
        return NULL;
    *summary = targets[i].summary;
    *assumes = targets[i].assumes;
    return targets[i].name;
}

static const dp_export_target *find_target(const char *name)
{
    for (size_t i = 0; i < DP_COUNT(targets); i++) {
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    }
    return NULL;
}

dp_err dp_rules_export(dp_text **out, dp_text **refusals, const dp_rules *r, const char *target, unsigned flags,
                       size_t *refused, dp_error *err)
{
    const dp_export_target *t = find_target(target);
    dp_units                u = {0};
    dp_buf                  b = {0};
    if (!t)
        return dp_fail(err, DP_EINVALID, "nothing is known of a tool '%s'", target);
    dp_units_take(&u, r, flags & DP_WITH_LIKELY);
    for (size_t i = 0; i < u.n; i++) {
        const char *why = u.v[i].refused ? NULL : t->refuses(&u.v[i]);
        if (why)
            dp_units_refuse(&u, u.v[i].rule, why);
    }
    dp_units_settle(&u);
    t->write(&b, &u);
    b.failed |= u.failed;
    *refused = u.nrefused;
    *out = NULL;
    dp_err code = dp_text_take(out, &b);
    if (code == DP_OK && (code = dp_text_take(refusals, &u.refusals)) != DP_OK)
        dp_text_free(*out);
    dp_units_done(&u);
    return dp_fail_as(err, code);
}
