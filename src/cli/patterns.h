/* cli/patterns.h - report without a rule file: learn from the records first, and say what to fix.
 *
 *     access.log ── dp_patterns_learn ──► dp_rules ──► report, with likely rules of p .9 and more
 *                                                        └─ dp_patterns_say: what the page says, as text
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_PATTERNS_H
#define DP_CLI_PATTERNS_H

#include "cli/records.h"

#define DP_PATTERNS_LEAST .9 /* chance that a likely rule is right, for it to be used */

/* The rules that the records suggest; nothing is written. */
dp_err dp_patterns_learn(dp_rules **out, const dp_record_files *in, dp_error *err);

/* What the report says that a site's owner can do, and how to get the rules. */
void dp_patterns_say(const dp_report *report, const dp_record_files *in);

#endif
