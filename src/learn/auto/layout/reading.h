/* learn/auto/layout/reading.h - how one text of a URL may be read: an id, and words before or behind it.
 *
 *     red-oak-chair-12.html     words red-oak-chair   mark -    id 12      tail .html
 *     red-oak-chair-p-12.html   the same, and         mark -p-
 *     any-words_c1234           words any-words       mark _c   id 1234
 *     12-red-oak-chair          id 12                 mark -    words red-oak-chair
 *     a-title-1a2b3c4d5e6f      words a-title         mark -    id 1a2b3c4d5e6f (hex)
 *
 * Nobody knows which part a page depends on: all readings are tried (learn/auto/propose/forget.h), pages say which
 * hold. The text is the concatenation of the parts, in the order of `id_first`.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_LAYOUT_READING_H
#define DP_LEARN_AUTO_LAYOUT_READING_H

#include "base/str.h"

enum {
    DP_MOST_READINGS = 6,
    DP_LEAST_HEX = 6,   /* digits and letters of an id that is a hash: shorter ones are words */
    DP_LEAST_ID = 5,    /* digits of a number that is an id: years have four */
    DP_LEAST_SHARED = 3, /* digits of a number that two titles do not share by accident */
    DP_MOST_MARK = 3,   /* letters that say what kind of id follows: -p-12, _c12, tt12 */
    DP_MOST_TAIL = 5    /* letters and digits of an extension */
};

typedef struct dp_reading {
    dp_str lead;     /* letters at the start of a text that begins with its id: tt of tt12-title */
    dp_str id, mark, words, tail;
    bool   id_first; /* lead id mark words tail; else words mark id tail */
    bool   is_hex;   /* the id is; else it is a number */
    bool   is_list;  /* several numbers: 15_9_14 */
} dp_reading;

/* Whether a text is the name of a language: en, pt-br, zh_CN. */
bool dp_is_language(dp_str s);

/* Whether a text names one page and no kind of pages: a long number, a hash, a uuid. */
bool dp_is_id(dp_str text);

/* Whether a text is a hash: DP_LEAST_HEX hex digits or more, letters and numbers among them. */
bool dp_is_hash(dp_str s);

/* Whether two texts have an id in common: a number or a hash that both hold between delimiters or letters. */
bool dp_share_id(dp_str a, dp_str b);

/* Whether two texts are the same but for leading zeros of their numbers: 2020/05 and 2020/5. */
bool dp_same_but_zeros(dp_str a, dp_str b);

/* The extension of a text with its dot; n == 0: there is none. */
dp_str dp_tail_of(dp_str text);

/* Whether the words before two ids end in the same letters or number, which say what kind of id follows: red-oak-p-12,
 * stuhl-p-12, or 15_9_14 and 15_9_14. Then the id alone is not all of it. */
bool dp_share_mark(dp_str words, dp_str others);

/* Read a text as words, a mark with letters and several numbers, red-oak-c-15_9_14; false: it is not. */
bool dp_reading_of_list(dp_reading *out, dp_str text);

/* All readings of a text with one id; returns how many. */
size_t dp_readings_of(dp_reading out[DP_MOST_READINGS], dp_str text);

#endif
