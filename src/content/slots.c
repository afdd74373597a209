/* SPDX-License-Identifier: Apache-2.0 */
#include "content/slots.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "content/patterns.h"

/* ---- hashes of words ------------------------------------------------------------------------------------
 *
 * The words w1 w2 w3 have the hash (w1 B + w2) B + w3 modulo 2^61 - 1, so that the hash of two pieces of text side by
 * side can be made of theirs. */

#define PRIME ((UINT64_C(1) << 61) - 1)
#define B     UINT64_C(0x1C3A5F7D2B4E6918)

static uint64_t reduce(uint64_t x)
{
    x = (x & PRIME) + (x >> 61);
    return x >= PRIME ? x - PRIME : x;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    unsigned __int128 m = (unsigned __int128)a * b;
    return reduce((uint64_t)(m & PRIME) + (uint64_t)(m >> 61));
}

static uint64_t power(uint64_t base, unsigned n)
{
    uint64_t p = 1;
    for (; n; n >>= 1, base = times(base, base))
        p = n & 1 ? times(p, base) : p;
    return p;
}

uint64_t dp_slot_fold(uint64_t before, const dp_slot *s)
{
    return reduce(times(before, power(B, s->words)) + s->hash);
}

/* ---- words ------------------------------------------------------------------------------------------------ */

typedef struct reading {
    const dp_slots_source *in;
    dp_slots              *out;
    dp_str                 text;
    size_t                 mark;         /* the next one */
    dp_place               place;        /* of the node */
    bool                   opens;        /* the next slot is the first of it */
    bool                   failed;
    uint64_t               before;       /* hash of the word before, 0 at the beginning of a node */
} reading;

/* Where a word of a text that is not HTML ends although no blank follows: at tags, and behind punctuation of JSON. */
static bool parts_markup(dp_str s, size_t at)
{
    char before = s.p[at - 1], now = s.p[at];
    return now == '<' || before == '>' || before == ',' || before == '{' || before == '[' || now == '}' || now == ']' ||
           (before == ':' && at > 1 && s.p[at - 2] == '"');
}

static size_t word_end(const dp_slots_source *in, size_t at)
{
    size_t end = at + 1;
    while (end < in->text.n && in->text.p[end] != ' ' && (in->is_html || !parts_markup(in->text, end)))
        end++;
    return end;
}

static size_t skip_blank(dp_str s, size_t at)
{
    return at < s.n && s.p[at] == ' ' ? at + 1 : at;
}

/* A word with one whole number of at most 12 digits in it, "(17)," or "17%", has a hash that tells the number, and 20
 * bits for the rest; `*has_value` says so. */
static uint64_t hash_word(dp_str w, bool *has_value)
{
    enum { MOST_DIGITS = 12 };
    uint64_t value = 0;
    size_t   at = 0, end;
    while (at < w.n && !dp_is(w.p[at], DP_CH_DIGIT))
        at++;
    for (end = at; end < w.n && dp_is(w.p[end], DP_CH_DIGIT); end++)
        value = end - at < MOST_DIGITS ? value * 10 + (uint64_t)(w.p[end] - '0') : value;
    *has_value = end > at && end - at <= MOST_DIGITS && (w.p[at] != '0' || end - at == 1);
    for (size_t i = end; i < w.n && *has_value; i++)
        *has_value = !dp_is(w.p[i], DP_CH_DIGIT);
    if (!*has_value)
        return reduce(dp_hash_str(w) >> 3) + 1;
    uint64_t rest = dp_hash_fold(dp_hash_str(dp_str_cut(w, 0, at)), dp_hash_str(dp_str_cut(w, end, w.n)));
    return value << DP_SLOT_SHIFT | dp_hash_mix(rest) >> (64 - DP_SLOT_SHIFT);
}

/* ---- what a word is like -------------------------------------------------------------------------------- */

static bool has_digit(dp_str w)
{
    for (size_t i = 0; i < w.n; i++) {
        if (dp_is(w.p[i], DP_CH_DIGIT))
            return true;
    }
    return false;
}

/* A long word with a session in it: an id anywhere. */
static bool has_id(dp_str w)
{
    enum { SHORTEST = 16 };
    for (size_t i = 0; i + SHORTEST <= w.n; i++) {
        if (dp_is(w.p[i], DP_CH_ALNUM) && (!i || !dp_is_word_byte(w.p[i - 1])) &&
            (dp_match_uuid(w, i) > i || dp_match_id(w, i) > i))
            return true;
    }
    return false;
}

/* Up to the end of the word in which `end` lies: punctuation goes with what it follows. */
static size_t to_word_end(const dp_slots_source *in, size_t begin, size_t end)
{
    size_t at = begin;
    while (at < end) {
        at = word_end(in, at);
        if (at < end)
            at = skip_blank(in->text, at);
    }
    return at;
}

