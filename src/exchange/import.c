/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/import.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/words/json.h"

static const dp_import_format formats[] = {
    {"clearurls", "ClearURLs, data.json", dp_import_clearurls},
    {"adguard", "AdGuard filters, $removeparam", dp_import_adguard},
    {"clean-param", "robots.txt, Clean-param lines", dp_import_clean_param},
    {"duplicate-url-discarder", "Scrapy's duplicate-url-discarder, JSON", dp_import_discarder},
};

const char *dp_import_format_name(size_t i, const char **summary)
{
    if (i >= DP_COUNT(formats))
        return NULL;
    *summary = formats[i].summary;
    return formats[i].name;
}

/* ---- lines ------------------------------------------------------------------------------------------------- */

/* The line of i->text in which `at` lies, from 1. */
static size_t line_of(const dp_import *i, const char *at)
{
    size_t line = 1;
    for (const char *p = i->text.p; p < at && (p = memchr(p, '\n', (size_t)(at - p))); p++)
        line++;
    return line;
}

size_t dp_import_json_line(const dp_import *i, const char **from, const char *value)
{
    dp_buf quoted = {0};
    dp_json_str(&quoted, dp_str_c(value));
    const char *end = i->text.p + i->text.n, *begin = *from ? *from : i->text.p;
    const char *at = quoted.n ? memmem(begin, (size_t)(end - begin), quoted.p, quoted.n) : NULL;
    dp_buf_done(&quoted);
    if (!at)
        return *from ? line_of(i, *from) : 1;
    *from = at;
    return line_of(i, at);
}

/* ---- rules --------------------------------------------------------------------------------------------------- */

void dp_import_refuse(dp_import *i, size_t line, dp_str what, const char *why)
{
    enum { SHOWN = 80 };
    dp_str shown = {what.p, what.n < SHOWN ? what.n : SHOWN};
    dp_buf_printf(&i->refusals, "%s:%zu: skipped ", i->name, line);
    for (size_t k = 0; k < shown.n; k++)
        dp_buf_byte(&i->refusals, shown.p[k] >= ' ' && shown.p[k] < 127 ? shown.p[k] : '?');
    dp_buf_printf(&i->refusals, "%s: %s\n", shown.n < what.n ? "..." : "", why);
    i->nrefused++;
}

void dp_import_names(dp_buf *out, const dp_finite *f, bool prefix)
{
    for (size_t i = 0; i < f->n; i++) {
        bool known = !memchr(f->v[i].p, ',', f->v[i].n) && !memchr(f->v[i].p, '*', f->v[i].n);
        dp_buf_c(out, out->n ? "," : "");
        dp_buf_c(out, known ? "" : "#"); /* it cannot be in a rule: refused as a whole */
        dp_buf_str(out, f->v[i]);
        dp_buf_c(out, prefix ? "*" : "");
    }
    out->failed |= f->failed;
}

/* Whether a file of this line alone loads; `*why` says what is wrong. */
static bool loads(dp_import *i, const char *verb, dp_str hosts, dp_str names, dp_error *why)
{
    dp_rules *r;
    dp_buf_reset(&i->trial);
    dp_buf_c(&i->trial, "dustpan-rules 1\nhost ");
    dp_buf_str(&i->trial, hosts);
    dp_buf_printf(&i->trial, "\n%s ?", verb);
    dp_buf_str(&i->trial, names);
    dp_buf_byte(&i->trial, '\n');
    if (i->trial.failed || dp_rules_new(&r) != DP_OK) {
        i->out.failed = true;
        return false;
    }
    dp_err code = DP_ESYNTAX;
    if (!memchr(names.p, '\n', names.n) && !memchr(hosts.p, '\n', hosts.n) && !memchr(names.p, ' ', names.n))
        code = dp_rules_parse(r, i->name, i->trial.p, i->trial.n, why);
    bool good = code == DP_OK;
    i->out.failed |= code == DP_ENOMEM;
    dp_rules_free(r);
    return good;
}

