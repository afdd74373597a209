/* plant_url.c - fill in the forms.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_url.h"

static const char *const languages[] = {"en", "de", "fr", "es", "it", "nl", "pl", "ru", "en", "pt", "sv"};

/* ---- pages --------------------------------------------------------------------------------------------- */

/* A number for item j that no other item of the host has: multiplication by odd numbers and shifts can be undone. */
static uint64_t shuffle_bits(const plant_host *h, uint64_t salt, uint64_t j)
{
    uint64_t x = ((j ^ salt) * h->factor[0]) & h->mask;
    x ^= x >> h->half;
    x = (x * h->factor[1]) & h->mask;
    return x ^ x >> h->half;
}

plant_page plant_page_make(const plant_host *h, const plant_part *part, uint64_t number)
{
    plant_page p = {.host = h, .part = part, .j = number / part->dims, .d = (unsigned)(number % part->dims)};
    p.shown = shuffle_bits(h, part->m->salt & h->mask, p.j);
    p.hash = plant_mix2(part->m->salt, p.j);
    /* Parts of one mechanism show the same items, and differ all the same. */
    uint64_t item = plant_mix2(h->seed ^ part->salt, p.j);
    bool     equal = p.hash % 100 < part->kind->equal;
    p.id = plant_mix2(item, p.d);
    p.content = plant_mix2(~item, equal ? 0 : p.d);
    if (part->m->kind->flags & PLANT_SOLO)
        p.content = plant_mix2(h->seed, 404);
    return p;
}

