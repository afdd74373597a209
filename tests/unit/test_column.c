/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/rng.h"
#include "dustpan.h"
#include "support/failing_alloc.h"

static const char rules[] = "dustpan-rules 1\nhost a.com\ndrop ?sid\n"
                            "/long => /a/path/that/is/longer/than/what/it/was\n";

typedef struct world {
    dp_rules   *rules;
    dp_engine  *engine;
    dp_scratch *scratch;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    *state = w;
    return !w || dp_rules_new(&w->rules) || dp_rules_parse(w->rules, "rules", rules, sizeof rules - 1, NULL) ||
           dp_engine_new(&w->engine, w->rules, 0, 0, NULL) || dp_scratch_new(&w->scratch);
}

static int tear_down(void **state)
{
    world *w = *state;
    dp_scratch_free(w->scratch);
    dp_engine_free(w->engine);
    dp_rules_free(w->rules);
    free(w);
    return 0;
}

/* A URL of many kinds: some grow, some shrink, some are none. */
static void put_url(dp_buf *out, dp_rng *r)
{
    int64_t n = (int64_t)dp_rng_below(r, 1000);
    switch (dp_rng_below(r, 6)) {
    case 0: dp_buf_c(out, "http://a.com/long"); break;
    case 1: dp_buf_printf(out, "http://a.com/%d?sid=%d", (int)n, (int)n * 7); break;
    case 2: dp_buf_printf(out, "HTTP://B.org:80/x/../%d#f", (int)n); break;
    case 3: dp_buf_c(out, "http://b.org/\xc3\xa4\xff\xc3\xbc\xff\xff\xff"); break;
    case 4: break;
    default: dp_buf_c(out, "no URL\n"); break;
    }
}

/* Both widths, at an offset that is not 0, against one URL after another. */
static void a_column_has_the_keys_of_its_urls(void **state)
{
    world   *w = *state;
    enum { N = 5000 };
    static int32_t narrow[N + 1];
    static int64_t wide[N + 1];
    dp_rng   r = dp_rng_seed(1);
    dp_buf   text = {0};
    dp_buf_c(&text, "before");
    for (size_t i = 0; i < N; i++) {
        narrow[i] = (int32_t)(wide[i] = (int64_t)text.n);
        put_url(&text, &r);
    }
    narrow[N] = (int32_t)(wide[N] = (int64_t)text.n);
    for (dp_form form = DP_KEY; form <= DP_SURT; form++) {
        dp_batch *a, *b;
        size_t    an, bn;
        assert_int_equal(DP_OK, dp_batch_apply(&a, w->engine, w->scratch, form, text.p, text.n, narrow, 4, N));
        assert_int_equal(DP_OK, dp_batch_apply(&b, w->engine, w->scratch, form, text.p, text.n, wide, 8, N));
        const char    *at = dp_batch_text(a, &an), *bt = dp_batch_text(b, &bn);
        const int32_t *ao = dp_batch_offsets(a);
        const int64_t *bo = dp_batch_offsets(b);
        assert_int_equal(an, bn);
        assert_memory_equal(at, bt, an);
        assert_int_equal(0, ao[0]);
        assert_int_equal(an, ao[N]);
        for (size_t i = 0; i < N; i++) {
            size_t      n, size = (size_t)(wide[i + 1] - wide[i]);
            const char *key = dp_apply_view(w->engine, w->scratch, form, text.p + wide[i], size, &n);
            assert_int_equal(ao[i], bo[i]);
            assert_int_equal(n, ao[i + 1] - ao[i]);
            assert_memory_equal(key, at + ao[i], n);
        }
        dp_batch_free(a);
        dp_batch_free(b);
    }
    dp_buf_done(&text);
}

/* Lines, with and without a line feed at the end, against one URL after another. */
static void lines_have_the_keys_of_their_urls(void **state)
{
    world *w = *state;
    dp_rng r = dp_rng_seed(2);
    dp_buf text = {0};
    for (size_t i = 0; i < 5000; i++) {
        put_url(&text, &r);
        if (text.n && text.p[text.n - 1] != '\n')
            dp_buf_byte(&text, '\n');
    }
    for (size_t size = text.n - 1; size <= text.n; size++) {
        dp_batch *b;
        size_t    n, key_n, at = 0;
        assert_int_equal(DP_OK, dp_batch_lines(&b, w->engine, w->scratch, DP_KEY, text.p, size));
        assert_null(dp_batch_offsets(b));
        const char *keys = dp_batch_text(b, &n);
        for (size_t i = 0, j; i <= size; i = j + 1) {
            for (j = i; j < size && text.p[j] != '\n'; j++) {}
            const char *key = dp_apply_view(w->engine, w->scratch, DP_KEY, text.p + i, j - i, &key_n);
            assert_true(at + key_n < n);
            assert_memory_equal(key, keys + at, key_n);
            assert_int_equal('\n', keys[at + key_n]);
            at += key_n + 1;
        }
        assert_int_equal(n, at);
        dp_batch_free(b);
    }
    dp_buf_done(&text);
}

