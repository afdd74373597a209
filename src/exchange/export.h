/* exchange/export.h - rules in the formats of other tools: the subset that each can express exactly.
 *
 *     dp_rules ── exchange/units.h: which rules, in which order ─► dp_export_unit ─► their file
 *                            │ no tool can express it          │ this tool cannot
 *                            └──────► refusals: file, line, rule, why ◄──┘
 *
 * Behind dp_rules_export of dustpan.h, which `rules export` calls. docs/exchange.md lists what each target can express.
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
#include "exchange/regex.h"

typedef struct dp_export_target {
    const char *name, *summary;
    const char *tool;    /* its name in a sentence */
    const char *cannot;  /* the beginning of a sentence: "TOOL cannot express" */
    bool        drops;   /* it can only drop parameters: units are drops */
    bool        only;    /* and all but some of them */
    bool        path_params; /* and those of the path */
    bool        comes_back;  /* what it changes is asked for again, and goes through all rules anew */
    dp_conditions conditions;
    const char *assumes; /* of URLs, beyond the stage-0 form; "" when nothing */
    /* Append a sentence that says why it cannot express a unit; nothing when it can. */
    void (*refuse)(dp_buf *why, const dp_export_unit *u, const char *cannot);
    /* Write the file. The units are in the order in which they must be tried. */
    void (*write)(dp_buf *out, const dp_units *units);
} dp_export_target;

/* Those who replace every match of a regular expression: exchange/to_regex.c. */
void dp_export_nutch(dp_buf *out, const dp_units *units);
void dp_export_stormcrawler(dp_buf *out, const dp_units *units);
void dp_export_json(dp_buf *out, const dp_units *units);
void dp_export_pywb(dp_buf *out, const dp_units *units);
void dp_refuse_pywb(dp_buf *why, const dp_export_unit *u, const char *cannot);

/* Those who match a whole URL: exchange/to_whole.c. */
typedef void (*dp_whole_put)(dp_buf *out, const dp_export_unit *u, size_t number, dp_str pattern, dp_str result);

/* Give each step of all units to `call`, numbered from 1; returns how many. `groups` is how the tool writes the first
 * two groups of a match. What ends a pass is written behind DP_PASS_ENDS, which no pattern matches. */
#define DP_PASS_ENDS "!"
size_t dp_whole_steps(dp_buf *out, const dp_units *units, const dp_replacement *how, const char *groups,
                      dp_whole_put call);
/* The maps of nginx from $dustpan_0 on, a URL with that scheme; returns the number of the last. */
size_t dp_nginx_maps(dp_buf *out, const dp_units *units, const char *scheme);

void dp_export_heritrix(dp_buf *out, const dp_units *units);
void dp_export_nginx(dp_buf *out, const dp_units *units);
void dp_export_sed(dp_buf *out, const dp_units *units);
void dp_export_canonical_csv(dp_buf *out, const dp_units *units);
void dp_refuse_nginx(dp_buf *why, const dp_export_unit *u, const char *cannot);
void dp_refuse_sed(dp_buf *why, const dp_export_unit *u, const char *cannot);

/* For the site itself: exchange/to_redirect.c. */
void dp_export_nginx_redirect(dp_buf *out, const dp_units *units);
void dp_export_apache_redirect(dp_buf *out, const dp_units *units);
void dp_export_robots(dp_buf *out, const dp_units *units);
void dp_refuse_nginx_redirect(dp_buf *why, const dp_export_unit *u, const char *cannot);
void dp_refuse_apache_redirect(dp_buf *why, const dp_export_unit *u, const char *cannot);
void dp_refuse_robots(dp_buf *why, const dp_export_unit *u, const char *cannot);

/* Those who take names of parameters: exchange/to_names.c. */

/* The comment above the lines of a unit: whose robots.txt they belong into. */
void dp_robots_hosts(dp_buf *out, const dp_export_unit *u);

/* Refuse names that are none of these, or too long for a line. */
void dp_refuse_robots_names(dp_buf *why, const dp_export_unit *u, const char *cannot);

/* Whether nothing in it means anything else in robots.txt: letters, digits, '.', '-' and '_'. */
bool dp_is_plain(dp_str name);

/* Whether a condition is a path of plain literals alone, and {**}. */
bool dp_is_plain_path(const dp_template *t);
void dp_export_discarder(dp_buf *out, const dp_units *units);
void dp_export_clean_param(dp_buf *out, const dp_units *units);
void dp_refuse_discarder(dp_buf *why, const dp_export_unit *u, const char *cannot);
void dp_refuse_clean_param(dp_buf *why, const dp_export_unit *u, const char *cannot);

#endif
