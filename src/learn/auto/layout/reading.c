/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/layout/reading.h"

#include "url/chars.h"

dp_str dp_tail_of(dp_str text)
{
    size_t i = text.n;
    bool   letter = false;
    while (i && dp_is(text.p[i - 1], DP_CH_ALNUM)) {
        i--;
        letter |= dp_is(text.p[i], DP_CH_ALPHA);
    }
    bool is_tail = i > 1 && text.p[i - 1] == '.' && letter && text.n - i <= DP_MOST_TAIL;
    return dp_str_cut(text, is_tail ? i - 1 : text.n, text.n);
}

/* A delimiter that may be cut at: not part of an escape. */
static bool is_delimiter(dp_str s, size_t i)
{
    return !dp_is(s.p[i], DP_CH_ALNUM) && s.p[i] != '%' && s.p[i] != '*';
}

/* Where the run of bytes of a class that ends before `end` begins. */
static size_t run_before(dp_str s, size_t end, int bits)
{
    while (end && dp_is(s.p[end - 1], bits))
        end--;
    return end;
}

static size_t run_behind(dp_str s, size_t at, int bits)
{
    while (at < s.n && dp_is(s.p[at], bits))
        at++;
    return at;
}

/* A hash: digits and letters, and enough of them. */
bool dp_is_hash(dp_str s)
{
    return s.n >= DP_LEAST_HEX && dp_all(s, DP_CH_HEX) && !dp_all(s, DP_CH_DIGIT) && !dp_all(s, DP_CH_ALPHA);
}

/* ISO 639-1. */
static const char languages[] =
    "aaabaeafakamanarasavayazbabebgbhbibmbnbobrbscachcocrcscucvcydadedvdzeeeleneoeseteufafffifjfofrfygagdglgngugvhahehi"
    "hohrhthuhyhziaidieigiiikioisitiujajvkakgkikjkkklkmknkokrkskukvkwkylalblglilnloltlulvmgmhmimkmlmnmrmsmtmynanbndnenl"
    "nnnonrnvnyocojomorospapiplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrssstsusvswtatetgthtitktltntotrtstttwtyugukuruz"
    "vevivowawoxhyiyozazhzu";

bool dp_is_language(dp_str s)
{
    if (s.n != 2 && !(s.n == 5 && (s.p[2] == '-' || s.p[2] == '_') && dp_all(dp_str_cut(s, 3, 5), DP_CH_ALPHA)))
        return false;
    for (size_t i = 0; i + 1 < sizeof languages - 1; i += 2)
        if (languages[i] == dp_lower(s.p[0]) && languages[i + 1] == dp_lower(s.p[1]))
            return true;
    return false;
}

bool dp_is_id(dp_str text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (!dp_is(text.p[i], DP_CH_HEX) && text.p[i] != '-')
            return false;
        digits += dp_is(text.p[i], DP_CH_DIGIT);
    }
    return digits >= DP_LEAST_ID;
}

/* The next number or hash of `s` from `*at` on; n == 0: there is none. */
static dp_str next_id(dp_str s, size_t *at)
{
    while (*at < s.n) {
        size_t from = *at, end = run_behind(s, from, DP_CH_ALNUM);
        if (end == from) {
            ++*at;
            continue;
        }
        if (dp_is_hash(dp_str_cut(s, from, end))) {
            *at = end;
            return dp_str_cut(s, from, end);
        }
        size_t digits = run_behind(s, from, DP_CH_DIGIT);
        *at = digits > from ? digits : run_behind(s, from, DP_CH_ALPHA);
        if (digits - from >= DP_LEAST_SHARED)
            return dp_str_cut(s, from, digits);
    }
    return (dp_str){NULL, 0};
}

bool dp_share_id(dp_str a, dp_str b)
{
    size_t i = 0, j;
    for (dp_str x = next_id(a, &i); x.n; x = next_id(a, &i)) {
        j = 0;
        for (dp_str y = next_id(b, &j); y.n; y = next_id(b, &j))
            if (dp_str_eq(x, y))
                return true;
    }
    return false;
}

/* Where the zeros end that lead a number which begins at `at`; `at` where there are none. */
static size_t skip_zeros(dp_str s, size_t at)
{
    while (at + 1 < s.n && s.p[at] == '0' && dp_is(s.p[at + 1], DP_CH_DIGIT))
        at++;
    return at;
}

bool dp_same_but_zeros(dp_str a, dp_str b)
{
    size_t i = 0, j = 0;
    bool   inside = false; /* a number, behind its first digit */
    while (i < a.n && j < b.n) {
        i = inside ? i : skip_zeros(a, i);
        j = inside ? j : skip_zeros(b, j);
        if (a.p[i] != b.p[j])
            return false;
        inside = dp_is(a.p[i], DP_CH_DIGIT);
        i++;
        j++;
    }
    return i == a.n && j == b.n;
}

static bool splits_escape(dp_str s, size_t at)
{
    return (at >= 1 && at < s.n && s.p[at - 1] == '%') || (at >= 2 && at < s.n && s.p[at - 2] == '%');
}

