/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/rng.h"
#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

/* Two sites: one with a session id and a trailing slash, one whose parameter matters. */
static void plant(dp_buf *out, int pages)
{
    for (int i = 0; i < pages; i++) {
        dp_buf_printf(out, "p%d\thttp://shop.example/item/%d\np%d\thttp://shop.example/item/%d?sid=%d\n", i, i, i, i,
                      i * 7919 % 1000);
        if (i % 3 == 0)
            dp_buf_printf(out, "p%d\thttp://shop.example/item/%d/\n", i, i);
        dp_buf_printf(out, "q%d\thttp://news.example/story?id=%d\n", i, i);
    }
}

/* Lines in an order that depends on the seed. */
static void shuffle(dp_buf *b, uint64_t seed)
{
    dp_rng   r = dp_rng_seed(seed);
    dp_str  *line = malloc((b->n + 1) * sizeof *line);
    char    *copy = malloc(b->n + 1);
    size_t   n = 0, at = 0;
    assert_true(line && copy);
    memcpy(copy, b->p, b->n);
    for (size_t i = 0, j; i < b->n; i = j) {
        for (j = i; copy[j] != '\n'; j++) {}
        line[n++] = (dp_str){copy + i, ++j - i};
    }
    for (size_t i = n; i > 1; i--) {
        size_t k = dp_rng_below(&r, i);
        dp_str x = line[i - 1];
        line[i - 1] = line[k];
        line[k] = x;
    }
    for (size_t i = 0; i < n; at += line[i++].n)
        memcpy(b->p + at, line[i].p, line[i].n);
    free(line);
    free(copy);
}

static dp_learner *make(const char *const *settings)
{
    dp_learner *l;
    dp_error    err;
    assert_int_equal(DP_OK, dp_learner_new(&l));
    assert_int_equal(DP_OK, dp_learner_input(l, DP_INPUT_FORMAT, "clusters"));
    for (; *settings; settings += 2) {
        if (dp_learner_set(l, settings[0], settings[1], &err))
            fail_msg("%s", err.message);
    }
    return l;
}

static dp_text *learn(dp_learner *l, dp_str input)
{
    const char *path = dp_temp_write("in", input);
    dp_text    *rules;
    dp_error    err = {0};
    if (dp_learner_run(l, &path, 1, &err))
        fail_msg("%s", err.message);
    assert_int_equal(DP_OK, dp_learner_rules(&rules, l));
    dp_temp_remove(NULL);
    return rules;
}

static const char *const methods[] = {"tree", "dust", "auto", "rewrite", "duster"};

static bool has_method(const char *name)
{
    const char *summary, *one;
    for (size_t i = 0; (one = dp_learner_method(i, &summary)); i++) {
        if (strcmp(one, name) == 0)
            return true;
    }
    return false;
}

/* The same bytes on one thread and on four, whatever the order of the lines. */
static void threads_and_order_do_not_matter(void **state)
{
    (void)state;
    for (size_t m = 0; m < DP_COUNT(methods); m++) {
        dp_text *first = NULL;
        if (!has_method(methods[m]))
            continue;
        for (uint64_t seed = 1; seed <= 4; seed++) {
            dp_buf            in = {0};
            const char *const set[] = {"method", methods[m], "threads", seed % 2 ? "1" : "4", NULL};
            plant(&in, 60);
            shuffle(&in, seed);
            dp_learner *l = make(set);
            dp_text    *rules = learn(l, dp_buf_view(&in));
            if (first)
                assert_string_equal(dp_text_data(first), dp_text_data(rules));
            else
                first = rules;
            if (rules != first)
                dp_text_free(rules);
            dp_learner_free(l);
            dp_buf_done(&in);
        }
        dp_text_free(first);
    }
}

static void learns_rules_that_load_and_hold(void **state)
{
    (void)state;
    const char *const set[] = {"method", "tree", "keep", "lang", NULL};
    dp_buf            in = {0};
    dp_rules         *r;
    dp_engine        *e;
    dp_scratch       *s;
    dp_error          err = {0};
    char              key[64];
    static const char url[] = "http://shop.example/item/999/?sid=5", other[] = "http://news.example/story?id=999";
    plant(&in, 100);
    dp_learner *l = make(set);
    dp_text    *rules = learn(l, dp_buf_view(&in));
    assert_non_null(strstr(dp_text_data(rules), "keep ?lang\n"));
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "learned", dp_text_data(rules), dp_text_size(rules), &err));
    assert_int_equal(DP_OK, dp_engine_new(&e, r, 0, 0, &err));
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    size_t n = dp_apply(e, s, url, sizeof url - 1, key, sizeof key);
    assert_int_equal(strlen("http://shop.example/item/999"), n);
    n = dp_apply(e, s, other, sizeof other - 1, key, sizeof key);
    assert_int_equal(sizeof other - 1, n);
    dp_scratch_free(s);
    dp_engine_free(e);
    dp_rules_free(r);
    dp_text_free(rules);
    dp_learner_free(l);
    dp_buf_done(&in);
}

