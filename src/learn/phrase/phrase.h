/* learn/phrase/phrase.h - the shortest way to say a rule over keys in the language of the rule file.
 *
 *     left                      right                   said under "host a.com"
 *     //a.com/s?+sid&...        //a.com/s?...           drop ?sid on /s
 *     /{**}?lang={x}&...        /{**}?lang=*&...        erase ?lang
 *     /{**}?v={x}&...           /{**}?v=1&...           set ?v=1
 *     /{x}/dp/{y}?  (closed)    /{y}?                   /{x}/dp/{a}? => /{a}, its {x} as a star
 *     /?title={x}               /wiki/{x}?              /?title={title} => /wiki/{title}
 *
 * A learner builds both sides as it means them (rule/rule.h) and names captures as it likes; learners of keys (rewrite,
 * tree) share what stands here. Parts that a side leaves out are not looked at and stay. `has_query` without `open` is
 * closed: a URL must have these pairs and no others; `has_query` false on both sides: the query is not looked at.
 *
 * What is chosen:
 *   - drop, erase and set, where the two sides differ in query items alone and the query is open: `+x` that is gone
 *     is drop ?x; x=literal that is gone is drop ?x if =literal; a whole value x={c} or x=* that becomes * is erase
 *     ?x, one that becomes a literal is set ?x=literal. All else that the left side says is their `on`. They differ
 *     from the templates in two ways that a map of keys does not know: pairs stay where they stand, and of a name
 *     that a URL repeats every pair is meant and not the first.
 *   - Otherwise the template pair. A closed query that is empty on the right is not written; scheme and host of the
 *     right side are not written where they equal the left side's; the left side's host is not where it is the only one
 *     of the host line.
 *   - Of two forms the shorter text, a verb where they are equally long.
 *   - Captures get names anew: a value of a query item the item's name where that is a name and free, others a, b, c
 *     ... in the order of the left side; one that is used nowhere else is written *. So equal rules have equal texts.
 *
 * Literals are texts of stage-0 URLs as they stand; what the language has no form for is refused, and said why.
 *
 * Invariants:
 *   - What is said can be read by rule/rulefile.h under the host line given.
 *   - The templates given are not changed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_PHRASE_PHRASE_H
#define DP_LEARN_PHRASE_PHRASE_H

#include "rule/rule.h"

/* Why a rule has no text. */
typedef enum dp_unsaid {
    DP_SAID = 0,
    DP_UNSAID_SAME,     /* both sides are the same: it changes nothing */
    DP_UNSAID_LITERAL,  /* a literal holds a raw *, or a byte that would end it where it stands */
    DP_UNSAID_NAME,     /* of a parameter: empty, "...", begins with + or !, or holds , or # */
    DP_UNSAID_REPEATED, /* a name stands twice, or as a second one (x#2) on the right */
    DP_UNSAID_CAPTURE,  /* two captures side by side, or one on the right that is not on the left */
    DP_UNSAID_PLACE,    /* an empty first segment without a host before it; {**} or ... on the right alone */
    DP_UNSAID_KINDS
} dp_unsaid;

const char *dp_unsaid_name(dp_unsaid why); /* "literal", for counts that people read */

typedef struct dp_phrase {
    dp_unsaid why;
    dp_str    text;  /* as dp_proposal.text; in the arena; empty when `why` is not DP_SAID */
    bool      falls; /* see below */
} dp_phrase;

/* Say the rule left => right under a host line with the names `hosts` ("a.com, www.a.com").
 *
 * `falls`: whether it lowers (W, length, bytes) of every URL that it changes, as far as the templates tell: W weighs
 * A-Z 2, ? & ; 3, a raw * 0, other bytes 1; a capture that is gone weighs 1, one that is moved what it did before.
 * Rules that all fall cannot loop, however many they are; of a rule and its reverse at most one falls. A host that is
 * written on the right alone falls when it is the least of `hosts`.
 *
 * DP_ENOMEM. */
dp_err dp_phrase_say(dp_phrase *out, const dp_template *left, const dp_template *right, dp_str hosts, dp_arena *a);

/* For who makes the templates: append a literal, to the one before it if the last item is one. There is room for an
 * item more. DP_ENOMEM. */
dp_err dp_phrase_literal(dp_pat *p, dp_str s, dp_arena *a);

#endif
