/* exchange/feeds.h - which units make others fire, and whether that ends.
 *
 *     /docs/2.4/{**} => /manual/{**}  ──feeds──►  /{a}/current/{**} => /{a}/2.4/{**}      /docs/2.4/current/x
 *
 * Reads the units of exchange/units.h, which refuses what these questions say.
 *
 * Both err to one side: what does not feed never does, and what ends always does.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EXCHANGE_FEEDS_H
#define DP_EXCHANGE_FEEDS_H

#include "exchange/units.h"

/* The last capture of a segment, and how many it has; NULL: none. */
const dp_item *dp_pat_capture(const dp_pat *p, size_t *n);

/* How often a capture of that name stands in the template. */
size_t dp_template_count(const dp_template *t, dp_str name);

/* Whether what `a` writes may be what `b` looks for. */
bool dp_unit_feeds(const dp_export_unit *a, const dp_export_unit *b);

/* Whether the first `n` units, as often as any of them fires, come to an end. fed[from * u->n + to]: dp_unit_feeds. */
bool dp_units_end(dp_units *u, size_t n, const bool *fed);

#endif
