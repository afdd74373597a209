/* learn/duster/instance.h - what an alignment says of one URL: the parts of it, and of what it becomes.
 *
 *     columns       0    1     2 3    4 5     6 7 8 9          of three URLs of the page
 *     URL           http a.com / news / 7     ? s = a1         column 9 varies: not all URLs have a1 there
 *     canonical     http a.com / news / 7     ? s = a1         the least token of the column
 *                   ────────── segments ─     pairs
 *
 *     /x-print.html => /x.html      URL          slot x | mark - | variant print | mark . | slot html
 *                                   canonical    slot x | mark . | slot html
 *
 * The canonical form has the columns that no URL lacks: the token of all URLs where they agree, else the least one by
 * (W, length, bytes; docs/rule-format.md 8.10). The URL and the canonical form are cut into segments, and pairs of the
 * query. A part whose columns are equal in all URLs, without a gap between them, is fixed; another one is cut into
 * pieces: slots (fixed columns), variants (words and numbers of other columns) and marks (single characters of any
 * column, but for those inside a slot).
 *
 * Invariants:
 *   - Texts are views into the URL, or of the canonical form into the arena.
 *   - Every slot of the canonical form is made of slots and marks of the URL: dp_duster_slots finds them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_INSTANCE_H
#define DP_LEARN_DUSTER_INSTANCE_H

#include "learn/duster/consensus.h"

typedef enum dp_duster_kind { DP_DUSTER_SLOT, DP_DUSTER_MARK, DP_DUSTER_VARIANT } dp_duster_kind;

typedef struct dp_duster_piece {
    dp_str   text;
    uint16_t from, to; /* columns */
    uint8_t  kind;     /* dp_duster_kind */
} dp_duster_piece;

/* A segment, or the value of a pair. */
typedef struct dp_duster_part {
    dp_str   text;
    uint32_t piece;    /* number of its first */
    uint16_t n;        /* pieces; 0: it is empty */
    uint16_t from, to; /* columns; from == to: it is empty */
    uint16_t before;   /* column of the character before it */
    bool     is_fixed; /* one slot, or empty */
} dp_duster_part;

typedef struct dp_duster_pair {
    dp_str         name;
    uint32_t       nth; /* of its name, from 1 */
    uint16_t       from, to;
    bool           has_eq;
    bool           is_fixed; /* name and value */
    dp_duster_part value;
} dp_duster_pair;

typedef struct dp_duster_side {
    dp_str           scheme, host; /* host with port */
    dp_duster_part  *seg;          /* [nseg] */
    dp_duster_pair  *pair;         /* [npair] */
    dp_duster_piece *piece;        /* [npiece] */
    uint32_t         nseg, npair, npiece;
} dp_duster_side;

typedef struct dp_duster_instance {
    uint32_t              cluster;
    uint8_t               by;    /* dp_by of the URL */
    dp_duster_side        left;  /* the URL */
    const dp_duster_side *right; /* the canonical form of its page */
} dp_duster_instance;

typedef struct dp_duster_instances {
    dp_duster_instance *v; /* [n] in the arena */
    uint32_t            n;
} dp_duster_instances;

/* Room to work in, for one thread. */
typedef struct dp_duster_maker {
    dp_duster_bench *bench;
    dp_frame         frame[DP_DUSTER_URLS], canonical;
    dp_duster_tokens token[DP_DUSTER_URLS], first; /* of the URLs, of the canonical form */
    uint16_t         column[DP_DUSTER_COLUMNS];    /* of each token of `first` */
    dp_duster_rows   rows;
    dp_buf           text;
} dp_duster_maker;

dp_err dp_duster_maker_init(dp_duster_maker *m);
void   dp_duster_maker_done(dp_duster_maker *m);

/* The instances of `n` URLs of one page: of those that are not canonical themselves. None when the URLs cannot be
 * aligned, or their canonical form is not a URL. `url` numbers URLs of the site. All in `a`. DP_ENOMEM. */
dp_err dp_duster_instances_make(dp_duster_instances *out, dp_duster_maker *m, const dp_site *s, const uint32_t *url,
                                uint32_t n, dp_arena *a);

/* The pieces of `side` that columns [from, to) are made of: how many, from `*first` on; 0: there are none. */
uint32_t dp_duster_slots(uint32_t *first, const dp_duster_side *side, uint16_t from, uint16_t to);

#endif
