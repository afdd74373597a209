/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

static const char rules_text[] = "dustpan-rules 1\n"
                                 "host a.com\n"
                                 "likely sub \"/$\" -> \"/index.html$\"  [n=1 by=size]\n"
                                 "likely sub \"d/$\" -> \"d/index.html$\"\n"
                                 "likely erase ?sid\n"
                                 "drop ?id\n"
                                 "off drop ?x\n"
                                 "pin drop ?y\n";

static const char labels[] = "1\thttp://a.com/\n1\ta.com/index.html\n2\thttp://a.com/d/\n2\thttp://a.com/d/index.html\n"
                             "3\thttp://a.com/e/\n3\thttp://a.com/e/index.html\n4\thttp://a.com/p?sid=1\n"
                             "4\thttp://a.com/p?sid=2\n5\thttp://a.com/q?sid=1\n5\thttp://a.com/q?sid=2\n"
                             "6\thttp://a.com/r?id=1\n7\thttp://a.com/r?id=2\n8\thttp://a.com/r\n";

static dp_err run(dp_validation *v, const dp_rules *r, const char *path, dp_error *err)
{
    DP_TRY(dp_validation_set(v, DP_VALIDATION_TESTS, 2));
    DP_TRY(dp_validation_set(v, DP_VALIDATION_MIN_TESTS, 1));
    DP_TRY(dp_validation_input(v, DP_INPUT_FORMAT, "clusters"));
    DP_TRY(dp_validation_offline(v, &path, 1));
    return dp_validation_run(v, r, NULL, 0, err);
}

static void rules_in_memory_are_validated(void **state)
{
    (void)state;
    dp_rules      *r = rules_of(rules_text), *made = NULL;
    dp_validation *v = NULL;
    dp_text       *text = NULL;
    const char    *path = dp_temp_write("labels", dp_str_c(labels));
    static const dp_validation_answer want[] = {DP_TURNED,   DP_REFINED,  DP_KEPT,
                                                DP_REJECTED, DP_UNTESTED, DP_UNDECIDED};
    assert_int_equal(DP_OK, dp_validation_new(&v));
    assert_int_equal(DP_OK, run(v, r, path, NULL));
    for (size_t i = 0; i < DP_COUNT(want); i++)
        assert_int_equal(want[i], dp_validation_verdict(v, i));
    assert_int_equal(1, dp_validation_verdicts(v, DP_REJECTED));
    assert_int_equal(13, dp_validation_total(v, DP_VALIDATION_URLS));
    assert_int_equal(0, dp_validation_total(v, DP_VALIDATION_REQUESTS));
    assert_int_equal(DP_OK, dp_validation_rules(&made, v, NULL));
    assert_int_equal(DP_OK, dp_rules_print(&text, made));
    assert_string_equal("dustpan-rules 1\n"
                        "host a.com\n"
                        "sub \"/index.html$\" -> \"/$\"                                   "
                        "[p=.936 n=2 neg=0 by=size,text]\n"
                        "erase ?sid                                                   [p=.936 n=2 neg=0 by=text]\n"
                        "off drop ?id                                                 [p=.359 n=0 neg=1 refuted=text]\n"
                        "off drop ?x\n"
                        "pin drop ?y\n",
                        dp_text_data(text));
    dp_text_free(text);
    assert_int_equal(DP_OK, dp_validation_print(&text, v, DP_JSON));
    dp_text_free(text);
    assert_int_equal(DP_OK, dp_validation_summary(&text, v));
    assert_string_equal("13 URLs, 5 rules: 1 active, 1 reversed and active, 1 covered by another rule and removed, "
                        "1 rejected and off, 1 not tested; 1 is off and not tested\n"
                        "to decide on the remaining rule: give more URLs of the same hosts with --urls, or lower "
                        "--min-tests\n",
                        dp_text_data(text));
    dp_text_free(text);
    assert_int_equal(DP_EINVALID, dp_validation_run(v, r, NULL, 0, NULL)); /* once */
    dp_rules_free(made);
    dp_validation_free(v);
    dp_rules_free(r);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    dp_rules      *r = rules_of(rules_text), *made = NULL;
    dp_validation *v = NULL;
    dp_text       *text = NULL;
    dp_error       err = {0};
    assert_int_equal(DP_OK, dp_validation_new(&v));
    assert_int_equal(DP_EINVALID, dp_validation_set(v, DP_VALIDATION_TESTS, 0));
    assert_int_equal(DP_EINVALID, dp_validation_set(v, DP_VALIDATION_EPSILON, 1000001));
    assert_int_equal(DP_EINVALID, dp_validation_set(v, DP_VALIDATION_SHINGLES, 5));
    assert_int_equal(DP_EINVALID, dp_validation_set(v, DP_VALIDATION_RATE, 0));
    assert_int_equal(DP_EINVALID, dp_validation_set(v, (dp_validation_option)99, 0));
    assert_int_equal(DP_EINVALID, dp_validation_say(v, DP_VALIDATION_USER_AGENT, "a\r\nCookie: b"));
    assert_int_equal(DP_EINVALID, dp_validation_input(v, (dp_input_option)99, "x"));
    assert_int_equal(DP_EINVALID, dp_validation_offline(v, NULL, 0));
    assert_int_equal(DP_EINVALID, dp_validation_rules(&made, v, &err));
    assert_int_equal(DP_EINVALID, dp_validation_print(&text, v, DP_PLAIN));
    assert_int_equal(DP_EINVALID, dp_validation_run(v, r, NULL, 0, &err));
    assert_string_equal("no list of URLs was given", err.message);
    assert_int_equal(DP_EINVALID, dp_validation_summary(&text, v));
    assert_int_equal(DP_EINVALID, dp_validation_bad(v, 0, &err));
    dp_validation_free(v);
    dp_rules_free(r);
}

static int stop(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    (void)done, (void)unit;
    *(uint64_t *)ctx = total;
    return 1;
}

static void progress_can_stop_it(void **state)
{
    (void)state;
    dp_rules      *r = rules_of(rules_text);
    dp_validation *v = NULL;
    uint64_t       total = 0;
    assert_int_equal(DP_OK, dp_validation_new(&v));
    dp_validation_progress(v, stop, &total);
    assert_int_equal(DP_EINVALID, run(v, r, dp_temp_write("labels", dp_str_c(labels)), NULL));
    assert_int_equal(5, total);
    dp_validation_free(v);
    dp_rules_free(r);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(rules_text);
    const char *path = dp_temp_write("labels", dp_str_c(labels));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_validation *v = NULL;
        dp_rules      *made = NULL;
        dp_text       *text = NULL;
        dp_err         e = dp_validation_new(&v);
        if (e == DP_OK)
            e = run(v, r, path, NULL);
        if (e == DP_OK)
            e = dp_validation_rules(&made, v, NULL);
        if (e == DP_OK)
            e = dp_validation_print(&text, v, DP_JSON);
        dp_text_free(text);
        text = NULL;
        if (e == DP_OK)
            e = dp_validation_summary(&text, v);
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_text_free(text);
        dp_rules_free(made);
        dp_validation_free(v);
    }
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rules_in_memory_are_validated, dp_temp_remove),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test_teardown(progress_can_stop_it, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
