/* site/part.h - some of the URLs of a site, as a site.
 *
 *     in[]  1 0 1 1 0 ─► url[] cluster[] by[] ...   arrows between those that are in
 *
 * Columns and texts are those of the whole. So are `size` and `fold`: a cluster of which some URLs are left out has as
 * many as before.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_PART_H
#define DP_SITE_PART_H

#include "site/site.h"

/* The URLs with in[i] != 0; all in `a`, but for the texts. DP_ENOMEM. */
dp_err dp_site_part(dp_site *out, const dp_site *s, const uint8_t *in, dp_arena *a);

/* All but the clusters of these folds (bits): as if nobody had seen them. DP_ENOMEM. */
dp_err dp_site_without(dp_site *out, const dp_site *s, uint32_t folds, dp_arena *a);

#endif
