/* learn/fragment.h - what came of some sites, as bytes that can be kept, sent and merged.
 *
 *     sites of a partition ─► dp_fragments ─ pack ─► bytes ─ unpack ─► merge ─► learn/summary.h
 *
 * A fragment holds the blocks of one site's rules and its counts. Which sites stand together in a list does not matter:
 * lists are merged in the order of the sites' names, so that a run cut into any partitions, on any machines, gives one
 * rule file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_FRAGMENT_H
#define DP_LEARN_FRAGMENT_H

#include "base/arena.h"
#include "learn/lesson.h"

typedef struct dp_fragment {
    dp_str    name;
    uint64_t  urls, contradicting, soft;
    uint64_t  sampled;    /* URLs of the sample that was learned from; 0: all */
    uint64_t  by[DP_BYS]; /* URLs with a cluster, by why */
    dp_lesson lesson;
} dp_fragment;

/* A zeroed one is valid and empty. */
typedef struct dp_fragments {
    dp_fragment *v; /* [n] */
    size_t       n, cap;
    dp_arena     names;
} dp_fragments;

/* Take over a fragment, whose name is copied; its lesson is the list's, also on failure. DP_ENOMEM. */
dp_err dp_fragments_add(dp_fragments *l, const dp_fragment *f);

/* Bring them into the order of their names. */
void dp_fragments_sort(dp_fragments *l);

/* Append the bytes of a list; add those of such bytes. DP_ESYNTAX when they are not whole, DP_ENOMEM. */
void   dp_fragments_pack(dp_buf *out, const dp_fragments *l);
dp_err dp_fragments_unpack(dp_fragments *l, dp_str bytes);

void dp_fragments_done(dp_fragments *l);

#endif