uint64_t plant_page_size(const plant_page *p)
{
    uint64_t x = plant_mix(p->content);
    return 1500 + p->part->salt % 20000 + ((x & 0xFFFF) * (x >> 16 & 0xFFFF) >> 18);
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* "bako-lumite": a slug for the number, different for different numbers below 80^5. */
static char *put_slug(char *to, uint64_t x, char dash)
{
    uint64_t high = x / 6400;
    to = put_syllables(to, x, 2);
    *to++ = dash;
    to = put_syllables(to, high, 3);
    return high >= 512000 ? put_number(to, high / 512000) : to;
}

static char *put_title(char *to, uint64_t x, const char *space)
{
    char *word = to;
    to = put_syllables(to, x, 2);
    *word = (char)(*word - 32);
    to = put_c(to, space);
    word = to;
    to = put_slug(to, x / 6400, 'o');
    *word = (char)(*word - 32);
    return to;
}

static char *put_upper_id(char *to, uint64_t x)
{
    to = put_c(to, "B0");
    for (int i = 0; i < 7 || x; i++, x /= 36)
        *to++ = "K1L3M5N7P9Q0R2S4T6U8VAWBXCYDZEFGHIJO"[x % 36];
    return to;
}

/* Another case than the lower one, by the bits of `x`. */
static void change_case(char *from, const char *to, uint64_t x)
{
    unsigned style = x & 3;
    for (unsigned i = 0; from < to; from++, i++) {
        if (*from >= 'a' && *from <= 'z' && (style == 0 || i == 0 || (style == 1 && (x >> (2 + i % 60) & 1))))
            *from = (char)(*from - 32);
    }
}

static char *put_word_of(char *to, const plant_page *p, unsigned letter)
{
    dp_str w = p->part->m->word[letter];
    return put_bytes(to, w.p, w.n);
}

static char *put_two_digits(char *to, uint64_t x)
{
    *to++ = (char)('0' + x / 10);
    *to++ = (char)('0' + x % 10);
    return to;
}

static char *put_random(char *to, char code, const plant_page *p, dp_rng *r)
{
    uint64_t x = dp_rng_next(r);
    char    *from = to;
    switch (code) {
    case 'x': return put_hex(put_hex(to, x, 12), plant_mix(x), 4);
    case 's': return put_slug(to, x % 3276800000, '-');
    case 'r': return put_number(to, x % 100000000);
    case '0': return put_number(put_bytes(to, "000", 1 + x % 3), p->shown + p->host->offset);
    case 'K':
        to = put_slug(to, p->shown, '-');
        change_case(from, to, x);
        return to;
    default: /* z */ return plant_word(to, p->host->seed, 512 + (unsigned)(x % (PLANT_ROOTS - 512)));
    }
}

static char *put_value(char *to, char code, const plant_page *p, dp_rng *r)
{
    const plant_mechanism *m = p->part->m;
    char                  *from = to;
    switch (code) {
    case 'n': return put_number(to, p->shown + p->host->offset);
    case 'k': return put_slug(to, p->shown, '-');
    case 't': return put_title(to, p->shown, "_");
    case 'T': return put_title(to, p->shown, "%20");
    case '+': return put_title(to, p->shown, "+");
    case 'u': return put_upper_id(to, p->shown);
    case 'c': return put_word_of(to, p, 10 + (unsigned)(p->hash >> 32) % 4);
    case 'b': return put_word_of(to, p, 10 + (unsigned)(p->hash >> 32) % 2);
    case 'e': return put_word_of(to, p, 12 + (unsigned)(p->hash >> 32) % 2);
    case 'Y': return put_number(to, 1998 + (p->hash >> 20) % 27);
    case 'm': return put_two_digits(to, 1 + (p->hash >> 28) % 12);
    case 'y': return put_two_digits(to, 1 + (p->hash >> 40) % 28);
    case 'd': return put_number(to, p->d + 1);
    case 'D': return put_number(to, p->d + 2);
    case 'W': return put_word_of(to, p, p->d);
    case 'L': return put_c(to, languages[m->language + p->d]);
    case 'v':
        if (!m->dotted)
            *to++ = 'v';
        to = put_number(to, p->d + 1);
        return m->dotted ? put_c(to, ".0") : to;
    case 'O': return p->d ? put_bytes(to, p->host->mirror.p, p->host->mirror.n)
                          : put_bytes(to, p->host->name.p, p->host->name.n);
    case 'i': return put_hex(to, p->id, 16);
    case 'j': return put_slug(to, p->id % 3276800000, '-');
    case 'A':
        to = put_slug(to, p->shown, '-');
        if (p->d)
            change_case(from, to, p->hash);
        return to;
    default: return put_random(to, code, p, r);
    }
}

/* ---- URLs ------------------------------------------------------------------------------------------------ */

plant_style plant_style_draw(const plant_page *p, dp_rng *r)
{
    const plant_host *h = p->host;
    uint64_t          x = dp_rng_next(r);
    plant_style       s = {.form = (unsigned)(x & 0xFFFF) % p->part->forms};
    s.alias = h->alias.p && (x >> 16 & 255) < 100;
    if (h->drops && (x >> 24 & 255) < 140) {
        s.drops = 1 + (unsigned)(x >> 32 & 0xFFFF) % ((1u << h->drops) - 1);
        s.first = (x >> 48 & 7) == 0;
    }
    return s;
}

static char *put_drops(char *to, const plant_page *p, unsigned which, char before, dp_rng *r)
{
    const plant_host *h = p->host;
    for (unsigned i = 0; i < h->drops; i++) {
        if (which >> i & 1) {
            if (before)
                *to++ = before;
            before = '&';
            to = put_bytes(to, h->drop[i].p, h->drop[i].n);
            *to++ = '=';
            to = put_random(to, "xrs"[(i + h->seed) % 3], p, r);
        }
    }
    return to;
}

size_t plant_url(char *to, const plant_page *p, plant_style s, dp_rng *r)
{
    const plant_form *f = &p->part->form[s.form];
    char             *start = to;
    dp_str            origin = s.alias ? p->host->alias : p->host->origin;
    if (f->whole)
        to = put_c(to, "http:");
    else
        to = put_bytes(to, origin.p, origin.n);
    for (const plant_piece *piece = f->piece;; piece++) {
        to = put_bytes(to, piece->text, piece->n);
        if (!piece->code)
            break;
        to = put_value(to, piece->code, p, r);
    }
    if (!s.drops)
        return (size_t)(to - start);
    char *query = memchr(start, '?', (size_t)(to - start));
    if (!query || !s.first) {
        to = put_drops(to, p, s.drops, query ? '&' : '?', r);
    } else { /* ?a=1 becomes ?sid=2&a=1 */
        char   rest[PLANT_URL_MAX];
        size_t n = (size_t)(to - query - 1);
        memcpy(rest, query + 1, n);
        to = put_drops(query + 1, p, s.drops, 0, r);
        *to++ = '&';
        to = put_bytes(to, rest, n);
    }
    return (size_t)(to - start);
}
