/* learn/auto/propose/mirror.h - what holds of a site holds of its languages, and the other way round.
 *
 *     /gp/product/{**} => /dp/{**}                                 accepted
 *     /{l0=de|fr|ja}/gp/product/{**} => /{l0}/dp/{**}              proposed
 *
 *     /fr/{b}/{c} => /fr/{c}                                       accepted
 *     /{b}/{c} => /{c} unless /{l0=de|fr|ja}/{**}                  proposed
 *
 * A site that has its pages again under /de/, /fr/ and /ja/ has each construct four times, and in each language it has
 * a few pages. One idea asks all languages at once. That the construct holds elsewhere on the site says what to expect
 * of it there; the votes are those of the languages alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_MIRROR_H
#define DP_LEARN_AUTO_PROPOSE_MIRROR_H

#include "base/buf.h"
#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"

enum { DP_MOST_LANGUAGES = 8 };

/* Languages that begin paths of a site. */
typedef struct dp_languages {
    dp_str   v[DP_MOST_LANGUAGES]; /* [n] sorted; views of the forms' texts */
    uint32_t forms[DP_MOST_LANGUAGES];
    size_t   n;
} dp_languages;

/* Those that several forms have; none where nearly all forms have the same one: nothing is there again. */
void dp_languages_find(dp_languages *out, const dp_forms *f);

/* Write a rule that holds in one of the languages, /fr/{b}/{c} => /fr/{c}, for all of them, and one that forgets a
 * first component, or one that may be first, for all but them. False: it brings a language into a path that has none.
 * `room` is scratch. */
bool dp_languages_pool(const dp_languages *l, dp_buf *rule, dp_buf *room);

/* Propose for a rule, which was accepted, what it would be in any folder, where it forgets nothing:
 *
 *     /{a}:{b} => /{a}/{b}           /{**}/{a}:{b} => /{**}/{a}/{b}
 *
 * DP_ENOMEM. */
dp_err dp_mirror_deeper(dp_ideas *out, dp_str rule, dp_tier tier, dp_family family);

/* Propose for a rule, which was accepted, what it would be in the languages and without them. DP_ENOMEM. */
dp_err dp_mirror_propose(dp_ideas *out, const dp_languages *l, dp_str rule, dp_tier tier, dp_family family);

#endif
