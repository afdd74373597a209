/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "content/words.h"
#include "support/failing_alloc.h"

/* Texts that have the same words, and how many. */
static const struct {
    const char *a, *b;
    size_t      n;
} same[] = {
    {"", " ... ! \xE2\x80\x94 ", 0},
    {"The fox, the FOX.", "the fox the fox", 4},
    {"a_b c-d", "a_b / c / d", 3},
    {"x\xC2\xA0y\xE2\x80\x99s \xC2\xAB" "1.5\xC2\xBB", "x y s 1 5", 5},
    {"\xC3\x84rger \xD0\x94\xD0\xB0", "\xC3\x84rger,\xD0\x94\xD0\xB0", 2},
    {"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", "\xE6\x97\xA5 \xE6\x9C\xAC \xE8\xAA\x9E", 3}, /* Chinese: a word each */
    {"abc\xE6\x97\xA5xyz", "abc \xE6\x97\xA5 xyz", 3},
    {"\xEA\xB0\x80\xEB\x82\x98 \xE1\x84\x80", "\xEA\xB0\x80\xEB\x82\x98\n\xE1\x84\x80", 2}, /* Korean has blanks */
    {"\xF0\x9F\x98\x80 ok \xEF\xBF\xBD", "OK", 1},
};

static void texts_of_the_table_have_the_same_words(void **state)
{
    (void)state;
    dp_words a = {0}, b = {0};
    for (size_t i = 0; i < DP_COUNT(same); i++) {
        assert_int_equal(DP_OK, dp_words_read(&a, dp_str_c(same[i].a)));
        assert_int_equal(DP_OK, dp_words_read(&b, dp_str_c(same[i].b)));
        assert_int_equal(same[i].n, a.n);
        assert_int_equal(same[i].n, b.n);
        for (size_t k = 0; k < a.n; k++)
            assert_true(a.v[k] == b.v[k]);
    }
    dp_words_done(&a);
    dp_words_done(&b);
}

static void different_words_have_different_numbers(void **state)
{
    (void)state;
    dp_words w = {0};
    assert_int_equal(DP_OK, dp_words_read(&w, DP_STR("a b ab ba a_b \xC3\xA4 \xC3\x84 1 11")));
    assert_int_equal(9, w.n);
    for (size_t i = 0; i < w.n; i++) {
        for (size_t k = 0; k < i; k++)
            assert_true(w.v[i] != w.v[k]);
    }
    dp_words_done(&w);
}

/* Case does not matter on either side of the length up to which a word is hashed at once. */
static void words_of_any_length_are_hashed_alike(void **state)
{
    (void)state;
    char     lower[200], upper[200];
    dp_words a = {0}, b = {0};
    memset(lower, 'x', sizeof lower);
    memset(upper, 'X', sizeof upper);
    uint64_t before = 0;
    for (size_t n = 1; n <= sizeof lower; n++) {
        assert_int_equal(DP_OK, dp_words_read(&a, (dp_str){lower, n}));
        assert_int_equal(DP_OK, dp_words_read(&b, (dp_str){upper, n}));
        assert_true(a.n == 1 && b.n == 1 && a.v[0] == b.v[0] && a.v[0] != before);
        before = a.v[0];
    }
    dp_words_done(&a);
    dp_words_done(&b);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    char text[6000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 ? ' ' : 'x';
    DP_EVERY_ALLOC_FAILURE
    {
        dp_words w = {0};
        dp_err   code = dp_words_read(&w, (dp_str){text, sizeof text});
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_words_done(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_the_table_have_the_same_words),
        cmocka_unit_test(different_words_have_different_numbers),
        cmocka_unit_test(words_of_any_length_are_hashed_alike),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
