/* learn/auto/propose/facets.h - pairs of a path that stand in any order.
 *
 *     /list/color/red/size/9     /list/size/9/color/red     /list/size/9?color=red
 *
 *     /{**}/color/{x}?... => /{**}?color={x}&...
 *     /{**}/size/{x}?... => /{**}?size={x}&...
 *     order any
 *
 * Some software writes names and values as components, one behind the other. Each rule takes the last pair of a path;
 * none of them makes two URLs one without the others, so they are tried together (learn/auto/rounds/trial.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_FACETS_H
#define DP_LEARN_AUTO_PROPOSE_FACETS_H

#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"
#include "url/frame.h"

/* Whether two URLs differ in the places of their pairs and in nothing else of their paths. */
bool dp_facets_differ(const dp_frame *a, const dp_frame *b);

/* What pages show whose URLs have two pairs or more, and differ in nothing of their paths but the places of these.
 * DP_ENOMEM. */
dp_err dp_facets_find(dp_ideas *out, const dp_forms *f);

#endif
