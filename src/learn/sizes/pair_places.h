/* learn/sizes/pair_places.h - the URLs of a site by their parts, to find the same one with a pair less.
 *
 *     /find?q=a&v=1      hash of "/find" + hash of "q=a" + hash of "v=1"
 *     /find?q=a          the same less the last one, in whatever order the pairs stand
 *
 * Read by learn/sizes/shown_pairs.c, shown_values.c, shown_targets.c and orders.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_PAIR_PLACES_H
#define DP_LEARN_SIZES_PAIR_PLACES_H

#include "base/keyed.h"
#include "site/site.h"
#include "url/frame.h"

typedef struct dp_pair_places {
    const dp_site *site;
    dp_keyed      *place; /* [site->n] hash of a URL, its number; sorted */
    dp_frame       frame; /* of the URL that was read last */
} dp_pair_places;

/* DP_ENOMEM; done also after a failure. */
dp_err dp_pair_places_init(dp_pair_places *p, const dp_site *s);
void   dp_pair_places_done(dp_pair_places *p);

/* Read URL i; *ok: it is one that is looked at. DP_ENOMEM. */
dp_err dp_pair_places_look(dp_pair_places *p, size_t i, bool *ok);

/* The same; *ok: it also has pairs. */
dp_err dp_pair_places_read(dp_pair_places *p, size_t i, bool *ok);

/* Hash of a pair as it is written, and of a whole URL. */
uint64_t dp_pair_hash(const dp_frame *f, const dp_pair *pair);
uint64_t dp_pairs_hash(const dp_frame *f);

/* The first URL with that hash and a size; UINT32_MAX: none. */
uint32_t dp_pair_places_find(const dp_pair_places *p, const uint32_t *usual, uint64_t hash);

/* Letters of a value as a page shows it: %2F is one. */
uint32_t dp_shown_length(dp_str value);

#endif
