/* content/places.h - the places of one host, and what is known of each, while content/hidden.h learns.
 *
 *     number of a place ──► seen to change, seen to stay, a clock that is right, ...  ──►  hidden, and why
 *
 * Used by content/hidden.c, which counts fetches of one URL, and content/alike.c, which looks at pages that differ in
 * little.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_PLACES_H
#define DP_CONTENT_PLACES_H

#include "base/keyed.h"
#include "base/ordinal.h"
#include "content/hidden.h"

typedef struct dp_place_known {
    uint32_t  changed, same;     /* pairs of fetches of one URL */
    uint32_t  timed, now;        /* slots: clocks with seconds, and those that show the time of the fetch */
    uint32_t  seen, in_url;      /* slots of which it was counted, and those whose word is in the URL */
    uint32_t  alone, against;    /* pairs of pages that differ here and at few other places: as a volatile place would,
                                    and not so */
    uint32_t  joined, unrelated; /* pairs of pages that hiding it makes equal, and those whose URLs share nothing */
    uint8_t   kind;              /* dp_slot_kind */
    bool      hidden;
    dp_hidden_why why;
} dp_place_known;

typedef struct dp_places {
    const dp_fetches *f;
    const uint32_t   *current; /* the fetch that stands for a page */
    const dp_keyed   *v;       /* [n] fetches of the host */
    size_t            n;
    dp_ordinals       number;  /* by hash */
    dp_place_known   *known;   /* [number.n] */
    uint32_t          cap;
    dp_slot          *a, *b;   /* room to sort a page's slots */
    size_t            a_cap, b_cap;
} dp_places;

void dp_places_done(dp_places *l);

/* What is known of the place of a slot; a new place is added. DP_ENOMEM. */
dp_err dp_places_add(dp_places *l, const dp_slot *s, uint32_t *number);

/* NULL: it is not known. */
static inline dp_place_known *dp_places_find(const dp_places *l, const dp_slot *s)
{
    uint32_t number;
    return dp_ordinals_find(&l->number, s->place, &number) ? &l->known[number] : NULL;
}

static inline const dp_slot *dp_places_slots(const dp_places *l, const dp_fetch *x)
{
    return dp_rows_get(&l->f->rows, x->at, x->n);
}

static inline bool dp_places_is_current(const dp_places *l, size_t i)
{
    return l->current[l->f->v[l->v[i].item].page] == l->v[i].item;
}

/* Told of each place that one of two fetches has, with its slots in both, sorted. */
typedef dp_err dp_on_place(void *self, uint32_t number, const dp_slot *a, size_t na, const dp_slot *b, size_t nb);

/* Compare two fetches; of nodes that are hidden only the plain text. Told is of places that differ, or of all: then all
 * become known. DP_ENOMEM, and what `tell` returns. */
typedef enum dp_places_which { DP_PLACES_DIFFERENT, DP_PLACES_ALL } dp_places_which;

typedef struct dp_places_told {
    dp_places_which which;
    dp_on_place    *tell;
    void           *self;
} dp_places_told;

dp_err dp_places_compare(dp_places *l, const dp_fetch *x, const dp_fetch *y, const dp_places_told *to);

/* Whether the slots of a place are the same in both. */
bool dp_places_are_same(const dp_slot *a, size_t na, const dp_slot *b, size_t nb);

/* The hash of what is not hidden; never 0. */
uint64_t dp_places_rest(const dp_places *l, const dp_fetch *x);

/* content/alike.c: hide places by what pages show that differ in little, then show again those whose hiding makes pages
 * equal that have nothing in common. `out` gets what is left open. DP_ENOMEM. */
dp_err dp_alike_find(dp_places *l, dp_hidden_open *out);

#endif
