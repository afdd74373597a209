/* Property: dp_readings_of finds what trying all cuts of a text finds; dp_same_but_zeros is equality of texts whose
 * zeros were cut; a rule that dp_layout_forget proposes makes at least two of the page's URLs one.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply/engine.h"
#include "base/rng.h"
#include "learn/auto/forms/rulebook.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/forget.h"

/* ---- texts ------------------------------------------------------------------------------------ */

enum { LONGEST = 24 };

/* Random texts of few bytes, so that everything that can meet does; a % begins an escape. */
static size_t draw(dp_rng *g, char *to)
{
    static const char bytes[] = "aabc01230-_.-%pZ";
    size_t            n = 0, most = dp_rng_below(g, LONGEST - 2);
    while (n < most) {
        to[n++] = bytes[dp_rng_below(g, sizeof bytes - 1)];
        if (to[n - 1] == '%') {
            to[n++] = '2';
            to[n++] = "0B5"[dp_rng_below(g, 3)];
        }
    }
    to[n] = 0;
    return n;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool all_of(const char *s, size_t n, bool (*is)(char))
{
    for (size_t i = 0; i < n; i++)
        if (!is(s[i]))
            return false;
    return n > 0;
}

static bool is_alnum(char c)
{
    return is_digit(c) || is_letter(c);
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A byte between words: neither of them, nor part of an escape. */
static bool is_between(char c)
{
    return !is_alnum(c) && c != '%';
}

/* Letters and digits of an id that is a hash. */
static bool is_hash(const char *s, size_t n)
{
    return n >= DP_LEAST_HEX && all_of(s, n, is_hex) && !all_of(s, n, is_digit) && !all_of(s, n, is_letter);
}

/* ---- readings --------------------------------------------------------------------------------- */

/* Whether mark [a, b) may stand before the number [b, n): a delimiter, one and a few letters, or these between two. */
static bool is_mark_before(const char *s, size_t a, size_t b)
{
    size_t n = b - a;
    if (!is_between(s[a]))
        return false;
    if (n == 1)
        return true;
    bool closed = is_between(s[b - 1]);
    size_t letters = n - 1 - closed;
    return letters >= 1 && letters <= DP_MOST_MARK && all_of(s + a + 1, letters, is_letter);
}

/* Whether the core s[0, n) has the reading: by the definition in reading.h, looked at byte by byte. */
static bool is_reading(const char *s, size_t n, const dp_reading *r)
{
    size_t words = r->words.n, mark = r->mark.n, id = r->id.n, lead = r->lead.n;
    if (lead + words + mark + id != n || !words || !mark || !id)
        return false;
    if (r->id_first)
        return mark == 1 && is_between(s[lead + id]) &&
               (lead ? lead <= DP_MOST_MARK && all_of(s, lead, is_letter) : true) &&
               (r->is_hex ? !lead && is_hash(s, id) : all_of(s + lead, id, is_digit));
    size_t from = words + mark;
    bool   whole = !is_digit(s[from - 1]) && (r->is_hex ? !is_alnum(s[from - 1]) : true) && s[from - 1] != '%' &&
                 (from < 2 || s[from - 2] != '%');
    return !lead && whole && (r->is_hex ? mark == 1 && is_between(s[words]) && is_hash(s + from, id)
                                        : all_of(s + from, id, is_digit) && is_mark_before(s, words, from));
}

/* How many readings there are at all. */
static size_t count_readings(const char *s, size_t n)
{
    size_t found = 0;
    for (int first = 0; first < 2; first++)
        for (int hex = 0; hex < 2; hex++)
            for (size_t a = 0; a <= n; a++)
                for (size_t b = a + 1; b < n; b++) {
                    dp_reading r = {.id_first = first, .is_hex = hex};
                    if (first) {
                        r.lead.n = a, r.id.n = b - a, r.mark.n = 1, r.words.n = n - b - 1;
                        found += (b + 1 < n) && is_reading(s, n, &r);
                    } else {
                        r.words.n = a, r.mark.n = b - a, r.id.n = n - b;
                        found += a > 0 && is_reading(s, n, &r);
                    }
                }
    return found;
}

static void readings_equal_all_cuts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200000; seed++) {
        dp_rng     g = dp_rng_seed(seed);
        char       s[LONGEST + 1];
        size_t     n = draw(&g, s);
        dp_reading r[DP_MOST_READINGS];
        size_t     got = dp_readings_of(r, (dp_str){s, n});
        size_t     core = n - dp_tail_of((dp_str){s, n}).n;
        for (size_t i = 0; i < got; i++)
            if (!is_reading(s, core, &r[i]))
                fail_msg("%s is not words, mark and id: %" PRIu64, s, seed);
        if (got != count_readings(s, core))
            fail_msg("%s has %zu readings, not %zu: %" PRIu64, s, count_readings(s, core), got, seed);
    }
}

