/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "support/failing_alloc.h"
#include "support/rules.h"

/* Compile "drop ?a" and then a rule with a literal of n bytes. */
static dp_err compile_literal(size_t n, dp_error *err)
{
    dp_buf     text = {0};
    dp_rules  *r;
    dp_engine *e = NULL;
    dp_buf_c(&text, "dustpan-rules 1\nhost a.com\ndrop ?a\n/");
    for (size_t i = 0; i < n; i++)
        dp_buf_byte(&text, 'x');
    dp_buf_c(&text, " => /y\n");
    assert_false(text.failed);
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "long.rules", text.p, text.n, err));
    dp_err code = dp_engine_new(&e, r, 0, 0, err);
    dp_engine_free(e);
    dp_rules_free(r);
    dp_buf_done(&text);
    return code;
}

static void a_rule_too_long_for_its_body_is_refused_where_it_stands(void **state)
{
    (void)state;
    dp_error err = {0};
    assert_int_equal(DP_OK, compile_literal(65535, &err));
    assert_int_equal(DP_ELIMIT, compile_literal(65536, &err));
    assert_string_equal("long.rules", err.file);
    assert_int_equal(4, err.line);
}

/* Several blocks: what fails for the first is not forgotten by the time of the last. */
static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rules *r = rules_of("dustpan-rules 1\nhost a.com\nkeep ?id\ndrop ?sid\nhost b.com\n/old/{x} => /new/{x}\n"
                           "host c.com, d.com\norder any\nfold case path\n");
    DP_EVERY_ALLOC_FAILURE {
        dp_engine *e = NULL;
        dp_err     code = dp_engine_new(&e, r, 0, 0, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_engine_free(e);
    }
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_too_long_for_its_body_is_refused_where_it_stands),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
