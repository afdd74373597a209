/* cli/page.h - what report and review have in common: rules and records in, one page out.
 *
 *     dp_page_options o = {0};
 *     const dp_option table[] = {DP_PAGE_OPTIONS(&o), ..., DP_PAGE_INPUT_OPTIONS(&o)};
 *     dp_page_write(v, &o, &err)        read, count, write
 *     dp_page_say(v, rules, &o)         what could not be read, what is doubtful
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_PAGE_H
#define DP_CLI_PAGE_H

#include "cli/progress.h"
#include "cli/records.h"

typedef struct dp_page_options {
    dp_list         rules;
    dp_record_files in;
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

/* The name of the rule file on the page: the last part of its path. Where files lie is nobody's business. */
const char *dp_page_name(const dp_page_options *o);

/* Run the report, whose other options are set, and write it. */
dp_err dp_page_write(dp_report *v, const dp_page_options *o, dp_error *err);

/* After that: bad lines, warnings, another identity than that of the rules. */
void dp_page_say(const dp_report *v, const dp_rules *rules, const dp_page_options *o);

/* "open FILE in a browser", where there is one. */
void dp_page_say_next(const dp_page_options *o);

#endif
