/* rule/setid.h - one number for everything that can change a key (docs/rule-format.md, "Ids").
 *
 *     versions of stage 0 and of the meaning of rules | scopes, order and keeps of a block |
 *     id and pin of each rule that can fire | ...
 *
 * Two sets of rules with the same set id give the same keys. Computed from the model here,
 * and from a compiled image, under options, by dp_image_set_id of apply/candidates.h.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_SETID_H
#define DP_RULE_SETID_H

#include "base/buf.h"
#include "rule/rule.h"

/* Goes up when some file gives other keys than before (docs/rule-format.md 8). */
#define DP_MEANING_VERSION 2

uint64_t dp_set_begin(void);
uint64_t dp_set_add_block(uint64_t set, uint64_t head); /* dp_set_head of a block that is not off */
uint64_t dp_set_add_rule(uint64_t set, uint64_t id, bool pinned);

/* Hash of a block's host, order and keep lines; `scratch` is overwritten, and fails when memory is out. */
uint64_t dp_set_head(const dp_block *b, dp_buf *scratch);

/* Append the set id as a field of JSON. */
void dp_set_print(dp_buf *out, const char *name, const dp_rules *r);

#endif
