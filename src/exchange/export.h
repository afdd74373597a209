/* exchange/export.h - rules in the words of other tools: the subset that each says exactly.
 *
 *     dp_rules ── exchange/units.h: which rules, in which order ─► dp_export_unit ─► their file
 *                            │ nobody can say it               │ this tool cannot
 *                            └──────► refusals: file, line, rule, why ◄──┘
 *
 * Behind dp_rules_export of dustpan.h, which `rules export` calls. docs/exchange.md says what each target can say.
 *
 * The promise: on URLs in stage-0 form that keep the target's `assumes`, its answer is the key by the rules that were
 * not refused. The engine tries rules until none fires, the others make one pass; units.h lets through only what is
 * the same.
 *
 * A new target is a writer and a row in `targets` of exchange/export.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EXCHANGE_EXPORT_H
#define DP_EXCHANGE_EXPORT_H

#include "base/buf.h"
#include "exchange/units.h"

typedef struct dp_export_target {
    const char *name, *summary;
    const char *assumes; /* of URLs, beyond the stage-0 form; "" when nothing */
    /* Why it cannot say a unit; NULL when it can. */
    const char *(*refuses)(const dp_export_unit *u);
    /* Write the file. The units are in the order in which they must be tried. */
    void (*write)(dp_buf *out, const dp_units *units);
} dp_export_target;

/* Those who replace every match of a regular expression: exchange/to_regex.c. */
void dp_export_nutch(dp_buf *out, const dp_units *units);
void dp_export_stormcrawler(dp_buf *out, const dp_units *units);
void dp_export_json(dp_buf *out, const dp_units *units);
void dp_export_pywb(dp_buf *out, const dp_units *units);
const char *dp_refuse_pywb(const dp_export_unit *u);

/* Those who match a whole URL: exchange/to_whole.c. */
void dp_export_heritrix(dp_buf *out, const dp_units *units);
void dp_export_nginx(dp_buf *out, const dp_units *units);
void dp_export_sed(dp_buf *out, const dp_units *units);
const char *dp_refuse_nginx(const dp_export_unit *u);
const char *dp_refuse_sed(const dp_export_unit *u);

/* Those who know names of parameters: exchange/to_names.c. */
void dp_export_discarder(dp_buf *out, const dp_units *units);
void dp_export_clean_param(dp_buf *out, const dp_units *units);
const char *dp_refuse_discarder(const dp_export_unit *u);
const char *dp_refuse_clean_param(const dp_export_unit *u);

#endif
