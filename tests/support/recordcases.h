/* support/recordcases.h - tables of texts and the records that readers make of them.
 *
 *     static const record_case cases[] = {{"http://a.com/\n", "urls\nurl=http://a.com/\n", {.format = "urls"}}};
 *     record_cases(cases, DP_COUNT(cases));
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_RECORDCASES_H
#define DP_SUPPORT_RECORDCASES_H

#include "support/recordtext.h"

typedef struct record_case {
    const char       *text, *want; /* as support/recordtext.h writes it */
    dp_reader_options o;
} record_case;

/* Fails the running cmocka test, saying which row and how, when one is not so: as a file and in pieces. */
void record_cases(const record_case *c, size_t n);

/* Reads the text with every allocation failing in turn; what is read must be DP_ENOMEM or all. */
void record_survives(dp_str text, const dp_reader_options *o);

/* Once a reader has warmed up on the text, further `times` copies of it take no memory. */
void record_takes_no_memory(dp_str text, size_t times, const dp_reader_options *o);

/* All of that for one format; main() returns what it returns. */
typedef struct record_format {
    const record_case *cases;
    size_t             n;
    dp_str             copied; /* for record_takes_no_memory */
    size_t             times;
    dp_str             failed; /* for record_survives */
    dp_reader_options  o;      /* of both */
} record_format;

int record_format_run(const record_format *f);

#endif