typedef struct readings {
    dp_reading *v;
    size_t      n;
    dp_str      core, tail;
} readings;

/* Words [0, mark), mark [mark, id), id [id, end of core). */
static void add_behind(readings *r, size_t mark, size_t id, bool is_hex)
{
    if (mark && r->n < DP_MOST_READINGS && !splits_escape(r->core, id))
        r->v[r->n++] = (dp_reading){.words = dp_str_cut(r->core, 0, mark), .mark = dp_str_cut(r->core, mark, id),
                                    .id = dp_str_cut(r->core, id, r->core.n), .lead = dp_str_cut(r->core, 0, 0),
                                    .tail = r->tail, .is_hex = is_hex};
}

/* Ids at the end: behind a delimiter, behind letters that follow one, behind letters between two. */
static void read_behind(readings *r)
{
    dp_str s = r->core;
    size_t id = run_before(s, s.n, DP_CH_DIGIT), word = run_before(s, s.n, DP_CH_ALNUM);
    if (word && is_delimiter(s, word - 1) && dp_is_hash(dp_str_cut(s, word, s.n)))
        add_behind(r, word - 1, word, true);
    if (id == s.n || !id)
        return;
    if (is_delimiter(s, id - 1)) {
        add_behind(r, id - 1, id, false);
        size_t kind = run_before(s, id - 1, DP_CH_ALPHA);
        if (kind && id - 1 > kind && id - 1 - kind <= DP_MOST_MARK && is_delimiter(s, kind - 1))
            add_behind(r, kind - 1, id, false);
        return;
    }
    size_t kind = run_before(s, id, DP_CH_ALPHA);
    if (kind && id - kind <= DP_MOST_MARK && is_delimiter(s, kind - 1))
        add_behind(r, kind - 1, id, false);
}

static void add_front(readings *r, size_t id, size_t mark, bool is_hex)
{
    if (mark + 1 < r->core.n && r->n < DP_MOST_READINGS)
        r->v[r->n++] = (dp_reading){.lead = dp_str_cut(r->core, 0, id), .id = dp_str_cut(r->core, id, mark),
                                    .mark = dp_str_cut(r->core, mark, mark + 1),
                                    .words = dp_str_cut(r->core, mark + 1, r->core.n), .tail = r->tail,
                                    .id_first = true, .is_hex = is_hex};
}

/* Ids at the start, maybe behind some letters. */
static void read_front(readings *r)
{
    dp_str s = r->core;
    size_t word = run_behind(s, 0, DP_CH_ALNUM), id = run_behind(s, 0, DP_CH_ALPHA);
    if (word == s.n || !is_delimiter(s, word))
        return;
    if (dp_is_hash(dp_str_cut(s, 0, word)))
        add_front(r, 0, word, true);
    if (id <= DP_MOST_MARK && id < word && run_behind(s, id, DP_CH_DIGIT) == word)
        add_front(r, id, word, false);
}

bool dp_share_mark(dp_str a, dp_str b)
{
    int    kind = a.n && dp_is(a.p[a.n - 1], DP_CH_DIGIT) ? DP_CH_DIGIT : DP_CH_ALPHA;
    size_t x = run_before(a, a.n, kind), y = run_before(b, b.n, kind);
    bool   mark = x && x < a.n && is_delimiter(a, x - 1) && (kind == DP_CH_DIGIT || a.n - x <= DP_MOST_MARK);
    return mark && y && is_delimiter(b, y - 1) && dp_str_eq(dp_str_cut(a, x, a.n), dp_str_cut(b, y, b.n));
}

bool dp_reading_of_list(dp_reading *out, dp_str text)
{
    dp_str   tail = dp_tail_of(text), s = dp_str_cut(text, 0, text.n - tail.n);
    size_t   at = s.n;
    readings r = {.v = out, .core = s, .tail = tail};
    while (at && (dp_is(s.p[at - 1], DP_CH_DIGIT) || s.p[at - 1] == '_'))
        at--;
    bool   list = at < s.n && memchr(s.p + at, '_', s.n - at) && s.p[at] != '_' && !memchr(text.p, '*', text.n);
    size_t kind = list && at && is_delimiter(s, at - 1) ? run_before(s, at - 1, DP_CH_ALPHA) : 0;
    if (kind && at - 1 > kind && at - 1 - kind <= DP_MOST_MARK && is_delimiter(s, kind - 1))
        add_behind(&r, kind - 1, at, false);
    if (r.n)
        out->is_list = true;
    return r.n > 0;
}

size_t dp_readings_of(dp_reading out[DP_MOST_READINGS], dp_str text)
{
    readings r = {.v = out, .tail = dp_tail_of(text)};
    r.core = dp_str_cut(text, 0, text.n - r.tail.n);
    if (memchr(text.p, '*', text.n))
        return 0;
    read_front(&r);
    read_behind(&r);
    return r.n;
}
