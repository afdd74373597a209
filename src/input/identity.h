/* input/identity.h - how pages are told apart: the choice, and what it is called.
 *
 *     clusters           by the names that the input has for pages (column `cluster`)
 *     content            by what they show (digest, body, sketch), whatever the input calls them
 *     clusters,content   by name where there is one, else by content: what is done when nobody chooses
 *
 * input/reader.h takes away what is not chosen, so that nobody behind it can look at it: `learn`, `cluster`, `eval`,
 * `audit`, `report` and `split` see the same. What content is the same decides content/cluster.h for all of them. The
 * header of a rule file and every JSON say what was used: identity=..., the names above.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_IDENTITY_H
#define DP_INPUT_IDENTITY_H

#include "input/record.h"

typedef enum dp_identity { DP_IDENTITY_ANY, DP_IDENTITY_CLUSTERS, DP_IDENTITY_CONTENT } dp_identity;

/* By its name; false when there is none of that name. */
bool dp_identity_find(dp_identity *out, const char *name);

/* The name of what was used; NULL: neither. */
const char *dp_identity_name(bool clusters, bool content);

/* Take away what `identity` does not look at. */
void dp_identity_filter(dp_identity identity, dp_record *r);

#endif
