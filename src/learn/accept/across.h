/* learn/accept/across.h - rules that lead from one domain to another: what must be shown before one is believed.
 *
 *     //old.com/{**} => //new.com/{**}     of the URLs of old.com that it changes
 *                                            redirects   lead to new.com themselves
 *                                            names       lead there, or name a URL there in rel=canonical
 *                                            shown       are a page that new.com shows, too
 *
 * Anybody can copy pages, under a name of any length. So votes for such a rule, which pages of both domains give, do
 * not make it active; what the rewritten domain itself says does, about most of the URLs in question:
 *
 *     most redirect                     active   across=redirect
 *     most are shown, and most named    active   across=canonical, or redirect where these are more
 *     most are shown, by one owner      active   across=owner          (site/ownership.h)
 *     most are named                    likely   across=canonical
 *     most are shown                    likely   across=copies
 *     else                              dropped
 *
 * Only URLs with a record of their own count. The last two of those that are shown never lead away from the domain that
 * stands for the other (site/lead.h); the length of names says nothing. No two rules lead back to where they began.
 *
 * A method may have any reason to propose such a rule, so all that each proposes comes by here.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_ACROSS_H
#define DP_LEARN_ACCEPT_ACROSS_H

#include "learn/accept/judge_each.h"
#include "rule/rule.h"
#include "site/lead.h"

/* Whether rules of a block can lead from one registrable domain to another. */
bool dp_rule_crosses(const dp_rule *r);

/* A proposal that only exchanges hosts is turned round where it leads away from the domain that stands for the other.
 * The texts are in `a`. DP_ENOMEM. */
dp_err dp_across_turn(dp_proposal *p, const dp_lead *l, dp_arena *a);

/* Of the cases that are in, those that cross: dropped (in[i] becomes 0), made likely, or left as they are; `across`
 * says by what, and hosts that may not be rewritten are taken off their host lines. does[i]: case i crosses;
 * with `owners` only from one owner to another, and what crosses inside one is dropped. DP_ENOMEM. */
dp_err dp_across_decide(dp_cases *c, const dp_court *court, const dp_lead *l, bool owners, uint8_t *in, uint8_t *does,
                        dp_arena *a);

#endif
