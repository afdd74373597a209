/* exchange/import.h - rules out of the files of other tools.
 *
 *     ||shop.example^$removeparam=sid      ──►   host shop.example, *.shop.example
 *                                                likely drop ?sid    [by=list from=adguard]
 *
 * Behind dp_rules_import of dustpan.h, which `rules import` calls. A format is a reader and a row in `formats` of
 * exchange/import.c; it calls dp_import_drop (or _only, _keep) for what it understands and dp_import_refuse for the
 * rest.
 *
 * Invariants:
 *   - Every rule is `likely`, with by=list: imported, not verified. It never merges more
 *     URLs than the tool would.
 *   - What is written loads; each line that is not written is refused with its line and a reason.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EXCHANGE_IMPORT_H
#define DP_EXCHANGE_IMPORT_H

#include "base/buf.h"
#include "base/err.h"
#include "exchange/finite.h"

typedef struct dp_import {
    const char *format, *name;
    dp_str      text;
    dp_buf      out, refusals;
    dp_buf      hosts; /* of the block that is open */
    dp_buf      trial; /* a file of one rule */
    size_t      nrefused, nrules;
    dp_error   *err;
} dp_import;

typedef struct dp_import_format {
    const char *name, *summary;
    dp_err (*read)(dp_import *i); /* DP_ESYNTAX when it is not such a file */
} dp_import_format;

/* A rule: drop the parameters ("a,b_*") under the hosts ("a.com, *.a.com"). Refused when it does not load. */
void dp_import_drop(dp_import *i, dp_str hosts, dp_str names, size_t line);
/* The same for a list of those that stay; it may be empty. */
void dp_import_only(dp_import *i, dp_str hosts, dp_str names, size_t line);
/* The same for a filter that spares them: a line `keep`. */
void dp_import_keep(dp_import *i, dp_str hosts, dp_str names, size_t line);
void dp_import_refuse(dp_import *i, size_t line, dp_str what, const char *why);

/* Texts as the names of a rule: "a,b", with `prefix` "a*,b*". */
void dp_import_names(dp_buf *out, const dp_finite *f, bool prefix);

/* Where the JSON text `value`, in its quotes, comes next after `from`: its line; line 1 when nowhere. */
size_t dp_import_json_line(const dp_import *i, const char **from, const char *value);

dp_err dp_import_adguard(dp_import *i);
dp_err dp_import_clean_param(dp_import *i);
dp_err dp_import_clearurls(dp_import *i);
dp_err dp_import_discarder(dp_import *i);

#endif
