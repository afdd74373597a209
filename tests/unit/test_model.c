/* learn/seq2seq/model: what is saved is loaded; damaged and forged files are refused.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "learn/seq2seq/translate.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

static const dp_train_options options = {.hidden = 4, .embed = 3, .batch = 4, .epochs = 1, .patience = 1, .clip = 5};

static void add_site(dp_seq_model *m, const char *name, bool finished)
{
    static const dp_str words[] = {{"?", 1}, {"a.com", 5}, {"http:", 5}, {"x", 1}};
    dp_seq_site        *s;
    assert_int_equal(DP_OK, dp_seq_model_add(m, dp_str_c(name), &s));
    assert_int_equal(DP_OK, dp_vocab_set(&s->vocab, "?", words, DP_COUNT(words)));
    s->domain = DP_NEWS(&s->arena, 1, dp_str);
    s->domain[0] = s->name;
    s->ndomain = 1;
    s->sure = 0.5;
    s->made_of = 77;
    s->finished = finished;
    static const uint32_t  id[] = {19, 18, 20, 19, 18, 1, 20}; /* http: a.com x, and the same with an argument */
    static dp_majority_row rows[] = {{id, id, 3, 3, 1}, {id + 3, id, 4, 3, 0.75f}};
    s->majority = (dp_majority){rows, DP_COUNT(rows)};
    assert_int_equal(DP_OK, dp_training_init(&s->training, dp_vocab_size(&s->vocab), &options, 5));
    s->training.rate = 0.25;
    s->training.epoch = 9;
}

static dp_buf saved(void)
{
    dp_seq_model m = {0};
    dp_buf       text = {0};
    const char  *path = dp_temp_path("model");
    add_site(&m, "b.org", false);
    add_site(&m, "a.com", true);
    assert_int_equal(DP_OK, dp_seq_model_save(&m, path, NULL));
    assert_true(dp_temp_read(&text, path));
    dp_seq_model_done(&m);
    return text;
}

/* Load from `path`, which is written anew. */
static dp_err load(dp_seq_model *m, const char *path, dp_str text, dp_error *err)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(text.n, fwrite(text.p, 1, text.n, f));
    assert_int_equal(0, fclose(f));
    return dp_seq_model_load(m, path, err);
}

static void what_is_saved_is_loaded(void **state)
{
    (void)state;
    dp_buf       text = saved(), again = {0};
    const char  *path = dp_temp_path("other");
    dp_seq_model m = {0};
    assert_int_equal(DP_OK, load(&m, path, dp_buf_view(&text), NULL));
    assert_int_equal(2, m.n);
    assert_true(dp_str_eq(DP_STR("a.com"), m.v[0]->name));
    assert_true(m.v[0]->finished && !m.v[1]->finished);
    assert_int_equal(9, m.v[1]->training.epoch);
    assert_int_equal(2, m.v[1]->majority.n);
    assert_int_equal(3, m.v[1]->majority.v[1].ntarget);
    const char *again_path = dp_temp_path("again");
    assert_int_equal(DP_OK, dp_seq_model_save(&m, again_path, NULL));
    assert_true(dp_temp_read(&again, again_path));
    assert_true(dp_str_eq(dp_buf_view(&text), dp_buf_view(&again)));
    dp_seq_model_done(&m);
    dp_buf_done(&text);
    dp_buf_done(&again);
}

static void damage_is_seen(void **state)
{
    (void)state;
    dp_buf       text = saved();
    const char  *path = dp_temp_path("other");
    dp_seq_model m = {0};
    dp_error     err;
    for (size_t n = 0; n < text.n; n += 1 + n / 9)
        assert_int_equal(DP_ESYNTAX, load(&m, path, (dp_str){text.p, n}, &err));
    for (size_t i = 0; i < text.n; i += 1 + i / 9) {
        text.p[i] ^= 4;
        assert_int_equal(DP_ESYNTAX, load(&m, path, dp_buf_view(&text), &err));
        assert_int_equal(0, m.n);
        text.p[i] ^= 4;
    }
    text.p[14] = '1';
    assert_int_equal(DP_ESYNTAX, load(&m, path, dp_buf_view(&text), &err));
    assert_string_equal("a model file of another version; train it again", err.message);
    dp_buf_done(&text);
}

/* Bytes changed under a right checksum: refused, or a model that can be used without harm. */
static void forgeries_do_no_harm(void **state)
{
    (void)state;
    dp_buf      text = saved();
    const char *path = dp_temp_path("other");
    dp_rng      r = dp_rng_seed(1);
    for (int round = 0; round < 1000; round++) {
        char *copy = malloc(text.n);
        memcpy(copy, text.p, text.n);
        for (uint64_t k = 1 + dp_rng_below(&r, 3); k > 0; k--)
            copy[16 + dp_rng_below(&r, k == 1 ? 150 : text.n - 24)] = (char)dp_rng_next(&r);
        uint64_t sum = dp_hash_bytes(copy, text.n - 8);
        memcpy(copy + text.n - 8, &sum, 8);
        dp_seq_model m = {0};
        if (load(&m, path, (dp_str){copy, text.n}, NULL) == DP_OK) {
            dp_translator     *t;
            dp_translate_desk *d;
            dp_buf             out = {0};
            dp_str             url = DP_STR("http://a.com/x/17/x?x");
            size_t             end;
            assert_int_equal(DP_OK, dp_translator_new(&t, &m, true));
            assert_int_equal(DP_OK, dp_translate_desk_new(&d));
            assert_int_equal(DP_OK, dp_translate(t, d, &url, 1, &out, &end));
            dp_buf_done(&out);
            dp_translate_desk_free(d);
            dp_translator_free(t);
        }
        dp_seq_model_done(&m);
        free(copy);
    }
    dp_buf_done(&text);
}

static void memory_may_be_out(void **state)
{
    (void)state;
    dp_buf      text = saved();
    const char *path = dp_temp_write("other", dp_buf_view(&text));
    DP_EVERY_ALLOC_FAILURE {
        dp_seq_model m = {0};
        dp_err       code = dp_seq_model_load(&m, path, NULL);
        assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_seq_model_done(&m);
    }
    dp_buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_saved_is_loaded, dp_temp_remove),
        cmocka_unit_test_teardown(damage_is_seen, dp_temp_remove),
        cmocka_unit_test_teardown(forgeries_do_no_harm, dp_temp_remove),
        cmocka_unit_test_teardown(memory_may_be_out, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
