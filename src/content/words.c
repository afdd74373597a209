/* SPDX-License-Identifier: Apache-2.0 */
#include "content/words.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"
#include "base/words/utf8.h"
#include "url/chars.h"

typedef struct range {
    uint32_t first, last;
} range;

/* Above ASCII everything belongs to words but these: controls, punctuation, symbols, arrows,
 * box drawings, private use, presentation forms of punctuation, emoji. In order. */
static const range between[] = {
    {0x80, 0xA9}, {0xAB, 0xB1}, {0xB4, 0xB4}, {0xB6, 0xB8}, {0xBB, 0xBB}, {0xBF, 0xBF}, {0xD7, 0xD7}, {0xF7, 0xF7},
    {0x2000, 0x206F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF}, {0x2E00, 0x2E7F}, {0x3000, 0x3004}, {0x3008, 0x3020},
    {0x3030, 0x3030}, {0x303D, 0x303F}, {0x30FB, 0x30FB}, {0xE000, 0xF8FF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE6F},
    {0xFF00, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF},
    {0xE0000, 0x10FFFF},
};

/* Written without blanks between words. */
static const range alone[] = {
    {0x0E00, 0x0EFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}, {0x2E80, 0x2FDF}, {0x3005, 0x3007}, {0x3021, 0x30FF},
    {0x31F0, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x20000, 0x3FFFF},
};

static bool is_in(const range *r, size_t n, uint32_t code)
{
    size_t i;
    DP_BISECT(i, n, r[i].last < code);
    return i < n && code >= r[i].first;
}

typedef enum kind { BETWEEN, PART, ALONE } kind;

static kind kind_of(uint32_t code)
{
    if (is_in(between, DP_COUNT(between), code))
        return BETWEEN;
    return is_in(alone, DP_COUNT(alone), code) ? ALONE : PART;
}

static bool is_ascii_part(char c)
{
    return dp_is(c, DP_CH_ALNUM) || c == '_';
}

/* The end of the word that begins at `at`; `at` itself when none does, `*skip` bytes then. */
static size_t word_end(dp_str text, size_t at, size_t *skip)
{
    size_t i = at;
    *skip = 1;
    while (i < text.n) {
        if ((unsigned char)text.p[i] < 0x80) {
            if (!is_ascii_part(text.p[i]))
                return i;
            i++;
            continue;
        }
        size_t n = dp_utf8_length(dp_str_cut(text, i, text.n));
        if (!n)
            return i;
        kind k = kind_of(dp_utf8_code(text.p + i, n));
        if (k == PART) {
            i += n;
            continue;
        }
        *skip = n;
        return k == ALONE && i == at ? at + n : i;
    }
    return i;
}

/* The hash of a word in lower case. */
static uint64_t hash_word(dp_str word)
{
    char         small[64];
    XXH3_state_t state;
    if (word.n <= sizeof small) {
        for (size_t i = 0; i < word.n; i++)
            small[i] = dp_lower(word.p[i]);
        return dp_hash_bytes(small, word.n);
    }
    XXH3_64bits_reset(&state);
    for (size_t at = 0; at < word.n; at += sizeof small) {
        size_t n = word.n - at < sizeof small ? word.n - at : sizeof small;
        for (size_t i = 0; i < n; i++)
            small[i] = dp_lower(word.p[at + i]);
        XXH3_64bits_update(&state, small, n);
    }
    return XXH3_64bits_digest(&state);
}

static bool add(dp_words *w, uint64_t word)
{
    if (!DP_ROOM(w->v, w->n, w->cap))
        return false;
    w->v[w->n++] = word;
    return true;
}

dp_err dp_words_read(dp_words *w, dp_str text)
{
    w->n = 0;
    for (size_t at = 0, skip; at < text.n;) {
        size_t end = word_end(text, at, &skip);
        if (end == at) {
            at += skip;
            continue;
        }
        if (!add(w, hash_word(dp_str_cut(text, at, end))))
            return DP_ENOMEM;
        at = end;
    }
    return DP_OK;
}

void dp_words_done(dp_words *w)
{
    free(w->v);
    *w = (dp_words){0};
}