/* Words without a letter or digit, so many in a row that they are a drawing: a captcha. Where it ends; `at`: none. */
static size_t match_drawing(const dp_slots_source *in, size_t at, size_t limit)
{
    enum { LEAST = 8 };
    size_t   end = at;
    unsigned n = 0;
    for (size_t next = at; next < limit; n++) {
        size_t word = word_end(in, next);
        for (size_t i = next; i < word; i++) {
            if (dp_is_word_byte(in->text.p[i]) && in->text.p[i] != '_')
                return n >= LEAST ? end : at;
        }
        end = word;
        next = skip_blank(in->text, word);
    }
    return n >= LEAST ? end : at;
}

/* What begins with the word at `at`, and where it ends, not behind `limit`; plain text ends with the word. */
static dp_slot_kind classify(const dp_slots_source *in, size_t at, size_t limit, size_t *end, size_t *clock)
{
    dp_str s = dp_str_cut(in->text, 0, limit);
    size_t core = at, got;
    *end = word_end(in, at);
    while (core < *end && !dp_is_word_byte(s.p[core]))
        core++;
    if (core == *end || s.p[core] == '_') {
        got = match_drawing(in, at, limit);
        *end = got > at ? got : *end;
        return got > at ? DP_SLOT_ID : DP_SLOT_TEXT;
    }
    if (!dp_is(s.p[core], DP_CH_ALNUM))
        return DP_SLOT_TEXT;
    dp_str w = dp_str_cut(s, at, *end);
    bool   digit = has_digit(w);
    if ((got = dp_match_age(s, core)) > core) {
        *end = to_word_end(in, at, got);
        return DP_SLOT_AGE;
    }
    if ((digit || dp_is(s.p[core], DP_CH_UPPER)) && (got = dp_match_when(s, core, clock)) > core) {
        *end = to_word_end(in, at, got);
        return *clock < got ? DP_SLOT_CLOCK : DP_SLOT_DATE;
    }
    if (has_id(w))
        return DP_SLOT_ID;
    return digit ? DP_SLOT_NUMBER : DP_SLOT_TEXT;
}

/* The number with its digits made alike: "12%" and "7%" are of one shape. */
static uint64_t hash_shape(dp_str w)
{
    uint64_t h = 0;
    for (size_t i = 0; i < w.n; i++) {
        bool digit = dp_is(w.p[i], DP_CH_DIGIT);
        if (digit && i && (dp_is(w.p[i - 1], DP_CH_DIGIT) || w.p[i - 1] == '.'))
            continue;
        if (w.p[i] != '.' && w.p[i] != ',')
            h = dp_hash_fold(h, dp_hash_mix(digit ? 1u : 2u + (unsigned char)w.p[i]));
    }
    return h;
}

/* ---- slots ---------------------------------------------------------------------------------------------- */

static dp_slot *add_slot(reading *r, dp_slot_kind kind, uint64_t place)
{
    dp_slots *out = r->out;
    if (r->failed || !DP_ROOM(out->v, out->n, out->cap)) {
        r->failed = true;
        return NULL;
    }
    dp_slot *s = &out->v[out->n++];
    *s = (dp_slot){.kind = (uint8_t)kind, .place = (uint32_t)(dp_hash_mix(place) >> 32)};
    s->flags = r->opens ? DP_SLOT_OPENS : 0;
    r->opens = false;
    return s;
}

/* The slot that plain text goes into. */
static dp_slot *text_slot(reading *r)
{
    dp_slot *last = r->out->n ? &r->out->v[r->out->n - 1] : NULL;
    bool     fits = last && !r->opens && last->kind == DP_SLOT_TEXT && last->words < UINT16_MAX;
    return fits ? last : add_slot(r, DP_SLOT_TEXT, r->place.path);
}

static void add_words(const reading *r, dp_slot *s, size_t at, size_t end)
{
    while (at < end) {
        size_t next = word_end(r->in, at);
        bool   has_value;
        s->hash = reduce(times(s->hash, B) + hash_word(dp_str_cut(r->text, at, next), &has_value));
        s->flags |= has_value && s->kind == DP_SLOT_NUMBER ? DP_SLOT_VALUE : 0;
        s->words++;
        at = skip_blank(r->text, next);
    }
}

static bool is_in_url(const reading *r, dp_str w)
{
    while (w.n && !dp_is(w.p[0], DP_CH_ALNUM))
        w = dp_str_cut(w, 1, w.n);
    while (w.n && !dp_is(w.p[w.n - 1], DP_CH_ALNUM))
        w.n--;
    dp_str url = r->in->url;
    for (const char *at = url.p; w.n && url.n && (at = memmem(at, (size_t)(url.p + url.n - at), w.p, w.n)); at++) {
        const char *end = at + w.n;
        if ((at == url.p || !dp_is(at[-1], DP_CH_ALNUM)) && (end == url.p + url.n || !dp_is(*end, DP_CH_ALNUM)))
            return true;
    }
    return false;
}