/* Open the block of the line "VERB ?NAMES", begin it; false when it is refused. */
static bool begin(dp_import *i, const char *verb, dp_str hosts, dp_str names, size_t line)
{
    dp_error why = {.message = "such a name cannot be in a rule"};
    bool may_be_empty = dp_str_ends(dp_str_c(verb), DP_STR("only"));
    if ((!names.n && !may_be_empty) || !hosts.n || !loads(i, verb, hosts, names, &why)) {
        dp_str shown = names.n && names.p[0] == '#' ? dp_str_cut(names, 1, names.n) : names; /* our own mark */
        dp_import_refuse(i, line, shown, why.message);
        return false;
    }
    if (!dp_str_eq(dp_buf_view(&i->hosts), hosts)) {
        dp_buf_reset(&i->hosts);
        dp_buf_str(&i->hosts, hosts);
        i->out.failed |= i->hosts.failed;
        dp_buf_c(&i->out, "host ");
        dp_buf_str(&i->out, hosts);
        dp_buf_byte(&i->out, '\n');
    }
    dp_buf_printf(&i->out, "%s ?", verb);
    dp_buf_str(&i->out, names);
    return true;
}

static void add_rule(dp_import *i, const char *verb, dp_str hosts, dp_str names, size_t line)
{
    if (!begin(i, verb, hosts, names, line))
        return;
    dp_buf_printf(&i->out, " [by=list from=%s]  # line %zu\n", i->format, line);
    i->nrules++;
}

void dp_import_drop(dp_import *i, dp_str hosts, dp_str names, size_t line)
{
    add_rule(i, "likely drop", hosts, names, line);
}

void dp_import_only(dp_import *i, dp_str hosts, dp_str names, size_t line)
{
    add_rule(i, "likely only", hosts, names, line);
}

void dp_import_keep(dp_import *i, dp_str hosts, dp_str names, size_t line)
{
    if (begin(i, "keep", hosts, names, line))
        dp_buf_c(&i->out, "\n");
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

/* One block a host, in its one spelling: as `rules merge` and `rules fmt` would have it. */
static dp_err tidy(dp_text **out, dp_import *i)
{
    dp_rules *read = NULL, *merged = NULL;
    dp_err    code = dp_rules_new(&read);
    if (code == DP_OK)
        code = dp_rules_parse(read, i->name, i->out.p, i->out.n, i->err);
    if (code == DP_OK)
        code = dp_rules_merge(&merged, read, i->err);
    if (code == DP_OK)
        code = dp_rules_print(out, merged);
    dp_rules_free(merged);
    dp_rules_free(read);
    return code;
}

/* The name in a comment: what could end it is left out. */
static void add_name(dp_buf *out, const char *name)
{
    for (; *name; name++)
        dp_buf_byte(out, *name >= ' ' && *name < 127 ? *name : '?');
}

static dp_err fail_unknown(const char *format, dp_error *err)
{
    dp_buf list = {0};
    for (size_t k = 0; k < DP_COUNT(formats); k++)
        dp_buf_printf(&list, "%s%s", k ? ", " : "", formats[k].name);
    dp_fail(err, DP_EINVALID, "unknown format '%s'; choose one of: %.*s", format, DP_FMT(dp_buf_view(&list)));
    dp_buf_done(&list);
    return DP_EINVALID;
}

dp_err dp_rules_import(dp_text **out, dp_text **refusals, const char *format, const char *name, const char *text,
                       size_t n, size_t count[DP_EXCHANGE_COUNTS], dp_error *err)
{
    const dp_import_format *f = NULL;
    dp_import               i = {.name = name, .text = {text, n}, .err = err};
    for (size_t k = 0; k < DP_COUNT(formats); k++)
        f = strcmp(formats[k].name, format) == 0 ? &formats[k] : f;
    if (!f)
        return fail_unknown(format, err);
    i.format = f->name;
    dp_buf_c(&i.out, "dustpan-rules 1\n# From ");
    add_name(&i.out, name);
    dp_buf_printf(&i.out, " (%s).\n# Imported, not verified: test with `validate`, `audit` or `eval` before use.\n",
                  f->summary);
    dp_err code = f->read(&i);
    if (code == DP_OK && (i.out.failed || i.refusals.failed))
        code = DP_ENOMEM;
    count[DP_EXCHANGE_TAKEN] = i.nrules;
    count[DP_EXCHANGE_REFUSED] = i.nrefused;
    count[DP_EXCHANGE_LINES] = count[DP_EXCHANGE_LIKELY] = 0;
    if (code == DP_OK)
        code = tidy(out, &i);
    if (code == DP_OK && (code = dp_text_take(refusals, &i.refusals)) != DP_OK)
        dp_text_free(*out);
    dp_buf_done(&i.out);
    dp_buf_done(&i.refusals);
    dp_buf_done(&i.hosts);
    dp_buf_done(&i.trial);
    return code == DP_OK || code == DP_ESYNTAX ? code : dp_fail_as(err, code);
}
