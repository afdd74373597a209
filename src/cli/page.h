/* cli/page.h - what report and review have in common: rules and records in, one page out.
 *
 *     dp_page_options o = {0};
 *     const dp_option table[] = {DP_PAGE_OPTIONS(&o), ..., DP_PAGE_INPUT_OPTIONS(&o)};
 *     dp_page_parse(&usage, &o, argc, argv, a)
 *
 *     dp_page p = {0};
 *     dp_page_count(&p, &o, settings, n, &err)    load the rules, unless p.rules are there; read and count
 *     dp_page_write(&p, &o, &err)                 one page, or JSON
 *     dp_page_say(&p, &o)                         what could not be read, what is doubtful
 *     dp_page_done(&p)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_PAGE_H
#define DP_CLI_PAGE_H

#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"

typedef struct dp_page_options {
    dp_list         rules;
    dp_record_files in;
    dp_choice       choice;
    const char     *output;
    bool            json, strict, quiet, progress;
    int             masking;
} dp_page_options;

#define DP_PAGE_OPTIONS(o) \
    {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete", .text = &(o)->output}, \
    {0, "json", NULL, "print the same data as one JSON object", .flag = &(o)->json}

#define DP_PAGE_INPUT_OPTIONS(o) \
    DP_RECORDS_OPTIONS(&(o)->in), \
    DP_IDENTITY_OPTION(&(o)->in), \
    {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &(o)->strict}, \
    DP_METER_OPTIONS(o)

#define DP_EXAMPLES_OPTION(o) \
    {0, "examples", "masked|raw", "hide possible secrets in examples, or show them; default masked", \
     .choice = &(o)->masking}

/* Read the command line: DP_GO_ON, or the exit status. Where `first` is set, the first operand is the rule file. */
int dp_page_parse(const dp_usage *usage, dp_page_options *o, bool first, int argc, char **argv, dp_arena *a);

/* A zeroed one is empty. */
typedef struct dp_page {
    dp_rules  *rules;
    dp_report *report;
} dp_page;

typedef struct dp_page_setting {
    dp_report_option option;
    int64_t          value;
} dp_page_setting;

dp_err dp_page_count(dp_page *p, const dp_page_options *o, const dp_page_setting *v, size_t n, dp_error *err);
dp_err dp_page_write(const dp_page *p, const dp_page_options *o, dp_error *err);
void   dp_page_done(dp_page *p);

/* Bad lines, warnings, another identity than that of the rules. */
void dp_page_say(const dp_page *p, const dp_page_options *o);

/* "open FILE in a browser", where there is one. */
void dp_page_say_next(const dp_page_options *o);

#endif
