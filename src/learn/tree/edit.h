/* learn/tree/edit.h - GeneratePairwiseRule (WSDM'10, algorithm 3): what makes the target out of the source.
 *
 *     source  /srnr/about/art/index.html        keep 3 segments, 1 goes, none comes
 *     target  /srnr/about/art                   named from the start: segment 4 goes; from the end: segment -1 goes
 *
 *     source  /wiki?title=Casino_Royale         keep 1, 0 go, 1 comes = value of ?title;   ?title goes
 *     target  /wiki/Casino_Royale
 *
 * A transformation lists changes only. Segments at the start and at the end that both URLs have are kept; those
 * between are replaced by others, each a reference to a value of the source, a conversion of one, a literal, or a
 * pattern whose pieces are such. Where the replaced ones stand is said from the start or from the end (keys k(x,-)
 * and k(-,y) of the paper), and hashed both ways: pairs with one hash are a class.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_EDIT_H
#define DP_LEARN_TREE_EDIT_H

#include "learn/tree/host.h"
#include "rule/rule.h"

/* A value of the source: a slot of its shape, whole or a piece of its pattern. */
typedef struct dp_tree_ref {
    uint32_t slot;
    uint8_t  piece; /* 0: whole; else the number of the piece, from 1 */
    uint8_t  conv;  /* a dp_conv */
} dp_tree_ref;

typedef struct dp_tree_piece {
    bool        is_ref;
    bool        replaces; /* a literal that stands in the place of another value of the source */
    dp_tree_ref ref;
    uint32_t    literal;
} dp_tree_piece;

/* One value of the target. */
typedef struct dp_tree_out {
    uint32_t      pattern; /* 0: whole, in piece[0] */
    uint32_t      slot;    /* of the target */
    dp_tree_piece piece[DP_ANCHOR_PIECES];
} dp_tree_out;

typedef struct dp_tree_edit {
    const dp_tree_url *u, *v;
    bool               scheme, host;       /* changed */
    uint32_t           keep, keep_end;     /* segments kept at the start, at the end */
    uint32_t           gone;               /* segments of the source between them */
    uint32_t           ncome;
    dp_tree_out        come[DP_TREE_SEGMENTS];
    uint32_t           npair_out;
    dp_tree_out        pair_out[DP_TREE_PAIRS]; /* pairs of the target that are new or changed */
    uint32_t           ndrop;
    uint32_t           drop[DP_TREE_PAIRS];  /* slots of the source that are gone */
    uint32_t           nparam;
    uint32_t           param[DP_TREE_PARAMS]; /* names of path parameters that are gone */
    uint32_t           pattern[DP_TREE_SEGMENTS + DP_TREE_PAIRS]; /* of the source, by slot; 0: none. Set where
                                                                     something is referred to */
    bool               path;     /* some segment changes */
    bool               replaces; /* some piece does */
    uint32_t           changes;  /* how many: a session id that goes is one, and a host that changes one more */
} dp_tree_edit;

/* Where keys of the path are counted from. */
typedef enum dp_tree_end {
    DP_TREE_FROM_START, /* and from the end behind what changes */
    DP_TREE_FROM_END,
    DP_TREE_START_ALONE /* CIKM'09 */
} dp_tree_end;

typedef struct dp_tree_atom {
    uint32_t    value;
    dp_tree_ref ref;
} dp_tree_atom;

typedef struct dp_tree_editor {
    dp_tree_host *h;
    bool          conversions;
    dp_buf        text, moved;
    dp_tree_atom *atom; /* [natom] values of the source that may be referred to */
    uint32_t      natom, atom_cap;
    bool          listed; /* for the source at hand */
    bool          failed; /* memory was out */
} dp_tree_editor;

void dp_tree_editor_done(dp_tree_editor *e);

/* The transformation from URL `u` to `v` of the host. *sayable: no rule could say it, or it changes nothing,
 * when false. DP_ENOMEM. */
dp_err dp_tree_edit_make(dp_tree_edit *out, dp_tree_editor *e, uint32_t u, uint32_t v, bool *sayable);

/* Whether some value of the target is made of slot `slot` of the source. */
bool dp_tree_refers(const dp_tree_edit *t, const dp_tree_host *h, uint32_t slot);

/* Its hash. From the start alone: the depth of the source is part of it where segments go or come. `loose`: literals
 * that replace a value are all the same. */
uint64_t dp_tree_edit_hash(const dp_tree_edit *t, const dp_tree_host *h, dp_tree_end end, bool loose);

/* Append what a reference makes of `text`: moved between path and query, then converted. */
void dp_tree_convert(dp_buf *out, dp_buf *room, dp_str text, dp_conv conv, bool from_query, bool to_query);

#endif