static const struct {
    const char *input, *said; /* somewhere in the summary */
} odd[] = {
    {"", "the input has no records"},
    {"x\tmailto:me\ny\tnothing\n", "no record of the input is a page"},
    {"x\thttp://a.com/\n", "no page was seen under two URLs"},
    {"1\thttp://a.com/1\n2\thttp://a.com/2\n3\thttp://a.com/3\n4\thttp://a.com/4\n", "no page was seen under two URLs"},
    {"1\thttp://a.com/1\n1\thttp://a.com/2\n1\thttp://www.a.com/3\n1\thttp://a.com/4?x=1\n", "almost every page"},
    {"1\thttp://a.com/1\n2\thttp://a.com/1\n1\thttp://a.com/2\n3\thttp://a.com/3\n", "some URLs have several"},
    {"1\thttp://a.com/\xff\xfe\n1\thttp://a.com/%FF%FE?\n2\thttp://a.com/\xc3\xa4\n", "seen under two URLs"},
};

static void odd_input_is_said(void **state)
{
    (void)state;
    for (size_t m = 0; m < DP_COUNT(methods); m++) {
        const char *const set[] = {"method", methods[m], NULL};
        for (size_t i = 0; has_method(methods[m]) && i < DP_COUNT(odd); i++) {
            dp_learner *l = make(set);
            dp_text    *rules = learn(l, dp_str_c(odd[i].input)), *summary;
            assert_int_equal(DP_OK, dp_learner_summary(&summary, l, DP_JSON));
            if (!strstr(dp_text_data(summary), odd[i].said))
                fail_msg("%s, input %zu: %s", methods[m], i, dp_text_data(summary));
            assert_int_equal('{', dp_text_data(summary)[0]);
            dp_text_free(summary);
            dp_text_free(rules);
            dp_learner_free(l);
        }
    }
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"method", "frobnicate", "dust"},
        {"min-precision", "1.5", "0 to 1"},
        {"min-precision", "x", "0 to 1"},
        {"accept", "maybe", "judge|paper"},
        {"site", "web", "linked|domain|host"},
        {"trust", "near,magic", "canonical"},
        {"labels", "near,text", "one kind"},
        {"keep", "a b", "--keep"},
        {"memory", "4X", "400M"},
        {"threads", "1.5", "whole"},
        {"frobnicate", "1", "unknown option"},
    };
    dp_learner *l;
    dp_error    err;
    assert_int_equal(DP_OK, dp_learner_new(&l));
    for (size_t i = 0; i < DP_COUNT(wrong); i++) {
        assert_int_equal(DP_EINVALID, dp_learner_set(l, wrong[i][0], wrong[i][1], &err));
        if (!strstr(err.message, wrong[i][2]))
            fail_msg("%s: %s", wrong[i][0], err.message);
    }
    dp_learner_free(l);
}

static void options_belong_to_a_method(void **state)
{
    (void)state;
    const char *const set[] = {"MS", "4", "method", "tree", NULL};
    const char       *path = dp_temp_write("in", DP_STR("1\thttp://a.com/\n"));
    dp_learner       *l = make(set);
    dp_error          err;
    assert_int_equal(DP_EINVALID, dp_learner_run(l, &path, 1, &err));
    assert_non_null(strstr(err.message, "--MS is an option of --method dust"));
    assert_int_equal(DP_OK, dp_learner_set(l, "method", "dust", &err));
    assert_int_equal(DP_OK, dp_learner_run(l, &path, 1, &err));
    dp_learner_free(l);
    dp_temp_remove(NULL);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf in = {0};
    plant(&in, 6);
    DP_EVERY_ALLOC_FAILURE {
        const char *path = dp_temp_write("in", dp_buf_view(&in));
        dp_learner *l = NULL;
        dp_text    *rules = NULL;
        dp_error    err;
        dp_err      code = dp_learner_new(&l);
        if (code == DP_OK)
            code = dp_learner_input(l, DP_INPUT_FORMAT, "clusters");
        if (code == DP_OK)
            code = dp_learner_set(l, "method", "tree", &err);
        if (code == DP_OK)
            code = dp_learner_set(l, "threads", "1", &err);
        if (code == DP_OK)
            code = dp_learner_run(l, &path, 1, &err);
        if (code == DP_OK)
            code = dp_learner_rules(&rules, l);
        assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_text_free(rules);
        dp_learner_free(l);
        dp_temp_remove(NULL);
    }
    dp_buf_done(&in);
}

/* A flag takes "1"; any other option takes it or says what is wrong with it, and none is unknown. */
static void every_listed_option_can_be_set(void **state)
{
    dp_learner            *l = make((const char *const[]){NULL});
    dp_learner_option_info o;
    const char            *method = NULL, *summary;
    dp_error               err;
    (void)state;
    for (size_t m = 0; m == 0 || method; method = dp_learner_method(m++, &summary)) {
        for (size_t i = 0; dp_learner_option(method, i, &o); i++) {
            dp_err code = dp_learner_set(l, o.name, "1", &err);
            assert_true(o.help && (code == DP_OK || (o.value && (code == DP_EINVALID || code == DP_EIO))));
            assert_true(code == DP_OK || !strstr(err.message, "unknown"));
        }
    }
    dp_learner_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_order_do_not_matter), cmocka_unit_test(learns_rules_that_load_and_hold),
        cmocka_unit_test(odd_input_is_said),               cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(options_belong_to_a_method),      cmocka_unit_test(survives_every_allocation_failure),
        cmocka_unit_test(every_listed_option_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
