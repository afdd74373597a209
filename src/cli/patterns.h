/* cli/patterns.h - report without a rule file: learn from the records first, and say what to fix.
 *
 *     access.log ── dp_patterns_learn ──► dp_rules ──► report, with likely rules of p .9 and more
 *                                            └─ dp_patterns_say: the ten that save most, and what helps
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_PATTERNS_H
#define DP_CLI_PATTERNS_H

#include "cli/records.h"

#define DP_PATTERNS_LEAST .9 /* chance that a likely rule is right, for it to be shown */

/* The rules that the records suggest; nothing is written. */
dp_err dp_patterns_learn(dp_rules **out, const dp_record_files *in, dp_error *err);

/* The ten rules that merge most URLs, each with what a site's owner can do about it, and how to get the rules. */
void dp_patterns_say(const dp_rules *rules, const dp_record_files *in);

#endif
