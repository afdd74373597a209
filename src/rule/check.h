/* rule/check.h - what can be found wrong with a rule file without running it.
 *
 *     every line that cannot be read            dp_check_text
 *     every rule that can never fire            dp_check_rules
 *
 * Never fire means: whatever the URL and the options. A rule is not found dead because of
 * an earlier one that --min-precision, --form fetch or its state can take out of the way.
 * What is off, a rule or a block, is meant to be dead and no finding.
 *
 * apply/inspect.c adds the rules that feed themselves.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_CHECK_H
#define DP_RULE_CHECK_H

#include "rule/findings.h"
#include "rule/rule.h"

/* Read `text` into `r`, one finding for each line that is wrong and is left out. */
dp_err dp_check_text(dp_findings *out, dp_rules *r, const char *name, dp_str text);

/* One finding for each rule, exception or keep line that can never do anything. */
dp_err dp_check_rules(dp_findings *out, const dp_rules *r);

#endif