static void nothing_is_one_line(void **state)
{
    world    *w = *state;
    dp_batch *b;
    size_t    n;
    assert_int_equal(DP_OK, dp_batch_lines(&b, w->engine, w->scratch, DP_KEY, NULL, 0));
    assert_int_equal('\n', *dp_batch_text(b, &n));
    assert_int_equal(1, n);
    dp_batch_free(b);
}

static void nothing_is_a_column_too(void **state)
{
    world   *w = *state;
    dp_batch *b;
    size_t    n;
    int32_t   none = 0;
    assert_int_equal(DP_OK, dp_batch_apply(&b, w->engine, w->scratch, DP_KEY, NULL, 0, &none, 4, 0));
    dp_batch_text(b, &n);
    assert_int_equal(0, n);
    assert_int_equal(0, *(const int32_t *)dp_batch_offsets(b));
    dp_batch_free(b);
}

static void empty_urls_need_no_text(void **state)
{
    world        *w = *state;
    const int32_t offsets[4] = {0};
    dp_batch     *b;
    size_t        n;
    assert_int_equal(DP_OK, dp_batch_apply(&b, w->engine, w->scratch, DP_KEY, NULL, 0, offsets, 4, 3));
    dp_batch_text(b, &n);
    assert_int_equal(0, n);
    dp_batch_free(b);
}

static void offsets_outside_the_text_are_refused(void **state)
{
    world        *w = *state;
    dp_batch     *b;
    const int32_t wrong[][3] = {{0, 9, 4}, {-1, 0, 4}, {0, -1, 4}, {0, 2, 5}, {3, 2, 4}, {0, 3, INT32_MAX}};
    const int64_t far[] = {0, INT64_MAX, 4};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(DP_EINVALID, dp_batch_apply(&b, w->engine, w->scratch, DP_KEY, "abcd", 4, wrong[i], 4, 2));
    assert_int_equal(DP_EINVALID, dp_batch_apply(&b, w->engine, w->scratch, DP_KEY, "abcd", 4, far, 8, 2));
    assert_int_equal(DP_EINVALID, dp_batch_apply(&b, w->engine, w->scratch, DP_KEY, "abcd", 4, far, 2, 2));
}

static void survives_every_allocation_failure(void **state)
{
    static const char url[] = "http://a.com/long";
    const int64_t     offsets[] = {0, sizeof url - 1};
    (void)state;
    DP_EVERY_ALLOC_FAILURE {
        world     w = {0};
        dp_batch *b = NULL;
        dp_err    code = dp_rules_new(&w.rules);
        if (code == DP_OK)
            code = dp_rules_parse(w.rules, "rules", rules, sizeof rules - 1, NULL);
        if (code == DP_OK)
            code = dp_engine_new(&w.engine, w.rules, 0, 0, NULL);
        if (code == DP_OK)
            code = dp_scratch_new(&w.scratch);
        if (code == DP_OK)
            code = dp_batch_apply(&b, w.engine, w.scratch, DP_KEY, url, sizeof url - 1, offsets, 8, 1);
        if (code != DP_OK) /* a URL that could not be read ahead is read again, so success is possible, too */
            assert_true(code == DP_ENOMEM && dp_alloc_failed());
        dp_batch_free(b);
        b = NULL;
        if (code == DP_OK)
            code = dp_batch_lines(&b, w.engine, w.scratch, DP_KEY, url, sizeof url - 1);
        if (code != DP_OK)
            assert_true(code == DP_ENOMEM && dp_alloc_failed());
        dp_batch_free(b);
        dp_scratch_free(w.scratch);
        dp_engine_free(w.engine);
        dp_rules_free(w.rules);
    }
}

static void an_engine_knows_its_rules(void **state)
{
    world      *w = *state;
    dp_rules   *again;
    dp_engine  *e;
    size_t      n;
    const char *text = dp_engine_rules(w->engine, &n);
    assert_int_equal(DP_OK, dp_rules_new(&again));
    assert_int_equal(DP_OK, dp_rules_parse(again, "again", text, n, NULL));
    assert_int_equal(DP_OK, dp_engine_new(&e, again, 0, 0, NULL));
    assert_true(dp_engine_set_id(e) == dp_engine_set_id(w->engine));
    dp_engine_free(e);
    dp_rules_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_column_has_the_keys_of_its_urls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_have_the_keys_of_their_urls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_one_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_a_column_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_urls_need_no_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(offsets_outside_the_text_are_refused, set_up, tear_down),
        cmocka_unit_test(survives_every_allocation_failure),
        cmocka_unit_test_setup_teardown(an_engine_knows_its_rules, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
