/* output/report/parts.h - the parts of the page that are more than one value: tables, lists, the curve.
 *
 * Each appends HTML that stands on its own; output/report/html.c says where.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_REPORT_PARTS_H
#define DP_OUTPUT_REPORT_PARTS_H

#include "output/report/report.h"

void dp_report_chart(dp_buf *out, const dp_report *r);
void dp_report_points(dp_buf *out, const dp_report *r);
void dp_report_baselines(dp_buf *out, const dp_report *r);
void dp_report_traffic(dp_buf *out, const dp_report *r);
void dp_report_days(dp_buf *out, const dp_report *r);
void dp_report_fixes(dp_buf *out, const dp_report *r);
void dp_report_hosts(dp_buf *out, const dp_report *r);
void dp_report_reliability(dp_buf *out, const dp_report *r);
void dp_report_rules(dp_buf *out, const dp_report *r);
void dp_report_losses(dp_buf *out, const dp_report *r);

/* The first hosts of a family's rules, and how many more there are. */
void dp_report_names(dp_buf *out, const dp_report *r, const dp_rule_family *f);

/* "3.2 MB". */
void dp_report_bytes(dp_buf *out, uint64_t n);

/* "1 host", "2 hosts". */
void dp_report_number(dp_buf *out, uint64_t n, const char *one, const char *many);

#endif
