/* rule/id.h - the ids of rules: stable names, whatever file or line they stand in.
 *
 *     XXH64("example.com,www.example.com" LF "drop ?sid,utm_*")
 *            ── scopes, sorted ──────────     ── as printed ─
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_ID_H
#define DP_RULE_ID_H

#define XXH_STATIC_LINKING_ONLY /* the state is a plain struct */
#include <xxhash.h>

#include "base/buf.h"
#include "rule/rule.h"

/* What the ids of all rules of a block begin with. */
typedef struct dp_id_base {
    XXH64_state_t hash;
} dp_id_base;

/* `b` has its key (rule/scope.h: dp_scope_index, when it was built in memory). */
void dp_id_base_init(dp_id_base *base, const dp_block *b);

/* Set text and id of a rule that was read or built in memory. `scratch` is overwritten; the
 * text lies in the arena, or where r->text is when that begins with it already. */
dp_err dp_id_fill(dp_rule *r, const dp_id_base *base, dp_buf *scratch, dp_arena *a);

#endif
