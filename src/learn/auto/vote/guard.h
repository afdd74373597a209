/* learn/auto/vote/guard.h - differences that are often equal by accident of the day.
 *
 *     /en/about = /de/about      not translated yet            lang
 *     ?page=1 = ?page=2          both still empty              page
 *     /2.13/x = /latest/x        not changed in this release   version
 *     /2024/05/x = /2024/06/x                                  date
 *     drop ?rev if =1794711225   that one and no other         id
 *
 * What such a rule forgets or exchanges needs ten times the evidence. What is looked at is not the rule but the pairs
 * of forms that it merges: where most of them differ in nothing else, or in
 * the language whatever else differs, it is guarded. One table, dp_guards.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_GUARD_H
#define DP_LEARN_AUTO_VOTE_GUARD_H

#include "base/buf.h"
#include "learn/auto/vote/ballot.h"

enum { DP_GUARDS = 5 };

typedef enum dp_guard_when {
    DP_GUARD_ALWAYS,
    DP_GUARD_ANY,    /* not where one value is dropped: page 1 and the language of the house are defaults */
    DP_GUARD_LITERAL /* only where the rule holds the text */
} dp_guard_when;

typedef struct dp_guard {
    const char *name;                          /* as --allow knows it */
    bool (*fits)(dp_str text, dp_str name);    /* name: of the parameter it is a value of; n == 0: a component */
    dp_guard_when when;
} dp_guard;

extern const dp_guard dp_guards[DP_GUARDS];

/* What guards say of an idea. */
typedef struct dp_guarding {
    double   factor; /* how much more evidence it needs than others: 1, DP_NUMBER_FACTOR, DP_PAGING_FACTOR or
                        DP_GUARD_FACTOR; below 0 when memory was out */
    uint32_t by;     /* bits of the guards that know what its pairs differ in; 0: there is none, or these are small
                        numbers of parameters that nothing speaks against, which are page numbers too rarely */
} dp_guarding;

/* `allowed` are bits of guards that are not looked at. */
dp_guarding dp_guard_ask(dp_ballot *b, size_t i, uint32_t allowed);

/* The bits of a list of names, "lang,page"; false, with the first unknown one in `*bad`, when there is one. */
bool dp_guard_parse(uint32_t *bits, dp_str list, dp_str *bad);

/* Append such a list. */
void dp_guard_print(dp_buf *out, uint32_t bits);

#endif
