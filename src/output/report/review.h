/* output/report/review.h - rules for a person to decide on: one page that edits the rule file.
 *
 *     rules, all turned on ─► dp_report (examples, counter-examples, votes) ┐
 *     the rule file, line by line                                           ├─► JSON ─► web/review.html
 *     ways.h: keys under every choice, of a sample                          ┘
 *
 * The page computes nothing about URLs: it looks keys up that the engine has made.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_REPORT_REVIEW_H
#define DP_OUTPUT_REPORT_REVIEW_H

#include "output/report/report.h"

enum { DP_REVIEW_MOST_SAMPLE = 100000, DP_REVIEW_MOST_SECTIONS = 12 /* shown of a rule */ };

/* URLs of one folder that a rule changes, together with all others. */
typedef struct dp_review_reach {
    uint32_t rule, section;
    uint64_t urls;
} dp_review_reach;

/* Replace the engine of a report that has not run by one in which rules that are likely or off take part, too; where
 * these cannot stand together, only likely ones do. DP_ENOMEM. */
dp_err dp_review_turn_on(dp_report *r, dp_error *err);

/* After the counts of a report: what the page needs in addition. DP_ENOMEM. */
dp_err dp_review_count(dp_report *r);
void   dp_review_done(dp_report *r);

void dp_review_put_json(dp_buf *out, const dp_report *r);
void dp_review_put_html(dp_buf *out, const dp_report *r);

#endif
