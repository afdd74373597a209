/* rule/scope.h - the host line: which hosts a block speaks of.
 *
 *     host www.example.com, example.com:8080, *.example.org off [cert=none]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_SCOPE_H
#define DP_RULE_SCOPE_H

#include "rule/cursor.h"

/* Read what follows the word `host` into `b`: scopes, `off` and attributes. */
dp_err dp_scope_read(dp_block *b, dp_cursor *c);

/* Fill by_name, hosts and key of `b` from its scopes; for blocks that are built, not read. */
dp_err dp_scope_index(dp_block *b, dp_arena *a);

/* The scope of `b` that a URL on `host` and `port` (-1: some port) can fall under; NULL
 * when there is none. */
const dp_scope *dp_scope_find(const dp_block *b, dp_str host, int port);

#endif