/* Compare a clock with the time of the fetch: zones differ by quarters of an hour. */
static uint8_t compare_clock(const reading *r, size_t clock)
{
    enum { QUARTER = 900, SLACK = 3 /* seconds that an answer may take */ };
    unsigned part[3] = {0};
    size_t   i = 0, at = clock;
    for (; i < 3 && at < r->text.n && dp_is(r->text.p[at], DP_CH_DIGIT); i++) {
        for (; at < r->text.n && dp_is(r->text.p[at], DP_CH_DIGIT); at++)
            part[i] = part[i] * 10 + (unsigned)(r->text.p[at] - '0');
        at += at < r->text.n && r->text.p[at] == ':';
    }
    if (i < 3 || !r->in->time)
        return 0;
    int64_t seen = (int64_t)part[1] * 60 + part[2], off = ((r->in->time - seen) % QUARTER + QUARTER) % QUARTER;
    return DP_SLOT_TIMED | (off <= SLACK || off >= QUARTER - SLACK ? DP_SLOT_NOW : 0);
}

/* The hash of the word at `at`, unless it is no plain text. */
static uint64_t context(const reading *r, size_t at, size_t end)
{
    return at < end && !has_digit(dp_str_cut(r->text, at, end)) ? dp_hash_str(dp_str_cut(r->text, at, end)) : 0;
}

static void add_special(reading *r, dp_slot_kind kind, size_t at, size_t end, size_t clock, size_t node_end)
{
    dp_str   w = dp_str_cut(r->text, at, end);
    uint64_t place = dp_hash_fold(r->place.tail, dp_hash_mix((uint64_t)kind));
    if (kind == DP_SLOT_NUMBER) {
        size_t next = skip_blank(r->text, end);
        place = dp_hash_fold(place, hash_shape(w));
        place = dp_hash_fold(place, r->before);
        place = dp_hash_fold(place, next < node_end ? context(r, next, word_end(r->in, next)) : 0);
    }
    if (r->opens)
        text_slot(r);
    dp_slot *s = add_slot(r, kind, place);
    if (!s)
        return;
    add_words(r, s, at, end);
    if (kind == DP_SLOT_CLOCK)
        s->flags |= compare_clock(r, clock);
    else if (is_in_url(r, w))
        s->flags |= DP_SLOT_IN_URL;
}

/* ---- nodes ------------------------------------------------------------------------------------------------ */

/* Begin the node that the words from `at` on are in; says where it ends. */
static size_t begin_node(reading *r, size_t at)
{
    const dp_slots_source *in = r->in;
    size_t                 n = in->nmark;
    while (r->mark < n && in->marks[r->mark].at <= at) {
        r->place = in->marks[r->mark++].place;
        r->opens = true;
        r->before = 0;
    }
    return r->mark < n ? in->marks[r->mark].at : r->text.n;
}

/* The name of a tag or of a field of JSON that the word opens. */
static void begin_field(reading *r, dp_str w)
{
    bool tag = w.n > 1 && w.p[0] == '<' && w.p[1] != '/', key = w.n > 2 && w.p[w.n - 1] == ':' && w.p[w.n - 2] == '"';
    if (!tag && !key)
        return;
    size_t end = 1;
    while (end < w.n && (dp_is_word_byte(w.p[end]) || w.p[end] == ':' || w.p[end] == '-'))
        end++;
    uint64_t name = dp_hash_str(dp_str_cut(w, 0, end));
    r->place = (dp_place){name, name};
    r->opens = true;
    r->before = 0;
}

static void read_word(reading *r, size_t *at, size_t node_end)
{
    size_t       end = word_end(r->in, *at), clock, limit = node_end;
    while (limit < r->text.n && (limit < end || (r->text.p[limit] != ' ' && r->text.p[limit - 1] != ' ')))
        limit++; /* a word belongs to the node in which it begins */
    dp_slot_kind kind = classify(r->in, *at, limit, &end, &clock);
    if (!r->in->is_html)
        begin_field(r, dp_str_cut(r->text, *at, word_end(r->in, *at)));
    if (r->out->n >= DP_SLOTS_MAX)
        kind = DP_SLOT_TEXT, r->opens = false;
    if (kind == DP_SLOT_TEXT) {
        dp_slot *s = text_slot(r);
        if (s)
            add_words(r, s, *at, end);
    } else {
        add_special(r, kind, *at, end, clock, node_end);
    }
    r->before = kind == DP_SLOT_TEXT ? dp_hash_str(dp_str_cut(r->text, *at, end)) : 1;
    *at = skip_blank(r->text, end);
}

dp_err dp_slots_read(dp_slots *s, const dp_slots_source *in)
{
    reading r = {.in = in, .out = s, .text = in->text, .opens = true};
    s->n = 0;
    for (size_t at = skip_blank(in->text, 0); at < in->text.n && !r.failed;) {
        size_t node_end = begin_node(&r, at);
        read_word(&r, &at, node_end);
    }
    return r.failed ? DP_ENOMEM : DP_OK;
}

void dp_slots_done(dp_slots *s)
{
    free(s->v);
    *s = (dp_slots){0};
}

size_t dp_slot_end(const dp_slots_source *in, size_t at, const dp_slot *s)
{
    for (unsigned i = 0; i < s->words && at < in->text.n; i++)
        at = skip_blank(in->text, word_end(in, at));
    return at;
}
