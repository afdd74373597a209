/* content/slots.h - a page as a row of slots: where a piece of its text stands, what it is like, what it says.
 *
 *     <div id=foot>Made in 0.012s by anna</div>     text    div#foot            Made in
 *                                                   number  in _ by, div#foot   0.012s
 *                                                   text    div#foot            by anna
 *
 * A slot is a run of words of one node that are alike: plain text, or one number, age ("3 minutes ago"), moment with a
 * clock in it, date, or id. What is learned about places (content/hidden.h) says which slots of a page do not count;
 * the hash of a page is made of those that do. Words, not bytes, are hashed, so that a page without a slot and one in
 * which it is hidden are equal, and so are pages in which other slots meet at other places.
 *
 * The place of plain text is its path below <body>; that of everything else is what it is like, the last two elements
 * of the path and, of a number, the words beside it. So a clock in the footer is at one place on all pages of a site,
 * and so are the ages in one column of its tables. In a text that is not HTML the tag or the name before a word
 * (<updated>, "time":) stands for the path.
 *
 * Invariants:
 *   - The first slot of a node is plain text, empty if need be, and has DP_SLOT_OPENS: who hides that place hides the
 *     node.
 *   - Slots depend on the text, its marks, the URL and the time of the fetch, and on nothing else.
 *   - There are at most DP_SLOTS_MAX; the rest of a longer page is one piece of text.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_SLOTS_H
#define DP_CONTENT_SLOTS_H

#include "base/err.h"
#include "content/html.h"

enum { DP_SLOTS_MAX = 4096, DP_SLOT_SHIFT = 20 };

typedef enum dp_slot_kind {
    DP_SLOT_TEXT,
    DP_SLOT_NUMBER,
    DP_SLOT_AGE,
    DP_SLOT_CLOCK, /* a moment that has a time of day */
    DP_SLOT_DATE,
    DP_SLOT_ID     /* or a drawing made of punctuation */
} dp_slot_kind;

typedef enum dp_slot_flag {
    DP_SLOT_OPENS = 1,  /* the first of a node */
    DP_SLOT_IN_URL = 2, /* its word stands in the URL, too */
    DP_SLOT_NOW = 4,    /* a clock that shows the time of the fetch, but for whole quarters of an hour */
    DP_SLOT_TIMED = 8,  /* a clock that could be compared with it */
    DP_SLOT_VALUE = 16  /* a number: dp_slot_value */
} dp_slot_flag;

/* 16 bytes, for there are hundreds a page. */
typedef struct dp_slot {
    uint64_t hash;  /* of its words, below 2^61 */
    uint32_t place; /* hash */
    uint16_t words;
    uint8_t  kind;  /* dp_slot_kind */
    uint8_t  flags; /* of dp_slot_flag */
} dp_slot;

/* Memory that is used again for the next page. A zeroed one is valid. */
typedef struct dp_slots {
    dp_slot *v; /* [n] */
    size_t   n, cap;
} dp_slots;

typedef struct dp_slots_source {
    dp_str         text;  /* white space squeezed */
    const dp_mark *marks; /* [nmark] of HTML */
    size_t         nmark;
    bool           is_html;
    dp_str         url;
    int64_t        time;  /* of the fetch, seconds; 0: not known */
} dp_slots_source;

/* Put the slots of a page in the place of those before. DP_ENOMEM. */
dp_err dp_slots_read(dp_slots *s, const dp_slots_source *in);

void dp_slots_done(dp_slots *s);

/* Whether it can be one that dp_slots_read has made. */
static inline bool dp_slot_is_valid(const dp_slot *s)
{
    return s->hash < UINT64_C(1) << 61 && s->kind <= DP_SLOT_ID && s->flags < 2 * DP_SLOT_VALUE;
}

/* The number that a slot with DP_SLOT_VALUE shows. */
static inline uint64_t dp_slot_value(const dp_slot *s)
{
    return s->hash >> DP_SLOT_SHIFT;
}

/* The hash of the words of `before`, then those of `s`. Begin with 0. */
uint64_t dp_slot_fold(uint64_t before, const dp_slot *s);

/* Where the slot that begins at byte `at` of the text ends, for who shows slots to people: called with each slot in
 * turn, it gives the words. */
size_t dp_slot_end(const dp_slots_source *in, size_t at, const dp_slot *s);

#endif
