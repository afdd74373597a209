/* store/rollback.h - URLs that were left out because of rules, and how they come back: dp_seen_about, dp_seen_rollback.
 *
 *     found            key    fired     rules 1 = drop ?sid, 2 = drop ?view
 *     /x?view=2        /x     2         fresh: written.   "keys"    /x → 2, /x?view=2
 *     /x               /x     -         left out          "hidden"  /x → 2        because of its key's first URL
 *     /x?sid=7         /x     1         left out                    /x?sid=7 → 1, 2
 *     /y               /y     -         fresh: written.             /y → nothing: no rule has made its key
 *
 * A URL is remembered with every rule that fired on it or on the URL that had its key first: without one of these, it
 * might have had another key. Rule 2 is taken back: both URLs come back, and what was fetched, /x?view=2, is what is
 * seen, in the place of /x. dp_seen_rekey makes of it the key that it has under new rules.
 *
 * Rules are the first four bytes of their ids, as people see them: two that share these come back together.
 *
 * Invariants:
 *   - What is left out is in the file in the same transaction as the keys of its batch.
 *   - Each URL (its bytes, without the fragment) is kept once; the rules of all times that it was left out gather.
 *   - Nothing is forgotten before it was passed on: rollback works until the commit in one transaction, which the
 *     caller commits after the last URL was written.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_ROLLBACK_H
#define DP_STORE_ROLLBACK_H

#include "store/seen.h"

enum { DP_RULE_BYTES = 4 };

/* Look at the pages that dp_rollback_add will need. */
int dp_rollback_check_pages(dp_seen *s, MDB_txn *txn, const dp_seen_batch *b);

/* The note of key `i` of the next batch if it is fresh: its first URL and the rules that fired on it, as `note` has
 * them; empty where none did. It is in s->note. ENOMEM. */
int dp_rollback_first(dp_seen *s, size_t i, dp_str *note);

/* Remember the URLs of a batch whose keys were not fresh. */
int dp_rollback_add(dp_seen *s, MDB_txn *txn, const dp_seen_batch *b);

/* Forget what was told of the next batch. */
void dp_rollback_reset(dp_seen *s);

/* Append to `rules` those of `more` that it does not have. */
void dp_rollback_add_rules(dp_buf *rules, dp_str more);
void dp_rollback_add_id(dp_buf *rules, uint64_t id);

/* Take the note of a key apart: its first URL, empty where no rule fired on it, and the rules. False: it is none. */
bool dp_rollback_read_first(dp_str note, dp_str *rules, dp_str *url);
void dp_rollback_write_first(dp_buf *note, dp_str rules, dp_str url);

/* Append to `rules` those of the first URLs of a key, and of the key on another domain that it stands for
 * (store/foreign.h). `*is_first`: `url` is one of these. */
int dp_rollback_add_first(dp_seen *s, MDB_txn *txn, dp_str key, dp_str url, dp_buf *rules, bool *is_first);

#endif
