/* learn/auto/forms/rulebook.h - ideas compiled: one engine, and which idea each of its rules is of.
 *
 *     idea 0  "drop ?sid"                      rule 0
 *     idea 1  "/a/{x} => /{x}-*", "/b/{x} => ..."    rules 1, 2
 *     idea 2  (cannot be written)              -
 *
 * Lines that are no rules are left out: a proposal may hold what the language cannot say. Whether a rule feeds
 * itself is asked when it is accepted.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_FORMS_RULEBOOK_H
#define DP_LEARN_AUTO_FORMS_RULEBOOK_H

#include "learn/auto/forms/idea.h"
#include "rule/rule.h"

typedef struct dp_rulebook {
    dp_engine *engine;
    uint32_t  *idea;  /* [nrule] */
    size_t     nrule;
} dp_rulebook;

/* Compile ideas [0, n), each alone on its hosts, but for those that have a number in `known` (UINT32_MAX: none);
 * `known` may be NULL. `sorted`: blocks of hosts with `order any`, which hold for what the ideas write. DP_ENOMEM,
 * DP_ELIMIT. */
dp_err dp_rulebook_init(dp_rulebook *b, const dp_idea *idea, size_t n, const uint32_t *known, dp_str sorted);
void   dp_rulebook_done(dp_rulebook *b);

/* An engine of a rule file's text, where every line is known to be good. DP_ESYNTAX when some rule feeds itself, which
 * is only looked at where `check` says so. */
dp_err dp_rulebook_engine(dp_engine **out, dp_str text, bool check);

/* The rules of such a text and the engine of them. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_rulebook_open(dp_engine **e, dp_rules **r, dp_str text);

#endif
