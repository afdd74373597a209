/* learn/seq2seq/generalize.h - what several distilled rules share, as one rule each.
 *
 *     /docs/api/{a1} => /help/api/{a1}          /docs/{w}/{a1} => /help/{w}/{a1}     a word that is carried over
 *     /docs/faq/{a1} => /help/faq/{a1}          /docs/{**} => /help/{**}             an end that stays as it is
 *     /docs/how/{a1} => /help/how/{a1}
 *     /x?sort=a => /x   /y?sort=a => /y         drop ?sort                           parameters that go
 *
 * A network gives one rule for each template, and many of them are cases of one edit that no single template shows
 * often enough to be believed. The rule that they are cases of is proposed behind them; the judge decides, as of all
 * others.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_GENERALIZE_H
#define DP_LEARN_SEQ2SEQ_GENERALIZE_H

#include "learn/method/proposal.h"

/* Add the rules that at least three of `all` are cases of; texts in `a`. DP_ENOMEM. */
dp_err dp_seq_generalize(dp_proposals *all, dp_arena *a);

/* Whether the rule language takes `text` under these hosts. */
bool dp_seq_is_rule(dp_str hosts, dp_str text);

#endif
