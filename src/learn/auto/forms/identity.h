/* learn/auto/forms/identity.h - what sets a page apart: words that all its URLs have, and hardly another page.
 *
 *     /t/some-title/59945      59945           /t/{a}/{b} => /t/{b} leaves nothing of it in /t/59945/24
 *     /t/59945/24
 *
 * A rule that takes all of them out of a URL leads to a URL that has nothing to do with the page. That speaks against
 * the rule where labels are silent, because no other page has that URL so far.
 *
 * Words are runs of letters or of digits, whatever their case and leading zeros. One of them must be an id: many
 * digits, or part of a long run of letters and digits.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_FORMS_IDENTITY_H
#define DP_LEARN_AUTO_FORMS_IDENTITY_H

#include "site/site.h"

typedef struct dp_identities {
    uint32_t *of;    /* [nclusters] number of the page, UINT32_MAX: nothing is known of it; NULL: of none */
    uint32_t *first; /* [n + 1] where the words of each page begin */
    uint64_t *word;  /* hashes */
    bool     *is_small; /* of each word: a number too short to name a page */
    dp_str   *id;    /* [n] one of them, as a URL has it */
    bool     *is_alone; /* [n] whether it has an id that no other page has */
    uint32_t  n;
} dp_identities;

/* Of pages with several URLs, no more than a few hundred. DP_ENOMEM. */
dp_err dp_identities_init(dp_identities *d, const dp_site *s);
void   dp_identities_done(dp_identities *d);

/* Whether `before`, a form of a page, has something of it, and `after`, what a rule makes of it, nothing. A number too
 * short to name a page is something, but not in a query that stays behind another path: /t/29519/33?cat=25 =>
 * /t/33?cat=25. */
bool dp_identity_is_lost(const dp_identities *d, uint32_t cluster, dp_str before, dp_str after);

#endif