/* ---- zeros ------------------------------------------------------------------------------------ */

static void cut_zeros(char *to, const char *s)
{
    for (size_t i = 0; s[i]; i++)
        if (s[i] != '0' || !is_digit(s[i + 1]) || (i && is_digit(s[i - 1]) && to[-1] != '/' && is_digit(to[-1])))
            *to++ = s[i];
    *to = 0;
}

static void zeros_equal_cut_texts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100000; seed++) {
        dp_rng g = dp_rng_seed(seed);
        char   a[LONGEST + 1], b[2 * LONGEST + 1], x[LONGEST + 2] = "/", y[2 * LONGEST + 2] = "/";
        size_t n = draw(&g, a), m = 0;
        for (size_t i = 0; i < n; i++) { /* a with zeros more, or another byte */
            if (is_digit(a[i]) && dp_rng_below(&g, 3) == 0)
                b[m++] = '0';
            b[m++] = dp_rng_below(&g, 40) ? a[i] : '7';
        }
        b[m] = 0;
        cut_zeros(x + 1, a);
        cut_zeros(y + 1, b);
        assert_int_equal(strcmp(x, y) == 0, dp_same_but_zeros((dp_str){a, n}, (dp_str){b, m}));
    }
}

/* ---- rules ------------------------------------------------------------------------------------ */

enum { FORMS = 3, SEGMENTS = 3 };

/* A path of components that are alike in many. */
static void draw_path(dp_rng *g, char *to, size_t cap)
{
    static const char *const some[] = {"item",  "12",    "7",      "007",    "red-oak",     "red-12",     "12-red",
                                       "a_c12", "ref=x", "ref=yz", "a.html", "12-red.html", "b-1a2b3c4d", "x-p-12"};
    size_t n = 0, segments = 1 + dp_rng_below(g, SEGMENTS);
    n += (size_t)snprintf(to + n, cap - n, "http://a.test");
    for (size_t i = 0; i < segments; i++)
        n += (size_t)snprintf(to + n, cap - n, "/%s", some[dp_rng_below(g, DP_COUNT(some))]);
}

/* Whether the rule gives two of the URLs one key. */
static bool joins(dp_str rule, char url[FORMS][160])
{
    char        text[600], key[FORMS][400];
    dp_engine  *e = NULL;
    dp_scratch *s = NULL;
    snprintf(text, sizeof text, "dustpan-rules 1\nhost a.test\n%.*s\n", (int)rule.n, rule.p);
    assert_int_equal(DP_OK, dp_rulebook_engine(&e, dp_str_c(text), false));
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    for (int i = 0; i < FORMS; i++) {
        dp_str k = dp_engine_run(e, s, DP_KEY, dp_str_c(url[i]), NULL, NULL);
        snprintf(key[i], sizeof key[i], "%.*s", (int)k.n, k.p);
    }
    bool together = false;
    for (int i = 0; i < FORMS; i++)
        for (int k = 0; k < i; k++)
            together |= strcmp(url[i], url[k]) != 0 && strcmp(key[i], key[k]) == 0;
    dp_scratch_free(s);
    dp_engine_free(e);
    return together;
}

static void proposals_join_urls(void **state)
{
    (void)state;
    size_t proposed = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        char            url[FORMS][160];
        dp_frame        frame[FORMS] = {{0}};
        const dp_frame *form[FORMS];
        dp_ideas        ideas = {0};
        dp_lexicon      none = {0};
        dp_forgetting  *f = NULL;
        dp_pairing      p = {.lexicon = &none, .out = &ideas, .by = {1, 1}};
        for (int i = 0; i < FORMS; i++) {
            bool again = true;
            while (again) {
                draw_path(&g, url[i], sizeof url[i]);
                again = false;
                for (int k = 0; k < i; k++)
                    again |= strcmp(url[i], url[k]) == 0;
            }
            assert_int_equal(DP_FRAME_OK, dp_frame_read(&frame[i], dp_str_c(url[i])));
            form[i] = &frame[i];
        }
        assert_int_equal(DP_OK, dp_forgetting_new(&f));
        dp_layout_forget(f, &p, form, FORMS);
        for (size_t i = 0; i < ideas.n; i++, proposed++)
            if (!joins(ideas.v[i].text[0], url))
                fail_msg("%.*s: %s %s %s", (int)ideas.v[i].text[0].n, ideas.v[i].text[0].p, url[0], url[1], url[2]);
        dp_forgetting_free(f);
        for (int i = 0; i < FORMS; i++)
            dp_frame_done(&frame[i]);
        dp_buf_done(&p.text);
        dp_buf_done(&p.other);
        dp_ideas_done(&ideas);
    }
    assert_true(proposed > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_equal_all_cuts),
        cmocka_unit_test(zeros_equal_cut_texts),
        cmocka_unit_test(proposals_join_urls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
