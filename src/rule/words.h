/* rule/words.h - a rule as a sentence, for people who do not read rule files.
 *
 *     drop ?sid,utm_* on /shop/{**}     Parameters sid and utm_… do not matter under /shop/.
 *     /{a}/print => /{a}                /{a}/print shows the same page as /{a}.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_WORDS_H
#define DP_RULE_WORDS_H

#include "base/buf.h"
#include "rule/rule.h"

/* Append one sentence, as plain text. */
void dp_rule_words(dp_buf *out, const dp_rule *r);

#endif
